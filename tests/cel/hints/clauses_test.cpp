// tests/cel/hints/clauses_test.cpp

#include "dra/cel/hints/clauses.h"

#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <string>

#include "dra/base/text.h"
#include "tests/support/compile_cel.h"
#include "tests/support/random_cel.h"
#include "tests/support/show_cel.h"

namespace dra::cel::clauses_test {
namespace {

// "a == 1 | !(b) where b = c"
std::string shown(const std::string& expression) {
  const Source source(expression);
  const Parsed parsed = parse(source);
  REQUIRE(parsed.ok());
  std::vector<std::string> out;
  for (const Clause& clause : clauses_of(parsed.ast, source)) {
    std::vector<std::string> where;
    for (const Binding& binding : clause.where)
      where.push_back(binding.name + " = " + binding.text);
    out.push_back(clause.text + (where.empty() ? "" : " where " + base::join(where, ", ")));
  }
  return base::join(out, " | ");
}

struct Case {
  const char* name;
  const char* expression;
  const char* want;
};

const Case kCases[] = {
    {"a single condition is a clause", "a == 1", "a == 1"},
    {"terms of && are clauses, in their order, whatever the parentheses",
     "a && (b && c) && (d || e)", "a | b | c | d || e"},
    {"a negated || is a clause for each term", "!(a || b == 1)", "!(a) | !(b == 1)"},
    {"also within others", "a && !(b || !(c && d))", "a | !(b) | c | d"},
    {"a negated && is one clause", "!(a && b)", "!(a && b)"},
    {"what is negated is negated", "!a && !has(b.c)", "!a | !has(b.c)"},
    {"a negation is undone", "!(!(a && b))", "a | b"},
    {"a bound path stands where its name stood",
     "cel.bind(m, device.attributes[\"a.io\"], m.p == 1 && has(m.q))",
     "device.attributes[\"a.io\"].p == 1 | has(device.attributes[\"a.io\"].q)"},
    {"names in what is bound are replaced, too", "cel.bind(x, a.b, cel.bind(y, x.c, y == x.d))",
     "a.b.c == a.b.d"},
    {"a bound computation keeps its name", "cel.bind(n, size(a) + 1, n > 3 && b)",
     "n > 3 where n = size(a) + 1 | b"},
    {"so does what is too long for a line",
     "cel.bind(x, a.very.very.very.very.very.long.path.into.many.fields.of.a.device, x == 1)",
     "x == 1 where x = a.very.very.very.very.very.long.path.into.many.fields.of.a.device"},
    {"bindings that need each other",
     "cel.bind(n, size(a), cel.bind(m, n + 1, m > 3)) && cel.bind(n, b, n == 1)",
     "m > 3 where m = n + 1 | b == 1"},
    {"a macro's variable of the same name is not the bound one",
     "cel.bind(x, a.b, c.all(x, x == 1) && x == 2)", "c.all(x, x == 1) | a.b == 2"},
    {"a name that would mean something else is kept", "cel.bind(x, a.b, c.all(a, a == x))",
     "c.all(a, a == x) where x = a.b"},
    {"within a term cel.bind() is as it is written", "cel.bind(x, a, x) || b",
     "cel.bind(x, a, x) || b"},
    {"a negated cel.bind() is seen through", "!cel.bind(x, a.b, x == 1 || x == 2)",
     "!(a.b == 1) | !(a.b == 2)"},
    {"texts are on one line, without comments",
     "// only these\n  a == 1 // one\n\n && b[\n   \"c\"\n ]\n  .all(\n  x, x  > 1\n)",
     "a == 1 | b[\"c\"].all(x, x > 1)"},
    {"also strings of many lines", "a == '''b\nc'''", "a == '''b\\nc'''"},
    {"parentheses are kept where they mean something", "(a || b) == (c || d)",
     "(a || b) == (c || d)"},
    {"characters are not bytes", "a == \"é\" && b == \"ö\"", "a == \"é\" | b == \"ö\""},
    {"calls of what may be missing are one term", "a.?b.optMap(v, v == 1).orValue(false) && c",
     "a.?b.optMap(v, v == 1).orValue(false) | c"},
};

TEST_CASE("clauses") {
  for (const Case& row : kCases) {
    const std::string name = row.name;
    CAPTURE(name);
    CHECK(shown(row.expression) == std::string(row.want));
  }
}

TEST_CASE("spans are those of what decides") {
  const Source source("a && !(b || c == 1)");
  const auto clauses = clauses_of(parse(source).ast, source);
  REQUIRE(clauses.size() == 3);
  CHECK(source.text_of(clauses[1].span) == "b");
  CHECK(clauses[1].negated);
  CHECK(source.text_of(clauses[2].span) == "c == 1");
}

Value negated(const Value& value) {
  if (value.is_error()) return value;
  return value.is(ValueKind::Bool) ? Value::boolean(!value.as_bool()) : no_such_overload();
}

// As && puts clauses together.
std::string conjunction(const std::vector<Clause>& clauses, const std::map<NodeId, Value>& values) {
  std::optional<Value> error;
  for (const Clause& clause : clauses) {
    const Value value = clause.negated ? negated(values.at(clause.node)) : values.at(clause.node);
    if (clauses.size() == 1) return test::show(value);
    if (value.is_false()) return "false";
    if (!value.is_true() && !error) error = value.is_error() ? value : no_such_overload();
  }
  return error ? test::show(*error) : "true";
}

TEST_CASE("clauses together are the expression") {
  int several = 0;
  for (std::uint64_t seed = 0; seed < 700; ++seed) {
    test::RandomCel random(seed);
    const std::string expression = random.chance(3)
                                       ? random.condition(4)
                                       : base::format("({}) && !({} || {})", random.condition(),
                                                      random.condition(1), random.condition(1));
    const auto program = test::try_compile(expression);
    if (!program) continue;
    const auto clauses = clauses_of(program->checked().ast, Source(expression));
    several += clauses.size() > 2 ? 1 : 0;
    Scratch scratch;
    const Value device = test::device_value(random.device(), scratch);
    std::map<NodeId, Value> values;
    Run run;
    run.observer = [&values](NodeId node, const Value& value) { values[node] = value; };
    const Value whole = program->evaluate({&device, 1}, run);
    if (!run.stopped.empty()) continue;
    CAPTURE(expression);
    CHECK(conjunction(clauses, values) == test::show(whole));
  }
  CHECK(several > 150);
}

}  // namespace
}  // namespace dra::cel::clauses_test
