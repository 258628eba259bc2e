// tests/support/compile_cel.h
//
// Expressions about a device, compiled.

#pragma once

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <utility>

#include "dra/cel/check/checker.h"
#include "dra/cel/run/program.h"
#include "dra/cel/syntax/parser.h"
#include "tests/support/device_cel.h"

namespace dra::test {

// None if it does not compile.
inline std::optional<cel::Program> try_compile(const std::string& expression) {
  const cel::Environment& environment = device_environment();
  cel::Parsed parsed = cel::parse(cel::Source(expression), environment.macros());
  if (!parsed.ok()) return std::nullopt;
  cel::Checked checked = cel::check(std::move(parsed.ast), environment);
  if (!checked.ok()) return std::nullopt;
  Result<cel::Program> program = cel::Program::make(std::move(checked), environment);
  if (!program.ok()) return std::nullopt;
  return std::move(program).take();
}

inline cel::Program compile(const std::string& expression) {
  CAPTURE(expression);
  std::optional<cel::Program> program = try_compile(expression);
  REQUIRE(program.has_value());
  return *std::move(program);
}

}  // namespace dra::test
