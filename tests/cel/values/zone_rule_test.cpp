// tests/cel/values/zone_rule_test.cpp

#include "dra/cel/values/time_values.h"

#include <doctest/doctest.h>

#include <string>

namespace dra::cel::zone_rule_test {
namespace {

TEST_CASE("rules say when clocks change") {
  struct Row {
    std::string sentence;
    std::string rule;
    std::int64_t seconds;
    std::int64_t offset;
  };
  const std::int64_t january = 1'577'836'800;  // 2020
  const std::int64_t july = 1'593'561'600;
  const Row rows[] = {
      {"no summer time", "<+0330>-3:30", july, 12'600},
      {"winter", "CET-1CEST,M3.5.0,M10.5.0/3", january, 3'600},
      {"summer", "CET-1CEST,M3.5.0,M10.5.0/3", july, 7'200},
      {"the second before", "CET-1CEST,M3.5.0,M10.5.0/3", 1'585'443'599, 3'600},
      {"the second of the change", "CET-1CEST,M3.5.0,M10.5.0/3", 1'585'443'600, 7'200},
      {"summer in the south", "AEST-10AEDT,M10.1.0,M4.1.0/3", january, 39'600},
      {"winter in the south", "AEST-10AEDT,M10.1.0,M4.1.0/3", july, 36'000},
      {"days of the year", "AAA0BBB,J60/0,J300/0", july, 3'600},
  };
  for (const Row& row : rows) {
    CAPTURE(row.sentence);
    const auto offset = offset_by_rule(row.rule, row.seconds);
    REQUIRE(offset.has_value());
    CHECK(*offset == row.offset);
  }
}

TEST_CASE("what is no rule is none") {
  for (const std::string rule :
       {"", "C", "CET", "CET-1CEST", "CET-1CEST,M13.1.0,M1.1.0", "CET-1CEST,M3.5.0,M10.5.0/3x"}) {
    CAPTURE(rule);
    CHECK_FALSE(offset_by_rule(rule, 0).has_value());
  }
}

}  // namespace
}  // namespace dra::cel::zone_rule_test
