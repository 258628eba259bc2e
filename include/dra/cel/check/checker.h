// include/dra/cel/check/checker.h
//
// Type checking: finds the type of every node and the meaning of names and calls, or all errors of
// the expression. Upstream: cel-go checker (checker.go, types.go), and the validators of
// cel/validator.go that Kubernetes uses. Messages are upstream's.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dra/cel/library/environment.h"
#include "dra/cel/syntax/ast.h"
#include "dra/cel/values/types.h"

namespace dra::cel {

// The meaning of a name or a call. Empty for literals, lists and so on.
struct Reference {
  const Type* type_value = nullptr;           // the name is a type: `int`, `net.IP`
  std::optional<std::int64_t> constant = {};  // the name is one of an enumeration's
  bool beyond_locals = false;                 // `.x`: the variable that a macro's x shadows
  std::vector<std::uint16_t> overloads = {};  // possible overloads, as rows of the declarations
};

struct Checked {
  Ast ast;                              // names resolved: `optional.of(x)` is a global call
  std::vector<const Type*> types = {};  // by node; nullptr for nodes that are not part of the tree
  std::vector<Reference> references = {};  // by node
  std::shared_ptr<TypeArena> arena = {};
  std::vector<Issue> issues = {};

  bool ok() const { return issues.empty(); }
  const Type& output() const { return *types[ast.root]; }
};

Checked check(Ast ast, const Environment& environment);

}  // namespace dra::cel
