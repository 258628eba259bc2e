// src/cel/syntax/fold_shape.cpp: one walk that marks the parts of each fold and what lies below
// them.

#include "dra/cel/syntax/fold_shape.h"

namespace dra::cel {
namespace {

class Shaper {
 public:
  explicit Shaper(const Ast& ast) : ast_(ast) { shape_.roles.resize(ast.nodes.size()); }

  FoldShape run() {
    visit(ast_.root, {});
    return std::move(shape_);
  }

 private:
  void visit(NodeId id, FoldIndex home) {
    const Node& node = ast_[id];
    shape_.roles[id].home = home;
    if (node.kind == NodeKind::Fold && !is_binding(node)) return visit_fold(id, home);
    for (const NodeId arg : node.args)
      visit(arg, home);
  }

  void visit_fold(NodeId id, FoldIndex home) {
    const Node& node = ast_[id];
    const std::size_t index = shape_.folds++;
    visit(node.args[FoldRange], home);
    visit(node.args[FoldInit], home);
    visit(node.args[FoldCondition], index);
    visit(node.args[FoldStep], index);
    visit(node.args[FoldResult], home);
    shape_.roles[id].fold = index;
    shape_.roles[node.args[FoldRange]].range = index;
    shape_.roles[node.args[FoldCondition]].condition = index;
    shape_.roles[node.args[FoldStep]].step = index;
    if (const auto predicate = predicate_of(ast_, node)) {
      shape_.roles[*predicate].predicate = index;
    }
  }

  const Ast& ast_;
  FoldShape shape_;
};

}  // namespace

FoldShape shape_of(const Ast& ast) { return Shaper(ast).run(); }

}  // namespace dra::cel
