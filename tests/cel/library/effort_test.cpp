// tests/cel/library/effort_test.cpp
//
// Expressions that cost little and would take minutes, or all memory.

#include <doctest/doctest.h>

#include <string>

#include "tests/support/evaluate_cel.h"

namespace dra::cel::effort_test {
namespace {

const std::string kGivenUp = "error operation cancelled: it takes far more than it costs";

// `body` where x is a list of lists of lists: a hundred numbers in ten million places.
std::string with_nested_lists(const std::string& body) {
  std::string out = "lists.range(100)";
  for (int i = 0; i < 6; ++i)
    out = "cel.bind(x, " + out + ", [x, x, x, x, x, x, x, x, x, x])";
  return "cel.bind(x, " + out + ", " + body + ")";
}

// `body` where x is a text of a hundred thousand letters.
std::string with_long_text(const std::string& body) {
  const std::string hundred(100, 'a');
  const std::string ten(10, 'a');
  return "cel.bind(x, '" + hundred + "'.replace('a', '" + hundred + "').replace('a', '" + ten +
         "'), " + body + ")";
}

TEST_CASE("an evaluation that takes far more than it costs is given up") {
  test::expect({
      {"a list that is in many places is compared in each", with_nested_lists("x == x"), kGivenUp},
      {"also as an element", with_nested_lists("x in [x, x]"), kGivenUp},
      {"also to find its place", with_nested_lists("[[], x].indexOf(x)"), kGivenUp},
      {"it is flattened", with_nested_lists("x.flatten(9).size()"), kGivenUp},
      {"it is written", with_nested_lists("'%s'.format([x])"), kGivenUp},
      {"each element is compared with each", "lists.range(20000).distinct().size()", kGivenUp},
      {"in sets, too", "sets.contains(lists.range(20000), lists.range(20000))", kGivenUp},
      {"a text replaces each letter of a text", with_long_text("x.replace('a', x).size()"),
       kGivenUp},
      {"a text stands between all elements", with_long_text("x.split('').join(x).size()"),
       kGivenUp},
      {"each match is looked for up to the end", with_long_text("x.findAll('a(.*b)?').size()"),
       kGivenUp},
      {"patterns become large", "['a'].exists(x, x.matches(x + '(\\\\pL{900})+'))", kGivenUp},
      {"a list of more elements than there is memory for",
       "cel.bind(x, lists.range(1000000), cel.bind(x, x+x+x+x+x+x+x+x, x+x+x+x+x+x+x+x)).reverse() "
       "== []",
       kGivenUp},
  });
}

TEST_CASE("what is dear is not given up") {
  test::expect({
      {"large texts are compared", with_long_text("x + 'b' == x + 'b'"), "true"},
      {"long lists are", "lists.range(100000) == lists.range(100000)", "true"},
      {"large texts are looked through", with_long_text("x.matches('^a+$') && x.contains('aaa')"),
       "true"},
      {"patterns are made anew for many elements",
       "lists.range(2000).all(i, 'a'.matches('^[a-z]{1,9}$|' + string(i)))", "true"},
      {"a set of constants is looked up, not gone through",
       "lists.range(100000).all(i, !(i in [-1, -2, -3, -4, -5, -6, -7, -8, -9, -10]))", "true"},
  });
}

TEST_CASE("a constant pattern that becomes too large is refused") {
  test::expect_refused({
      {"one pattern", "'a'.matches('[\\\\pL\\\\pN]{900}')", "invalid matches argument"},
  });
}

}  // namespace
}  // namespace dra::cel::effort_test
