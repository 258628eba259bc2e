// include/dra/cel/syntax/fold_shape.h
//
// For each node: which part of a fold it is, and for which fold's elements it is evaluated.

#pragma once

#include <optional>
#include <vector>

#include "dra/cel/syntax/ast.h"

namespace dra::cel {

// True for a binding of a name to a value, which iterates over nothing.
inline bool is_binding(const Node& fold) { return fold.names[0] == kUnusedVariable; }

// The condition in the step of a fold; map(x, e) has none.
inline std::optional<NodeId> predicate_of(const Ast& ast, const Node& fold) {
  const Node& step = ast[fold.args[FoldStep]];
  if (step.kind != NodeKind::Call || !step.generated) return std::nullopt;
  if (step.name == op::kAnd || step.name == op::kOr) return step.args[1];
  if (step.name == op::kTernary) return step.args[0];
  return std::nullopt;
}

// The index of a fold in the list of folds that are no bindings.
using FoldIndex = std::optional<std::size_t>;

struct Role {
  FoldIndex home = {};   // the fold whose elements the node is evaluated for
  FoldIndex fold = {};   // the node is this fold
  FoldIndex range = {};  // the node is the range of this fold, and so on
  FoldIndex condition = {};
  FoldIndex predicate = {};
  FoldIndex step = {};
};

struct FoldShape {
  std::vector<Role> roles = {};  // by node
  std::size_t folds = 0;
};

FoldShape shape_of(const Ast& ast);

}  // namespace dra::cel
