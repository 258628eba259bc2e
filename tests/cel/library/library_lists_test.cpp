// tests/cel/library/library_lists_test.cpp

#include <doctest/doctest.h>

#include "tests/support/evaluate_cel.h"

namespace dra::cel::library_lists_test {
namespace {

using test::expect;
using test::expect_refused;
using test::Row;

TEST_CASE("lists are looked through") {
  expect({
      Row{"sorted", "[1, 2, 2].isSorted() && ![2, 1].isSorted()", "true"},
      Row{"the least and the greatest", "[3, 1, 2].min() + [3, 1, 2].max()", "4"},
      Row{"of none", "[].min()", "error min called on empty list"},
      Row{"the sum", "[1.5, 2.0].sum() == 3.5 && [].sum() == 0", "true"},
      Row{"a sum too great", "[9223372036854775807, 1].sum()", "error integer overflow"},
      Row{"a place", "['a', 'b', 'b'].indexOf('b')", "1"},
      Row{"the last place", "['a', 'b', 'b'].lastIndexOf('b')", "2"},
      Row{"no place", "['a'].indexOf('x')", "-1"},
      Row{"a member by value", "dyn([1, 2]).includes(2.0)", "true"},
      Row{"a value by itself", "dyn('a').includes('a')", "true"},
      Row{"the first, if any", "[1, 2].first().value() + [1, 2].last().value()", "3"},
      Row{"none", "[].first().hasValue()", "false"},
  });
}

TEST_CASE("lists are made of lists") {
  expect({
      Row{"a slice", "[1, 2, 3].slice(1, 3)", "[2,3]"},
      Row{"one too long", "[1, 2, 3].slice(1, 4)", "error cannot slice(1, 4), list is length 3"},
      Row{"one from behind", "[1, 2].slice(-1, 1)",
          "error cannot slice(-1, 1), negative indexes not supported"},
      Row{"flat by one", "[[1], [2, 3]].flatten()", "[1,2,3]"},
      Row{"flat all the way", "[dyn([1]), dyn([[2]])].flatten(5)", "[1,2]"},
      Row{"each once", "[dyn(1), dyn(1.0), dyn(2u), dyn(2)].distinct()", "[1,2u]"},
      Row{"the other way", "[1, 2].reverse()", "[2,1]"},
      Row{"a range", "lists.range(3)", "[0,1,2]"},
      Row{"a range too long", "lists.range(1000001)",
          "error lists.range: size 1000001 exceeds maximum allowed (1000000)"},
      Row{"in order", "['b', 'a', 'c'].sort()", "['a','b','c']"},
      Row{"in the order of something", "['bb', 'a', 'ccc'].sortBy(x, -x.size())",
          "['ccc','bb','a']"},
      Row{"in no order", "dyn([[1]]).sort()", "error list elements must be comparable"},
      Row{"of two kinds", "[dyn(1), dyn('a')].sort()",
          "error list elements must have the same type"},
  });
}

TEST_CASE("lists are sets") {
  expect({
      Row{"a part", "sets.contains([1, 2, 3], [3, 1]) && !sets.contains([1], [2])", "true"},
      Row{"the same", "sets.equivalent([1, 1, 2], [2, 1])", "true"},
      Row{"something in common", "sets.intersects([1, 2], [2, 3]) && !sets.intersects([1], [2])",
          "true"},
  });
}

}  // namespace
}  // namespace dra::cel::library_lists_test
