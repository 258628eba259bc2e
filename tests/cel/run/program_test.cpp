// tests/cel/run/program_test.cpp
//
// How programs are made; what they give is in the tests of the libraries.

#include "dra/cel/run/program.h"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/support/evaluate_cel.h"

namespace dra::cel::program_test {
namespace {

// "(true ? {0: 0} : {})[(true ? {0: 0} : {})[...[0]]]"
std::string nested_keys(int depth) {
  std::string out = "dyn(0)";
  for (int i = 0; i < depth; ++i)
    out = "(true ? {0: 0} : {})[" + out + "]";
  return out;
}

// Each branch has the key of its own in upstream's plan, too, but it is the same one: a plan is not
// larger than the expression.
TEST_CASE("branches of a choice share what they are indexed with") {
  test::expect({
      {"once", nested_keys(1), "0"},
      {"a hundred times, one in the other", nested_keys(100), "0"},
  });
}

TEST_CASE("the first problem of a plan is told, whatever stands around it") {
  test::expect_refused({
      {"where a set would be made", "'a' in dyn('b').findAll('a**')",
       "error parsing regexp: invalid nested repetition operator: `**`"},
  });
}

// The nodes that an observer sees, once for each time.
std::vector<NodeId> seen(const std::string& expression) {
  CAPTURE(expression);
  const Environment environment;
  Checked checked = check(parse(Source(expression)).ast, environment);
  REQUIRE(checked.ok());
  const auto program = Program::make(std::move(checked), environment);
  REQUIRE(program.ok());
  std::vector<NodeId> nodes;
  Run run;
  run.observer = [&nodes](NodeId node, const Value&) { nodes.push_back(node); };
  static_cast<void>(program.value().evaluate({}, run));
  return nodes;
}

TEST_CASE("an observer sees both branches of a choice, but not both branches of each in each") {
  const auto distinct = [](const std::vector<NodeId>& nodes) {
    return std::set<NodeId>(nodes.begin(), nodes.end()).size();
  };
  CHECK(distinct(seen("true ? 1 : 2")) == 4);
  CHECK(distinct(seen("false && true || true")) == 5);
  CHECK(seen(nested_keys(100)).size() < 40'000);
}

}  // namespace
}  // namespace dra::cel::program_test
