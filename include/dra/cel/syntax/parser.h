// include/dra/cel/syntax/parser.h
//
// From text to tree: the grammar of CEL and its macros. Upstream: cel-go parser (CEL.g4, parser.go,
// macro.go), ext/comprehensions.go, ext/lists.go, ext/bindings.go.
//
// Issues found after the grammar was satisfied (reserved words, numbers out of range, misused
// macros) have upstream's words; syntax errors have upstream's place and our own words. The first
// syntax error ends parsing. Text that is not UTF-8, which no API server ever sees, is refused.

#pragma once

#include <vector>

#include "dra/cel/syntax/ast.h"
#include "dra/cel/syntax/source.h"

namespace dra::cel {

// Macros that came with some release; the others are always there.
struct Macros {
  bool two_variables = true;  // all, exists, existsOne, transform... (k, v, ...): 1.32
  bool sort_by = true;        // 1.34
};

struct Parsed {
  Ast ast;
  std::vector<Issue> issues = {};  // if there are any, the tree is not usable

  bool ok() const { return issues.empty(); }
};

// Longer expressions are refused; Kubernetes stops at 10,240 bytes before.
inline constexpr std::uint32_t kMaxCodePoints = 100'000;
inline constexpr std::uint32_t kMaxRecursion = 250;
// Macros may double what they stand for, again and again. Upstream has no limit but time; what is
// beyond this one costs too much to be stored there.
inline constexpr std::size_t kMaxNodes = 300'000;

Parsed parse(const Source& source, const Macros& macros = {});

}  // namespace dra::cel
