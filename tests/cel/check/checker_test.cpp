// tests/cel/check/checker_test.cpp
//
// What generated expressions, which tests/differential/cel compares with upstream's checker, seldom
// say.

#include "dra/cel/check/checker.h"

#include <doctest/doctest.h>

#include "tests/support/evaluate_cel.h"

namespace dra::cel::checker_test {
namespace {

TEST_CASE("names that operators once had are no functions") {
  test::expect_refused({
      {"of `in`", "_in_(1, [1])", "undeclared reference to '_in_' (in container '')"},
      {"of what macros become", "__not_strictly_false__(true)",
       "undeclared reference to '__not_strictly_false__' (in container '')"},
  });
}

}  // namespace
}  // namespace dra::cel::checker_test
