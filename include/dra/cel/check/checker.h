// include/dra/cel/check/checker.h
//
// Types for every node, and what names and calls refer to; or everything that is wrong with the
// expression. Upstream: cel-go checker (checker.go, types.go), and the validators of
// cel/validator.go that Kubernetes asks for. Messages are upstream's.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dra/cel/library/environment.h"
#include "dra/cel/syntax/ast.h"
#include "dra/cel/values/types.h"

namespace dra::cel {

// What a name or a call refers to. For a literal, a list and so on: nothing.
struct Reference {
  const Type* type_value = nullptr;           // the name is a type: `int`, `net.IP`
  bool beyond_locals = false;                 // `.x`: the variable that a macro's x hides
  std::vector<std::uint16_t> overloads = {};  // that the call can mean, as rows of the declarations
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
