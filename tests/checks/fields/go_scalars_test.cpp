// tests/checks/fields/go_scalars_test.cpp

#include "src/checks/fields/go_scalars.h"

#include <doctest/doctest.h>

namespace dra::checks::go_scalars_test {
namespace {

TEST_CASE("an integer is digits") {
  CHECK(go_integer("-0") == 0);
  CHECK(go_integer("12") == 12);
  CHECK(go_integer("-9223372036854775808").has_value());
  for (const char* text : {"", "1.0", "1e3", "9223372036854775808", "+1", " 1"}) {
    CAPTURE(text);
    CHECK_FALSE(go_integer(text).has_value());
  }
}

TEST_CASE("a quantity may have spaces around it, but no line breaks") {
  CHECK(is_go_quantity(" 80Gi\u00a0"));
  CHECK(
      is_go_quantity("\xc2\x85"
                     "1\u3000"));
  CHECK_FALSE(is_go_quantity("80Gi\n"));
  CHECK_FALSE(is_go_quantity("\t80Gi"));
  CHECK_FALSE(is_go_quantity(" "));
  CHECK_FALSE(is_go_quantity("80 Gi"));
}

TEST_CASE("times, as Go's parser takes them") {
  for (const char* text : {"2026-11-20T08:30:00Z", "2026-11-20T8:30:00Z", "2026-11-20T08:30:00,25Z",
                           "2026-11-20T08:30:00+24:60", "2026-11-20T8:30:00,5-01:00"}) {
    CAPTURE(text);
    CHECK(is_go_time(text));
  }
  for (const char* text :
       {"", "2026-11-20", "2026-11-20 08:30:00Z", "2026-11-20T08:30:00",
        "2026-11-20T08:30:00+25:00", "2026-11-20T08:30:00+01:61", "2026-02-30T08:30:00Z",
        "2026-11-20T08:30:60Z", "2026-11-20T:30:00Z", "2026-11-20T08:30:00,Z"}) {
    CAPTURE(text);
    CHECK_FALSE(is_go_time(text));
  }
}

}  // namespace
}  // namespace dra::checks::go_scalars_test
