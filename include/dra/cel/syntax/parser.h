// include/dra/cel/syntax/parser.h
//
// Parses the grammar of CEL and expands its macros. Upstream: cel-go parser (CEL.g4, parser.go,
// macro.go), ext/comprehensions.go, ext/lists.go, ext/bindings.go.
//
// Issues beyond the grammar (reserved words, numbers out of range, misused macros) have upstream's
// messages; syntax errors have upstream's position and our own messages. Parsing stops at the first
// syntax error. Text that is not UTF-8, which never reaches an API server, is an error.

#pragma once

#include <vector>

#include "dra/cel/syntax/ast.h"
#include "dra/cel/syntax/source.h"

namespace dra::cel {

// Macros that only some releases have; the others always exist.
struct Macros {
  bool two_variables = true;  // all, exists, existsOne, transform... (k, v, ...): 1.32
  bool sort_by = true;        // 1.34
};

struct Parsed {
  Ast ast;
  std::vector<Issue> issues = {};  // if there are any, the tree must not be used

  bool ok() const { return issues.empty(); }
};

// Longer expressions are an error; Kubernetes stops at 10,240 bytes already.
inline constexpr std::uint32_t kMaxCodePoints = 100'000;
inline constexpr std::uint32_t kMaxRecursion = 250;
// Nested macros may double the tree again and again. Upstream has no limit but time; larger trees
// than this cost too much to be stored there.
inline constexpr std::size_t kMaxNodes = 300'000;

Parsed parse(const Source& source, const Macros& macros = {});

}  // namespace dra::cel
