// tests/base/ages_test.cpp

#include "dra/base/ages.h"

#include <doctest/doctest.h>

namespace dra::base::ages_test {
namespace {

TEST_CASE("a time that is not there is unknown") {
  const Instant now = parse_rfc3339("2026-11-20T09:00:00Z").value();
  CHECK(age_of(std::nullopt, now) == "<unknown>");
  CHECK(age_of(parse_rfc3339("2026-11-20T08:00:00Z").value(), now) == "60m");
}

}  // namespace
}  // namespace dra::base::ages_test
