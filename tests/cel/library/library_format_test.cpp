// tests/cel/library/library_format_test.cpp

#include <doctest/doctest.h>

#include "tests/support/evaluate_cel.h"

namespace dra::cel::library_format_test {
namespace {

using test::expect;
using test::expect_refused;
using test::Row;

TEST_CASE("format writes values") {
  expect({
      Row{"texts and numbers", "'%s has %d'.format(['a', 2u])", "'a has 2'"},
      Row{"a percent sign", "'100%%'.format([])", "'100%'"},
      Row{"other bases", "'%x %X %o %b'.format([-255, 255, 8, 5])", "'-ff FF 10 101'"},
      Row{"texts in hexadecimal", "'%x'.format(['é'])", "'c3a9'"},
      Row{"thousands", "'%.1f'.format([1234567.89])", "'1,234,567.9'"},
      Row{"not numbers", "'%f %f'.format(['NaN', '-Infinity'])", "'NaN -∞'"},
      Row{"an exponent", "'%e'.format([1.0525])", "'1.052500×10⁰⁰'"},
      Row{"whose precision is a width", "'%.15e'.format([0.1])", "' 1.000000×10⁻⁰¹'"},
      Row{"a list", "'%s'.format([['a', 1.5, null, duration('1h')]])",
          "'[\"a\", 1.500000, null, duration(\"3600s\")]'"},
      Row{"a map by its keys", "'%s'.format([{'b': 1, 'a': 2}])", "'{\"a\":2, \"b\":1}'"},
      Row{"a type", "'%s'.format([int])", "'int'"},
      Row{"what it cannot", "'%d'.format([dyn('a')])",
          "error error during formatting: decimal clause can only be used on integers, was given "
          "string"},
      Row{"too few", "('%s' + '').format([])", "error index 0 out of range"},
  });
}

TEST_CASE("literals of format are checked before") {
  expect_refused({
      Row{"too few", "'%s %s'.format(['a'])", "index 1 out of range"},
      Row{"too many", "'%s'.format(['a', 'b'])",
          "too many arguments supplied to string.format (expected 1, got 2)"},
      Row{"no such clause", "'%q'.format(['a'])",
          "could not parse formatting clause: unrecognized formatting clause \"q\""},
      Row{"no clause at all", "'%'.format(['a'])", "unexpected end of string"},
      Row{"no precision", "'%.f'.format([1.0])",
          "could not parse formatting clause: error while parsing precision: error while "
          "converting precision to integer: strconv.Atoi: parsing \"\": invalid syntax"},
      Row{"another type", "'%d'.format(['a'])",
          "error during formatting: decimal clause can only be used on integers, was given "
          "string"},
      Row{"another type within a list", "'%s'.format([[1, optional.of(1)]])",
          "error during formatting: string clause can only be used on strings, bools, bytes, ints, "
          "doubles, maps, lists, types, durations, and timestamps, was given optional_type"},
  });
}

}  // namespace
}  // namespace dra::cel::library_format_test
