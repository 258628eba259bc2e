// tests/answers/explain/suggestion_text_test.cpp

#include "dra/answers/explain/suggestion_text.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace dra::answers::suggestion_text_test {
namespace {

using cel::ChangeKind;

TEST_CASE("what is reported about a change") {
  struct Row {
    std::vector<ChangeKind> kinds;
    std::size_t matches;
    const char* want;
    std::vector<engine::ValueInstead> values = {};
  };
  const Row rows[] = {
      {{ChangeKind::Letters}, 1, "Did you mean this? It matches 1 device"},
      {{ChangeKind::Operator}, 0, "Did you mean this? It compiles, but matches no device"},
      {{ChangeKind::Threshold}, 12, "With another bound it matches 12 devices"},
      {{ChangeKind::Threshold, ChangeKind::Value},
       2,
       "With a value that devices have it matches 2 devices"},
      {{ChangeKind::Member}, 2, "With a value that devices have it matches 2 devices"},
      {{ChangeKind::Guard}, 4, "With a guard it fails for no device and matches 4"},
      {{ChangeKind::NearName, ChangeKind::Guard}, 4, "Did you mean this? It matches 4 devices"},
      {{ChangeKind::Threshold}, 12, "With 60 instead of 80 it matches 12 devices", {{"80", "60"}}},
      {{ChangeKind::Guard, ChangeKind::Value},
       3,
       "Did you mean 'a' instead of 'b', 1 instead of 2? It matches 3 devices",
       {{"'b'", "'a'"}, {"2", "1"}}},
      {{ChangeKind::Drop}, 2, "Without one of the conditions it matches 2 devices"},
  };
  for (const Row& row : rows) {
    const std::string want = row.want;
    CAPTURE(want);
    CHECK(suggestion_text({.kinds = row.kinds, .values = row.values, .matches = row.matches},
                          true) == want);
  }
  CHECK(suggestion_text({.kinds = {ChangeKind::Operator}}, false) ==
        std::string("Did you mean this? It compiles"));
}

}  // namespace
}  // namespace dra::answers::suggestion_text_test
