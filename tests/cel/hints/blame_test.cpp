// tests/cel/hints/blame_test.cpp

#include "dra/cel/hints/blame.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/compile_cel.h"
#include "tests/support/random_cel.h"

namespace dra::cel::blame_test {
namespace {

const test::DeviceFacts kDevice{.driver = "a.io",
                                .attributes = {{"a.io",
                                                {{"arch", std::string("Ampere")},
                                                 {"index", std::int64_t{3}},
                                                 {"shared", false},
                                                 {"version", test::Version{"9.0.0"}}}},
                                               {"b.io", {{"root", std::string("pci0")}}}},
                                .capacity = {{"a.io", {{"memory", "81152Mi"}}}}};

std::string shown(const std::vector<Leaf>& leaves);

// "TEXT: FACT", with "{0: LEAVES; 2: LEAVES}" for elements.
std::string shown(const Leaf& leaf) {
  std::vector<std::string> elements;
  for (const BlamedElement& one : leaf.elements)
    elements.push_back(base::format("{}: {}", one.value.text, shown(one.leaves)));
  return base::format("{}{}: {}{}", leaf.wanted ? "" : "not ", leaf.text, leaf.fact,
                      elements.empty() ? "" : " {" + base::join(elements, "; ") + "}");
}

std::string shown(const std::vector<Leaf>& leaves) {
  std::vector<std::string> out;
  for (const Leaf& leaf : leaves)
    out.push_back(shown(leaf));
  return base::join(out, " | ");
}

Blame blame(const std::string& expression, const test::DeviceFacts& facts = kDevice) {
  CAPTURE(expression);
  const Program program = test::compile(expression);
  Scratch scratch;
  const Value device = test::device_value(facts, scratch);
  const Trace trace = cel::trace(program, {&device, 1});
  return blame_of(program, Source(expression), trace, program.checked().ast.root);
}

// DA and DC stand for the attributes and capacities of one domain.
std::string written_out(std::string text) {
  for (const auto& [word, meaning] :
       {std::pair<std::string, std::string>{"DA", R"(device.attributes["a.io"])"},
        {"DC", R"(device.capacity["a.io"])"}}) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
      text.replace(at, word.size(), meaning);
  }
  return text;
}

struct Case {
  const char* name;
  const char* expression;
  const char* want;
};

const Case kCases[] = {
    {"nothing is to blame where it holds", "DA.index == 3", ""},
    {"a comparison says what holds instead", "DA.arch == 'Hopper'",
     R"(DA.arch == 'Hopper': "Ampere" != "Hopper")"},
    {"all terms of && that do not hold", "DA.arch == 'Hopper' && DA.index < 4 && DA.index > 3",
     R"(DA.arch == 'Hopper': "Ampere" != "Hopper" | DA.index > 3: 3 <= 3)"},
    {"all terms of ||", "DA.arch == 'Hopper' || DA.index == 1",
     R"(DA.arch == 'Hopper': "Ampere" != "Hopper" | DA.index == 1: 3 != 1)"},
    {"below a negation what is true is to blame", "!(DA.index == 3 || DA.arch == 'x')",
     "not DA.index == 3: 3 == 3"},
    {"quantities by their order, in a form that can be read",
     "DC.memory.compareTo(quantity('80Gi')) >= 0",
     "DC.memory.compareTo(quantity('80Gi')) >= 0: 81152Mi (79.25Gi) < 80Gi"},
    {"however the order is asked for", "0 < DC.memory.compareTo(quantity('80Gi'))",
     "0 < DC.memory.compareTo(quantity('80Gi')): 81152Mi (79.25Gi) <= 80Gi"},
    {"or told", "DC.memory.compareTo(quantity('80Gi')) == 1",
     "DC.memory.compareTo(quantity('80Gi')) == 1: 81152Mi (79.25Gi) <= 80Gi"},
    {"versions, too", "DA.version.isGreaterThan(semver('10.0.0'))",
     "DA.version.isGreaterThan(semver('10.0.0')): 9.0.0 <= 10.0.0"},
    {"a flag stands for itself", "DA.shared", "DA.shared: false"},
    {"what is no truth", "DA.arch && true", R"(DA.arch: "Ampere" is of type string, not bool)"},
    {"something that is missing", "has(DA.cores)", "has(DA.cores): cores is missing"},
    {"something that should be", "!has(DA.arch)", "not has(DA.arch): arch is there"},
    {"membership of constants", "DA.arch in ['x', 'y']",
     R"(DA.arch in ['x', 'y']: "Ampere" is not in ['x', 'y'])"},
    {"membership of what is computed", "device.driver in [DA.arch + 'x']",
     R"(device.driver in [DA.arch + 'x']: "a.io" is not in ["Amperex"])"},
    {"a call", "DA.arch.startsWith('Ho')",
     R"(DA.arch.startsWith('Ho'): "Ampere".startsWith("Ho") is false)"},
    {"a missing attribute is the cause of what needs it", "DA.cores > 3",
     "DA.cores > 3: no such key: cores"},
    {"types are named where upstream does not", "DA.version == '9.0.0'",
     "DA.version == '9.0.0': no such overload: kubernetes.Semver == string"},
    {"the branch that was taken", "DA.shared ? DA.index == 1 : DA.arch == 'x'",
     R"(DA.arch == 'x': "Ampere" != "x")"},
    {"and the condition, if the other branch is right",
     "DA.shared ? DA.index == 3 : DA.arch == 'x'",
     R"(DA.shared: false | DA.arch == 'x': "Ampere" != "x")"},
    {"a condition that fails", "DA.cores == 1 ? true : false", "DA.cores == 1: no such key: cores"},
    {"what upstream does not survive, wherever it comes up",
     "DA.index == 3 ? (DA.version in ['x'] ? true : false) : true",
     "DA.version in ['x']: internal error: runtime error: hash of unhashable type cel.Semver"},
    {"the body of a binding", "cel.bind(a, DA, a.index == 1 && a.shared)",
     "a.index == 1: 3 != 1 | a.shared: false"},
    {"the first elements for which all() fails", "[1, 2, 3, 4, 5].all(x, x == DA.index && x > 0)",
     "[1, 2, 3, 4, 5].all(x, x == DA.index && x > 0): false for 4 of 5 "
     "{1: x == DA.index: 1 != 3; 2: x == DA.index: 2 != 3; 4: x == DA.index: 4 != 3}"},
    {"what exists() looked at", "['x', 'y'].exists(x, x == DA.arch)",
     "['x', 'y'].exists(x, x == DA.arch): true for none of 2 "
     R"({"x": x == DA.arch: "x" != "Ampere"; "y": x == DA.arch: "y" != "Ampere"})"},
    {"that it found something", "![1, 3].exists(x, x == DA.index)",
     "not [1, 3].exists(x, x == DA.index): true for 1 of 2 {3: not x == DA.index: 3 == 3}"},
    {"too many", "[3, 3].exists_one(x, x == DA.index)",
     "[3, 3].exists_one(x, x == DA.index): true for all 2 {3: not x == DA.index: 3 == 3}"},
    {"none at all", "[].exists(x, x == 1)", "[].exists(x, x == 1): there are no elements"},
    {"elements of maps", "DA.all(k, k < 'v')",
     R"(DA.all(k, k < 'v'): false for 1 of 4 {9.0.0: k < 'v': "version" >= "v"})"},
    {"errors within a fold, also late ones", "[1, 2, 4, 5, 0].exists(x, 10 / x == 1)",
     "[1, 2, 4, 5, 0].exists(x, 10 / x == 1): division by zero {1: 10 / x == 1: 10 != 1; 2: 10 / x "
     "== 1: 5 != 1; 4: 10 / x == 1: 2 != 1; 0: 10 / x == 1: division by zero}"},
    {"a range that fails", "DA.cores.exists(x, x == 1)",
     "DA.cores.exists(x, x == 1): no such key: cores"},
    {"folds in folds", "[1, 2].all(x, [3].exists(y, x == y))",
     "[1, 2].all(x, [3].exists(y, x == y)): false for all 2 {1: [3].exists(y, x == y): true for "
     "none "
     "of 1 {3: x == y: 1 != 3}; 2: [3].exists(y, x == y): true for none of 1 {3: x == y: 2 != 3}}"},
};

TEST_CASE("what is to blame") {
  for (const Case& row : kCases) {
    const std::string name = row.name;
    CAPTURE(name);
    CHECK(shown(blame(written_out(row.expression)).leaves) == written_out(row.want));
  }
}

const Case kIgnored[] = {
    {"an error that another term made up for", "DA.cores == 1 || DA.index == 3",
     "DA.cores == 1: no such key: cores"},
    {"or that another term left without effect", "DA.cores == 1 && DA.index == 1",
     "DA.cores == 1: no such key: cores"},
    {"what a guard kept from failing did not fail", "has(DA.cores) && DA.cores == 1", ""},
    {"what is no truth, too", "DA.arch || DA.index == 3",
     R"(DA.arch: "Ampere" is of type string, not bool)"},
    {"errors deep in what holds", "DA.index == 3 && !(DA.cores == 1 && false)",
     "DA.cores == 1: no such key: cores"},
    {"errors of elements", "[0, 1].all(x, 1 / x == 0)", "1 / x == 0: division by zero"},
    {"what decides is not ignored", "DA.cores == 1 && DA.index == 3", ""},
};

TEST_CASE("errors that did not matter") {
  for (const Case& row : kIgnored) {
    const std::string name = row.name;
    CAPTURE(name);
    CHECK(shown(blame(written_out(row.expression)).ignored) == written_out(row.want));
  }
}

TEST_CASE("a leaf has its parts") {
  const std::string expression =
      written_out("true && DC.memory.compareTo(quantity('80Gi')) >= 0 && DA.cores + 1 > 2");
  const Blame found = blame(expression);
  REQUIRE(found.leaves.size() == 1);
  const Leaf& leaf = found.leaves[0];
  CHECK(leaf.name == ">=");
  CHECK(leaf.wanted);
  REQUIRE(leaf.sides.size() == 2);
  CHECK(leaf.sides[0].text == written_out("DC.memory"));
  CHECK(leaf.sides[0].value.readable == "79.25Gi");
  CHECK(leaf.sides[1].text == "quantity('80Gi')");
  CHECK(leaf.sides[1].value.text == "80Gi");

  const std::string failing = written_out("DA.cores + 1 > 2");
  const Blame error = blame(failing);
  REQUIRE(error.leaves.size() == 1);
  CHECK(Source(failing).text_of(error.leaves[0].cause) == written_out("DA.cores"));
}

// Something is to blame for whatever does not hold, and nothing for what does.
TEST_CASE("blame is complete") {
  int blamed = 0;
  for (std::uint64_t seed = 0; seed < 700; ++seed) {
    test::RandomCel random(seed);
    const std::string expression = random.condition(4);
    const auto program = test::try_compile(expression);
    if (!program) continue;
    CAPTURE(expression);
    Scratch scratch;
    const Value device = test::device_value(random.device(), scratch);
    const Trace trace = cel::trace(*program, {&device, 1});
    const Blame found = blame_of(*program, Source(expression), trace, program->checked().ast.root);
    CHECK(found.leaves.empty() == trace.answer.truth);
    for (const Leaf& leaf : found.leaves) {
      CHECK(!leaf.fact.empty());
      CHECK((leaf.value.kind != ValueKind::Bool || leaf.value.truth != leaf.wanted));
    }
    blamed += found.leaves.empty() ? 0 : 1;
  }
  CHECK(blamed > 150);
}

}  // namespace
}  // namespace dra::cel::blame_test
