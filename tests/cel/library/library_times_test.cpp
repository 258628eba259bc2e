// tests/cel/library/library_times_test.cpp

#include <doctest/doctest.h>

#include "tests/support/evaluate_cel.h"

namespace dra::cel::library_times_test {
namespace {

using test::expect;
using test::expect_refused;
using test::Row;

TEST_CASE("timestamps are read and written") {
  expect({
      Row{"with their offset", "string(timestamp('2020-01-02T03:04:05.670+02:00'))",
          "'2020-01-02T03:04:05.67+02:00'"},
      Row{"from seconds", "string(timestamp(0))", "'1970-01-01T00:00:00Z'"},
      Row{"an hour of one digit", "int(timestamp('1970-01-01T1:00:00Z'))", "3600"},
      Row{"the last year", "timestamp(253402300799) + duration('1s')", "error timestamp overflow"},
      Row{"their distance", "timestamp(60) - timestamp(0) == duration('1m')", "true"},
      Row{"a duration", "string(duration('1h30m') - duration('1ns'))", "'5399.999999999s'"},
      Row{"a duration too long", "duration('2562047h') + duration('2562047h')",
          "error integer overflow"},
  });
}

TEST_CASE("parts of a duration are rounded before they are cut, as upstream has them") {
  expect({
      Row{"nearly a second more", "duration('1577934244.999999999s').getSeconds()", "1577934245"},
      Row{"of few seconds", "duration('4.999999999s').getSeconds()", "4"},
      Row{"in full", "duration('1577934244.999999999s').getMilliseconds()", "1577934244999"},
  });
}

TEST_CASE("timestamps have parts") {
  expect({
      Row{"from zero", "timestamp('2020-03-01T00:00:00Z').getMonth()", "2"},
      Row{"from one", "timestamp('2020-03-01T00:00:00Z').getDate()", "1"},
      Row{"the day of the year", "timestamp('2020-03-01T00:00:00Z').getDayOfYear()", "60"},
      Row{"the day of the week", "timestamp('2020-03-01T00:00:00Z').getDayOfWeek()", "0"},
      Row{"elsewhere", "timestamp('2020-03-01T00:00:00Z').getFullYear('-02:30')", "2020"},
      Row{"the hour elsewhere", "timestamp('2020-03-01T00:00:00Z').getHours('-02:30')", "21"},
      Row{"nowhere", "timestamp(0).getHours('Nowhere/At all')",
          "error unknown time zone Nowhere/At all"},
      Row{"no file has such a name", "timestamp(0).getHours('%.0f'.format([1e300]))",
          "error file name too long"},
      Row{"nor one with a zero", "timestamp(0).getHours('UTC\\u0000')", "error invalid argument"},
      Row{"outside", "timestamp(0).getHours('../zone')", "error time: invalid location name"},
      Row{"no offset", "timestamp(0).getHours('a:00')",
          "error strconv.Atoi: parsing \"a\": invalid syntax"},
      Row{"all of a duration", "duration('-90m').getMinutes()", "-90"},
  });
}

}  // namespace
}  // namespace dra::cel::library_times_test
