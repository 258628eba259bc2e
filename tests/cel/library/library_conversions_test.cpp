// tests/cel/library/library_conversions_test.cpp

#include <doctest/doctest.h>

#include "tests/support/evaluate_cel.h"

namespace dra::cel::library_conversions_test {
namespace {

using test::expect;
using test::expect_refused;
using test::Row;

TEST_CASE("strings are converted as Go reads them") {
  expect({
      Row{"true in short", "bool('t') && bool('TRUE') && !bool('0')", "true"},
      Row{"a signed number", "int('+1') + int('-7')", "-6"},
      Row{"the greatest", "uint('18446744073709551615')", "18446744073709551615u"},
      Row{"a number in hexadecimal", "double('0x1p-2') == 0.25", "true"},
      Row{"with underscores behind the prefix", "double('0x_1p0') == 1.0", "true"},
      Row{"infinity", "double('-Infinity') < -1e308", "true"},
      Row{"bytes", "bytes('é')", "bc3a9"},
      Row{"broken bytes", "string(b'\\xff' + b'')",
          "error invalid UTF-8 in bytes, cannot convert to string"},
  });
  expect_refused({
      Row{"not quite true", "bool('TrUe')", "type conversion error from 'string' to 'bool'"},
      Row{"hexadecimal", "int('0x10')", "type conversion error from 'string' to 'int'"},
      Row{"a signed one", "uint('+1')", "type conversion error from 'string' to 'uint'"},
      Row{"too great", "double('1e400')", "type conversion error from 'string' to 'double'"},
      Row{"a day", "duration('1d')", "invalid duration argument"},
      Row{"no time", "timestamp('2020-02-30T00:00:00Z')", "invalid timestamp argument"},
  });
}

TEST_CASE("numbers are converted within their ranges") {
  expect({
      Row{"towards zero", "int(-1.9)", "-1"},
      Row{"both ends are excluded", "int(9223372036854775807.0 + 0.0)", "error integer overflow"},
      Row{"not a number", "int(0.0 / 0.0)", "error integer overflow"},
      Row{"below zero", "uint(0 - 1)", "error unsigned integer overflow"},
      Row{"a large one", "int(9223372036854775808u + 0u)", "error integer overflow"},
      Row{"with an exponent from a million on", "string(1e6)", "'1e+06'"},
      Row{"in short", "string(0.1) + string(-0.0)", "'0.1-0'"},
  });
}

TEST_CASE("types are values") {
  expect({
      Row{"of a number", "dyn(type(1)) == int && dyn(type(1u)) != int", "true"},
      Row{"of a list, whatever is in it", "dyn(type([1])) == list", "true"},
      Row{"of nothing", "dyn(type(null)) == null_type", "true"},
      Row{"of a type", "dyn(type(type(1))) == type", "true"},
  });
}

}  // namespace
}  // namespace dra::cel::library_conversions_test
