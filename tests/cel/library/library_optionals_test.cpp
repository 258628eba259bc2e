// tests/cel/library/library_optionals_test.cpp

#include <doctest/doctest.h>

#include "tests/support/evaluate_cel.h"

namespace dra::cel::library_optionals_test {
namespace {

using test::expect;
using test::expect_refused;
using test::Row;

TEST_CASE("optionals have a value or none") {
  expect({
      Row{"one", "optional.of(1)", "optional 1"},
      Row{"none", "optional.none()", "none"},
      Row{"zero is none", "optional.ofNonZeroValue('')", "none"},
      Row{"its value", "optional.of(1).value()", "1"},
      Row{"the value of none", "optional.none().value()", "error optional.none() dereference"},
      Row{"the other", "optional.none().or(optional.of(2)).orValue(3)", "2"},
      Row{"the last resort", "optional.none().orValue(3)", "3"},
      Row{"what is not needed is not evaluated", "optional.of(1).orValue(1 / 0)", "1"},
      Row{"only those that are there", "optional.unwrap([optional.of(1), optional.none()])", "[1]"},
      Row{"the same as a method", "[optional.of(1), optional.none()].unwrapOpt()", "[1]"},
      Row{"of a name between backquotes", "{'a-b': 1}.?`a-b`.orValue({'c/d': 2}.`c/d`)", "1"},
      Row{"a type of Kubernetes' is not compared with null",
          "optional.of(dyn(semver('1.2.3'))) == optional.of(null)", "error no such overload"},
      Row{"no optional", "dyn([1]).unwrapOpt()", "error no such overload: unwrapOpt(list)"},
  });
}

TEST_CASE("maps are made of maps") {
  expect({
      Row{"of keys and values", "{'a': 1}.transformMap(k, v, v + 1)", "{'a':2}"},
      Row{"of entries", "{'a': 1}.transformMapEntry(k, v, {v: k})", "{1:'a'}"},
      Row{"with a key twice", "['a', 'a'].transformMapEntry(i, v, {v: i})",
          "error insert failed: key a already exists"},
  });
}

// optMap() evaluates what it is called on twice, so chains of it double.
TEST_CASE("a long chain of optMap() is refused, not expanded for ever") {
  std::string chain = "optional.of(1)";
  for (int i = 0; i < 60; ++i)
    chain += ".optMap(a, a)";
  CHECK(test::refusal(chain) == "its macros expand to more than 300000 parts");
}

}  // namespace
}  // namespace dra::cel::library_optionals_test
