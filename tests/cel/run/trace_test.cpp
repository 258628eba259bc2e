// tests/cel/run/trace_test.cpp

#include "dra/cel/run/trace.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/compile_cel.h"
#include "tests/support/random_cel.h"
#include "tests/support/show_cel.h"

namespace dra::cel::trace_test {
namespace {

Trace traced(const Program& program, const test::DeviceFacts& facts = {},
             const TraceLimits& limits = {}) {
  Scratch scratch;
  const Value device = test::device_value(facts, scratch);
  return trace(program, {&device, 1}, limits);
}

// Of all nodes outside folds that stand in the text: "a == 1: true" each, with "*" behind what was
// not reached.
std::string shown(const std::string& expression, const test::DeviceFacts& facts) {
  const Program program = test::compile(expression);
  const Source source(expression);
  const Trace trace = traced(program, facts);
  std::vector<std::string> out;
  for (const auto& [node, value] : trace.root.values) {
    const Node& one = program.checked().ast[node];
    const bool of_interest = one.kind != NodeKind::Literal && one.kind != NodeKind::Ident;
    if (!of_interest || (one.generated && !one.presence && one.kind != NodeKind::Fold)) continue;
    out.push_back(
        base::format("{}: {}{}", source.text_of(one.span), value.text, value.reached ? "" : "*"));
  }
  return base::join(out, "; ");
}

const test::DeviceFacts kDevice{
    .driver = "a.io",
    .attributes = {{"a.io", {{"p", std::string("x")}, {"q", std::int64_t{3}}}}},
    .capacity = {{"a.io", {{"memory", "81152Mi"}}}}};

struct Case {
  const char* name;
  const char* expression;
  const char* want;
};

const Case kCases[] = {
    {"every part is evaluated, also behind what decides",
     R"(device.driver == "b.io" && device.attributes["a.io"].q == 3)",
     R"(device.driver: "a.io"; device.driver == "b.io": false; device.attributes: {1 entry}*; )"
     R"(device.attributes["a.io"]: {2 entries}*; device.attributes["a.io"].q: 3*; )"
     R"(device.attributes["a.io"].q == 3: true*; )"
     R"(device.driver == "b.io" && device.attributes["a.io"].q == 3: false)"},
    {"both branches of a choice", R"(device.driver == "a.io" ? 1 < 2 : device.driver < "b")",
     R"(device.driver: "a.io"; device.driver == "a.io": true; 1 < 2: true; device.driver: "a.io"*; )"
     R"(device.driver < "b": true*; )"
     R"(device.driver == "a.io" ? 1 < 2 : device.driver < "b": true)"},
    {"an error stays with what failed", R"(true || device.attributes["a.io"].r == 3)",
     R"(device.attributes: {1 entry}*; device.attributes["a.io"]: {2 entries}*; )"
     R"(device.attributes["a.io"].r: no such key: r*; )"
     R"(device.attributes["a.io"].r == 3: no such key: r*; )"
     R"(true || device.attributes["a.io"].r == 3: true)"},
};

TEST_CASE("values of nodes") {
  for (const Case& row : kCases) {
    const std::string name = row.name;
    CAPTURE(name);
    CHECK(shown(row.expression, kDevice) == std::string(row.want));
  }
}

TEST_CASE("quantities have another form") {
  const Program program = test::compile(R"(device.capacity["a.io"].memory == quantity("80Gi"))");
  const Node& root = program.checked().ast[program.checked().ast.root];
  const Trace trace = traced(program, kDevice);
  const Seen& left = trace.root.values.at(root.args[0]);
  CHECK(left.text == "81152Mi");
  CHECK(left.readable == "79.25Gi");
  CHECK(left.type_name == "kubernetes.Quantity");
}

// "3 true, 1 false, 0 errors; not true: 2 [3]; true: 0 [1]", with indices and elements.
std::string shown(const SeenFold& fold) {
  const auto elements = [](const std::vector<SeenElement>& kept) {
    std::vector<std::string> out;
    for (const SeenElement& one : kept)
      out.push_back(base::format("{} [{}{}]", one.index,
                                 one.key.text.empty() ? "" : one.key.text + ": ", one.value.text));
    return base::join(out, ", ");
  };
  return base::format("{} true, {} false, {} errors; not true: {}; true: {}", fold.truths,
                      fold.falses, fold.errors, elements(fold.not_true), elements(fold.first_true));
}

std::string fold_of(const std::string& expression) {
  const Program program = test::compile(expression);
  const Trace trace = traced(program, kDevice);
  REQUIRE(trace.complete);
  REQUIRE(trace.root.folds.size() == 1);
  return shown(trace.root.folds.begin()->second);
}

const Case kFolds[] = {
    {"of what is not true the first three, of what is true the first one",
     "[1, 2, 3, 4, 5, 6].exists(x, x > 4)",
     "2 true, 4 false, 0 errors; not true: 0 [1], 1 [2], 2 [3]; true: 4 [5]"},
    {"all() goes on behind the first that fails", "[1, 2, 3].all(x, x == 1)",
     "1 true, 2 false, 0 errors; not true: 1 [2], 2 [3]; true: 0 [1]"},
    {"errors are not true", "[0, 1].exists(x, 1 / x == 1)",
     "1 true, 0 false, 1 errors; not true: 0 [0]; true: 1 [1]"},
    {"filter() has a condition", "[1, 2].filter(x, x > 1).size() == 1",
     "1 true, 1 false, 0 errors; not true: 0 [1]; true: 1 [2]"},
    {"map() has none", "[1, 0].map(x, 1 / x).size() == 1",
     "1 true, 0 false, 1 errors; not true: 1 [0]; true: 0 [1]"},
    {"elements of maps have keys", R"(device.attributes["a.io"].exists(k, v, v == 3))",
     R"(1 true, 1 false, 0 errors; not true: 0 ["p": "x"]; true: 1 ["q": 3])"},
};

TEST_CASE("folds") {
  for (const Case& row : kFolds) {
    const std::string name = row.name;
    CAPTURE(name);
    CHECK(fold_of(row.expression) == std::string(row.want));
  }
}

TEST_CASE("values within a fold are those of each element") {
  const std::string expression = "[1, 2].all(x, [3, 4].exists(y, x + y == 9))";
  const Program program = test::compile(expression);
  const Trace trace = traced(program);
  const SeenFold& outer = trace.root.folds.begin()->second;
  REQUIRE(outer.not_true.size() == 2);
  const SeenFold& inner = outer.not_true[1].inside.folds.begin()->second;
  CHECK(shown(inner) == "0 true, 2 false, 0 errors; not true: 0 [3], 1 [4]; true: ");
  std::vector<std::string> sums;
  for (const auto& [node, value] : inner.not_true[1].inside.values) {
    if (program.checked().ast[node].name == op::kAdd) sums.push_back(value.text);
  }
  CHECK(base::join(sums, " ") == "6");
  CHECK(outer.not_true[0].outcome.reached);
  CHECK(!inner.not_true[1].outcome.reached);
}

TEST_CASE("nested folds end the tracing, not the answer") {
  std::string expression = "x9 > 100";
  for (int i = 9; i > 0; --i)
    expression = base::format("[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(x{}, {})", i, expression);
  const Program program = test::compile(expression);
  const Trace trace = traced(program);
  CHECK(!trace.complete);
  CHECK(trace.answer.text == "false");
  CHECK(trace.root.values.at(program.checked().ast.root).is_false());
  CHECK(!trace.root.folds.empty());
}

TEST_CASE("what upstream does not survive ends the tracing, too") {
  const test::DeviceFacts facts{.attributes = {{"a.io", {{"v", test::Version{"1.0.0"}}}}}};
  const std::string set = R"(device.attributes["a.io"].v in ["1.0.0"])";
  const Trace unreached = traced(test::compile("true || " + set), facts);
  CHECK(unreached.answer.text == "true");
  CHECK(!unreached.complete);
  const Trace reached = traced(test::compile("true && " + set), facts);
  CHECK(reached.answer.text == "internal error: runtime error: hash of unhashable type cel.Semver");
}

TEST_CASE("a list that changes when it is added to is not traced further than the answer went") {
  const Trace trace =
      traced(test::compile("cel.bind(l, [], (l == [] || l + [1] == [1]) && size(l) == 0)"));
  CHECK(trace.answer.text == "true");
  CHECK(!trace.complete);
}

TEST_CASE("an answer that costs too much has a trace as far as it went") {
  const Program program = test::compile("[1, 2, 3].all(x, x > 0) && device.driver == \"\"");
  const Trace trace = traced(program, {}, {.answer = 5});
  CHECK(trace.answer.text == "operation cancelled: actual cost limit exceeded");
  CHECK(!trace.complete);
}

TEST_CASE("going through everything changes neither result nor, being faithful, cost") {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 700; ++seed) {
    test::RandomCel random(seed);
    const std::string expression = random.condition(4);
    const auto program = test::try_compile(expression);
    if (!program) continue;
    CAPTURE(expression);
    Scratch scratch;
    const Value device = test::device_value(random.device(), scratch);
    Run plain;
    const std::string want = test::show(program->evaluate({&device, 1}, plain));

    Run faithful;
    faithful.faithful = true;
    faithful.observer = [](NodeId, const Value&) {};
    CHECK(test::show(program->evaluate({&device, 1}, faithful)) == want);
    CHECK(faithful.cost == plain.cost);

    Run exhaustive;
    exhaustive.observer = faithful.observer;
    const std::string whole = test::show(program->evaluate({&device, 1}, exhaustive));
    const Trace trace = cel::trace(*program, {&device, 1});
    CHECK(trace.cost == plain.cost);
    CHECK(trace.complete == exhaustive.stopped.empty());
    if (!exhaustive.stopped.empty()) continue;
    CHECK(whole == want);
    ++compared;
  }
  CHECK(compared > 150);
}

}  // namespace
}  // namespace dra::cel::trace_test
