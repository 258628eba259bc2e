// include/dra/cel/syntax/fold_shape.h
//
// Which nodes mark the turns of a fold, and for each node the fold whose elements it is evaluated
// for.

#pragma once

#include <optional>
#include <vector>

#include "dra/cel/syntax/ast.h"

namespace dra::cel {

// A value bound to a name: goes over nothing.
inline bool is_binding(const Node& fold) { return fold.names[0] == kUnusedVariable; }

// The condition in the step of a fold; none of map(x, e).
inline std::optional<NodeId> predicate_of(const Ast& ast, const Node& fold) {
  const Node& step = ast[fold.args[FoldStep]];
  if (step.kind != NodeKind::Call || !step.generated) return std::nullopt;
  if (step.name == op::kAnd || step.name == op::kOr) return step.args[1];
  if (step.name == op::kTernary) return step.args[0];
  return std::nullopt;
}

// A fold by its place in a list of all that are no bindings.
using FoldIndex = std::optional<std::size_t>;

struct Role {
  FoldIndex home = {};   // evaluated for its elements
  FoldIndex fold = {};   // is this fold
  FoldIndex range = {};  // is its range, and so on
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
