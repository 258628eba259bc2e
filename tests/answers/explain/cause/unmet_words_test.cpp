// tests/answers/explain/cause/unmet_words_test.cpp: which of the values that devices have are
// named.

#include "src/answers/explain/cause/unmet_words.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace dra::answers::unmet_words_test {
namespace {

using Is = cel::Comparison::Is;
using Of = cel::Comparison::Of;

struct Case {
  const char* name;
  cel::Comparison wanted;
  std::vector<engine::SeenInstead> seen;
  const char* want;
};

cel::Comparison cores(Is is, std::string value) {
  return {.of = Of::Attribute, .domain = {}, .name = "cores", .is = is, .value = std::move(value)};
}
cel::Comparison memory(Is is, std::string value) {
  return {.of = Of::Capacity, .domain = {}, .name = "memory", .is = is, .value = std::move(value)};
}

TEST_CASE("the values next to what is asked for") {
  const std::vector<engine::SeenInstead> numbers = {{"16", 3}, {"4", 3}, {"64", 2},
                                                    {"32", 1}, {"8", 1}, {"no such key: cores", 1}};
  const Case rows[] = {
      {"the largest amount",
       memory(Is::AtLeast, "96Gi"),
       {{"24Gi", 4}, {"49152Mi (48Gi)", 1}},
       "no GPU has 96Gi of memory or more; the largest has 49152Mi (48Gi) (1 device)"},
      {"the smallest amount",
       memory(Is::Less, "8Gi"),
       {{"24Gi", 4}, {"48Gi", 1}, {"9Gi", 2}},
       "no GPU has less than 8Gi of memory; the smallest has 9Gi (2 devices)"},
      {"the highest number", cores(Is::More, "64"), numbers,
       "no GPU has cores above 64; the highest is 64 (2 devices)"},
      {"the lowest number", cores(Is::AtMost, "2"), numbers,
       "no GPU has cores 2 or less; the lowest is 4 (3 devices)"},
      {"the highest version",
       cores(Is::AtLeast, "12.9.0"),
       {{"12.10.1", 1}, {"12.2.0", 7}},
       "no GPU has cores 12.9.0 or more; the highest is 12.10.1 (1 device)"},
      {"numbers around the one", cores(Is::Equal, "20"), numbers,
       "no GPU has cores 20; they have 16 (3 devices), 32 (1 device), 64 (2 devices) and 2 more"},
      {"numbers below the one", cores(Is::Equal, "99"), numbers,
       "no GPU has cores 99; they have 16 (3 devices), 32 (1 device), 64 (2 devices) and 2 more"},
      {"numbers above the one", cores(Is::Equal, "1"), numbers,
       "no GPU has cores 1; they have 4 (3 devices), 8 (1 device), 16 (3 devices) and 2 more"},
      {"one value",
       memory(Is::AtLeast, "81Gi"),
       {{"80Gi", 8}},
       "no GPU has 81Gi of memory or more; they have 80Gi (8 devices)"},
      {"texts, the most frequent",
       cores(Is::Equal, "'x'"),
       {{"\"a\"", 5}, {"\"b\"", 4}, {"\"c\"", 3}, {"\"d\"", 2}, {"\"e\"", 1}},
       "no GPU has cores 'x'; they have \"a\" (5 devices), \"b\" (4 devices), \"c\" (3 devices) "
       "and 2 more"},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    const SelectorFinding finding{
        .finding = {}, .part = "p", .comparison = row.wanted, .seen = row.seen};
    CHECK(unmet_words(finding, "GPU") == row.want);
  }
}

}  // namespace
}  // namespace dra::answers::unmet_words_test
