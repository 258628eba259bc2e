// tests/support/evaluate_cel.h
//
// Expressions of CEL without variables, evaluated.

#pragma once

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>

#include "dra/cel/check/checker.h"
#include "dra/cel/run/program.h"
#include "dra/cel/syntax/parser.h"
#include "tests/support/show_cel.h"

namespace dra::test {

// The value as show() writes it, or "refused" if the expression does not compile.
inline std::string evaluated(const std::string& expression) {
  const cel::Environment environment;
  cel::Parsed parsed = cel::parse(cel::Source(expression), environment.macros());
  if (!parsed.ok()) return "refused";
  cel::Checked checked = cel::check(std::move(parsed.ast), environment);
  if (!checked.ok()) return "refused";
  const Result<cel::Program> program = cel::Program::make(std::move(checked), environment);
  if (!program.ok()) return "refused";
  cel::Run run;
  return show(program.value().evaluate({}, run));
}

// What is said of an expression that cannot be evaluated at all: its first issue, or which of its
// constant parts fails.
inline std::string refusal(const std::string& expression) {
  const cel::Environment environment;
  cel::Parsed parsed = cel::parse(cel::Source(expression), environment.macros());
  if (!parsed.ok()) return parsed.issues.front().message;
  cel::Checked checked = cel::check(std::move(parsed.ast), environment);
  if (!checked.ok()) return checked.issues.front().message;
  const Result<cel::Program> program = cel::Program::make(std::move(checked), environment);
  return program.ok() ? "" : program.error().message;
}

// A row of a table: what is said, an expression, and what it gives.
struct Row {
  std::string sentence;
  std::string expression;
  std::string want;
};

inline void expect_refused(std::initializer_list<Row> rows) {
  for (const Row& row : rows) {
    CAPTURE(row.sentence);
    CAPTURE(row.expression);
    CHECK(refusal(row.expression) == row.want);
  }
}

inline void expect(std::initializer_list<Row> rows) {
  for (const Row& row : rows) {
    CAPTURE(row.sentence);
    CAPTURE(row.expression);
    CHECK(evaluated(row.expression) == row.want);
  }
}

}  // namespace dra::test
