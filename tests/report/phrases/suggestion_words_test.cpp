// tests/report/phrases/suggestion_words_test.cpp

#include "dra/report/phrases/suggestion_words.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/json/write.h"

namespace dra::report::suggestion_words_test {
namespace {

using cel::ChangeKind;

std::string compact(const json::Value& value) {
  return json::write_json(value, json::Style::Compact);
}

TEST_CASE("changes as JSON") {
  const engine::Suggestion one{.changes = {{ChangeKind::Letters, {3, 8}, "\"x\""}},
                               .kinds = {ChangeKind::Letters},
                               .expression = "a == \"x\"",
                               .matches = 2};
  CHECK(compact(suggestion_json(one, true)) ==
        R"({"expression":"a == \"x\"","changes":[{"span":[3,8],"text":"\"x\""}],"matches":2})");
  CHECK(compact(suggestion_json(one, false)) ==
        R"({"expression":"a == \"x\"","changes":[{"span":[3,8],"text":"\"x\""}]})");
}

}  // namespace
}  // namespace dra::report::suggestion_words_test
