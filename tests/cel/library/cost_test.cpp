// tests/cel/library/cost_test.cpp
//
// What evaluations cost. Figures are those of the scheduler of Kubernetes 1.37; generated
// expressions are compared with it in tests/differential/cel.

#include <doctest/doctest.h>

#include <string>

#include "dra/cel/run/program.h"
#include "dra/cel/syntax/parser.h"

namespace dra::cel::cost_test {
namespace {

struct Outcome {
  std::uint64_t cost;
  std::string error;  // empty if there is none
};

Outcome run(const std::string& expression, std::uint64_t limit = kNoCostLimit) {
  CAPTURE(expression);
  const Environment environment;
  Parsed parsed = parse(Source(expression), environment.macros());
  REQUIRE(parsed.ok());
  Checked checked = check(std::move(parsed.ast), environment);
  REQUIRE(checked.ok());
  const auto program = Program::make(std::move(checked), environment);
  REQUIRE(program.ok());
  Run run;
  run.cost_limit = limit;
  const Value value = program.value().evaluate({}, run);
  return {run.cost, value.is_error() ? std::string(value.text()) : std::string()};
}

struct Case {
  const char* name;
  const char* expression;
  std::uint64_t cost;
};

const Case kCosts[] = {
    {"a list of constants is made beforehand", "size([1, 2, 3])", 1},
    {"one with something to compute is made each time", "size([1 + 1])", 12},
    {"a map costs more", "size({'a': 1 + 1})", 32},
    {"texts are compared as far as the shorter goes", "'abcdefghijklm' == 'abcdefghijklmn'", 2},
    {"characters count, not bytes", "'éééééééééé' < 'zzzzzzzzzzzzzz'", 1},
    {"wherever they are of more bytes", "'abcdefghié' < 'zzzzzzzzzzzzzz'", 1},
    {"in a long text, too", "'abcdefghiéklmnopqrst' < 'zzzzzzzzzzzzzzzzzzzzzzzz'", 2},
    {"both texts are copied", "'abcdefghij' + 'klmnopqrst'", 2},
    {"a pattern is multiplied by what is searched", "'abcdefghij'.matches('[a-z]+[a-z]')", 6},
    {"membership of constants is a look-up", "1 in [1, 2, 3]", 0},
    {"membership of others goes through the list", "1 in [1 + 1, 3]", 13},
    {"a ternary costs its condition and the branch taken", "1 < 2 ? 1 + 1 : 1 + 1 + 1", 2},
    {"a term that decides ends a chain", "1 < 2 || 1 + 1 == 2", 1},
    {"a fold ends with the element that decides", "[1, 2, 3].exists(x, x == 1)", 10},
    {"a bound value is computed when it is needed", "cel.bind(x, 1 + 1, true)", 0},
    {"and once", "cel.bind(x, 1 + 1, x == x)", 4},
    {"sorting compares each with each", "[3, 1, 2].sort()", 29},
    {"texts are dearer to sort", "['b', 'a'].sort()", 19},
    {"reading a quantity goes through its text", "quantity('1234567890123').isInteger()", 3},
    {"sets are compared each with each, both ways", "sets.equivalent([1, 2], [2, 1])", 9},
    {"quantities are equal in one step", "quantity('1') == quantity('1')", 3},
};

TEST_CASE("costs of evaluations") {
  for (const Case& row : kCosts) {
    const std::string name = row.name;
    CAPTURE(name);
    const Outcome outcome = run(row.expression);
    CHECK(outcome.cost == row.cost);
    CHECK(outcome.error == "");
  }
}

TEST_CASE("a failed call is paid for if all its arguments were evaluated") {
  CHECK(run("int('x' + 'y') + 1").cost == 3);
  CHECK(run("'%s'.format([1 / 0])").cost == 12);
}

TEST_CASE("the limit ends an evaluation whatever would absorb the error") {
  const Outcome outcome = run("lists.range(100).all(x, x >= 0) || true", 50);
  CHECK(outcome.error == "operation cancelled: actual cost limit exceeded");
  CHECK(outcome.cost == 111);
}

TEST_CASE("so does what upstream cannot count") {
  const Outcome outcome = run("dyn('a').distinct() == [] || true");
  CHECK(outcome.error ==
        "internal error: interface conversion: types.String is not traits.Lister: missing method "
        "Contains");
}

}  // namespace
}  // namespace dra::cel::cost_test
