// tests/cel/library/library_quantity_test.cpp

#include "dra/cel/library/kubernetes.h"

#include <doctest/doctest.h>

#include "tests/support/evaluate_cel.h"

namespace dra::cel::library_quantity_test {
namespace {

using test::expect;
using test::Row;

TEST_CASE("what a quantity is, is told as upstream tells it") {
  const std::string format =
      "error quantities must match the regular expression "
      "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  const std::string suffix = "error unable to parse quantity's suffix";
  expect({
      Row{"an amount of bytes is one", "isQuantity('40Gi')", "true"},
      Row{"a word is none", "isQuantity('much')", "false"},
      Row{"a character that can be nothing", "quantity('1 Gi')", format},
      Row{"nothing", "quantity('')", format},
      Row{"a unit that does not exist", "quantity('1K')", suffix},
      Row{"an exponent without a number", "quantity('1e')", suffix},
      Row{"a large unit without a number", "quantity('Ei')",
          "error unable to parse numeric part of quantity"},
  });
}

TEST_CASE("quantities are compared by value") {
  expect({
      Row{"binary and decimal", "quantity('1Ki') == quantity('1024')", "true"},
      Row{"beyond 64 bits", "quantity('1e100').isGreaterThan(quantity('9e99'))", "true"},
      Row{"less", "quantity('1500m').isLessThan(quantity('2'))", "true"},
      Row{"order as a number", "quantity('2').compareTo(quantity('3'))", "-1"},
      Row{"the sign is a function", "sign(quantity('-1m'))", "-1"},
      Row{"both stand for the cap", "quantity('8Ei') == quantity('9Ei')", "true"},
      Row{"a sum on the left is one", "quantity('1').add(1) == quantity('2')", "true"},
      Row{"a sum on the right is none, an accident of upstream's",
          "quantity('2') == quantity('1').add(1)", "error no such overload"},
      Row{"text on the right", "dyn(quantity('1')) == dyn('1')", "error no such overload"},
      Row{"text on the left", "dyn('1') == dyn(quantity('1'))", "false"},
  });
}

TEST_CASE("only some whole quantities are integers") {
  expect({
      Row{"a plain number", "quantity('50k').asInteger()", "50000"},
      Row{"a whole one that was written as a fraction", "quantity('1000m').isInteger()", "false"},
      Row{"a fraction of a large unit", "quantity('1.5Gi').isInteger()", "false"},
      Row{"a fraction of a decimal unit", "quantity('1.5k').asInteger()", "1500"},
      Row{"no integer", "quantity('1500m').asInteger()", "error cannot convert value to integer"},
      Row{"a sum that left 64 bits", "quantity('9223372036854775807').add(1).isInteger()", "false"},
      Row{"the least integer is subtracted as if it were added, as upstream does",
          "quantity('5').sub(-9223372036854775808).asInteger()", "-9223372036854775803"},
  });
}

TEST_CASE("the approximation has the bits of upstream's") {
  expect({
      Row{"a whole number", "quantity('2').asApproximateFloat() == 2.0", "true"},
      Row{"thousandths", "quantity('1500m').asApproximateFloat() == 1.5", "true"},
      Row{"beyond doubles", "quantity('1e400').asApproximateFloat() > 1.0e308", "true"},
      Row{"zero times infinity", "quantity('0e400').asApproximateFloat()", "NaN"},
      Row{"the cap", "quantity('9Ei').asApproximateFloat() == 9223372036854775807.0", "true"},
      Row{"a tenth, rounded, times three",
          "quantity('0.3').asApproximateFloat() == 0.30000000000000004", "true"},
  });
}

TEST_CASE("a quantity of a device is a value of CEL") {
  Scratch scratch;
  const Value memory = make_quantity(base::Quantity(80), scratch);
  CHECK(type_name(memory) == "kubernetes.Quantity");
  CHECK(equal(memory, parse_quantity("80", scratch)).is_true());
  CHECK(memory.as_opaque().text() == "80");
  CHECK(parse_quantity("80g", scratch).is_error());
}

}  // namespace
}  // namespace dra::cel::library_quantity_test
