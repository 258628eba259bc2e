// tests/json/yaml_places_test.cpp

#include "dra/json/yaml_places.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "dra/json/yaml.h"

namespace dra::json::yaml_places_test {
namespace {

// "LINE:COLUMN" of the X in the value of `a`.
std::string place_of_x(const std::string& text) {
  const auto documents = parse_yaml(text);
  REQUIRE(documents.ok());
  const Value* value = documents.value().front().find("a");
  REQUIRE(value != nullptr);
  const auto at = position_within(text, value->position(), value->text(), value->text().find('X'));
  return at ? base::format("{}:{}", at->line, at->column) : "none";
}

struct Row {
  const char* name;
  std::string text;
  const char* want;
};

TEST_CASE("a part of a value is found in every style") {
  const Row rows[] = {
      {"plain", "a: b && X", "1:9"},
      {"plain, the whole", "# c\na: X == 1", "2:4"},
      {"plain over lines", "a: b\n  && c\n\n  && X d\n", "4:6"},
      {"single quotes", "a: 'b == ''c'' && X'", "1:19"},
      {"single quotes over lines", "a: 'b\n\n  && ''X'\n", "3:8"},
      {"double quotes", R"(a: "b == \"c\" && X")", "1:19"},
      {"escapes", R"(a: "b\tc\x22\u0022\\\n X")", "1:24"},
      {"double quotes over lines", "a: \"b \\\n  c\n  && X\"\n", "3:6"},
      {"a block", "a: |\n  b &&\n    c &&\n\n  X\n", "5:3"},
      {"a block with marks", "a: |2-\n   b &&\n   X\n", "3:4"},
      {"a folded block", "a: >-\n  b &&\n\n    c\n  && X\n", "5:6"},
      {"behind an anchor", "a: &b\n  \"c X\"\n", "2:6"},
      {"in braces", "{b: 1, a: c && X, d: 2}", "1:16"},
      {"behind a byte order mark",
       "\xef\xbb\xbf"
       "a: b X\n",
       "1:6"},
      {"lines that end in CR", "a: |\r\n  b &&\r\n  X\r\n", "3:3"},
      {"behind characters of several bytes", "a: 'ü' \n", "none"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(place_of_x(row.text) == row.want);
  }
}

TEST_CASE("a value that the text does not have there has no place") {
  const std::string text = "a: &x b X\nc: *x\n";
  const auto documents = parse_yaml(text).take();
  const Value* alias = documents.front().find("c");
  REQUIRE(alias != nullptr);
  CHECK_FALSE(position_within(text, alias->position(), alias->text(), 2));
  CHECK_FALSE(position_within(text, {9, 1}, "b", 0));
  CHECK_FALSE(position_within(text, {}, "b", 0));
}

}  // namespace
}  // namespace dra::json::yaml_places_test
