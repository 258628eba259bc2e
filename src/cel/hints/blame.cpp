// src/cel/hints/blame.cpp: goes down from the condition to the terms that decided it, using the
// values of the trace.

#include "dra/cel/hints/blame.h"

#include <algorithm>
#include <utility>

#include "dra/cel/syntax/fold_shape.h"
#include "dra/cel/syntax/one_line.h"
#include "src/cel/hints/leaf.h"

namespace dra::cel {
namespace {

bool is_call(const Node& node, std::string_view function) {
  return node.kind == NodeKind::Call && node.name == function;
}

class Blamer {
 public:
  Blamer(const Ast& ast, const Source& source, const Trace& trace)
      : ast_(ast), line_(source), view_(trace.root) {}

  Blame run(NodeId node, bool wanted) {
    Blame out;
    blame(node, wanted, out.leaves);
    out.ignored = std::move(ignored_);
    return out;
  }

 private:
  using Leaves = std::vector<Leaf>;

  bool is(NodeId node, bool truth) const {
    const Seen* value = view_.value(node);
    return value != nullptr && value->kind == ValueKind::Bool && value->truth == truth;
  }

  void blame(NodeId id, bool wanted, Leaves& out) {
    if (view_.value(id) == nullptr) return;
    if (is(id, wanted)) return ignore_within(id);
    const Node& node = ast_[id];
    if (is_call(node, op::kAnd) || is_call(node, op::kOr)) return blame_terms(id, wanted, out);
    if (is_call(node, op::kNot)) return blame(node.args[0], !wanted, out);
    if (is_call(node, op::kTernary)) return blame_choice(node, wanted, out);
    if (node.kind == NodeKind::Fold && is_binding(node)) {
      return blame(node.args[FoldResult], wanted, out);
    }
    Leaf leaf = make_leaf(ast_, line_, view_, id, wanted);
    if (node.kind == NodeKind::Fold) blame_elements(id, leaf);
    out.push_back(std::move(leaf));
  }

  // If the terms together have a truth value other than the wanted one, none is as wanted.
  void blame_terms(NodeId id, bool wanted, Leaves& out) {
    const bool absorbs = view_.value(id)->kind == ValueKind::Bool;
    for (const NodeId term : ast_[id].args) {
      if (absorbs && !is(term, true) && !is(term, false)) {
        ignore(term);
      } else {
        blame(term, wanted, out);
      }
    }
  }

  void blame_choice(const Node& node, bool wanted, Leaves& out) {
    const NodeId condition = node.args[0];
    const bool yes = is(condition, true);
    if (!yes && !is(condition, false)) return blame(condition, true, out);
    if (is(node.args[yes ? 2 : 1], wanted)) blame(condition, !yes, out);
    blame(node.args[yes ? 1 : 2], wanted, out);
  }

  // --- folds

  void blame_elements(NodeId id, Leaf& leaf) {
    const SeenFold* fold = view_.fold(id);
    const auto predicate = predicate_of(ast_, ast_[id]);
    const bool decides = (leaf.name == "all" && !leaf.value.truth) || leaf.name == "exists" ||
                         leaf.name == "existsOne" || leaf.name == "exists_one";
    if (fold == nullptr || !predicate || !decides) return;
    // Too many elements are true for exists_one(), or one is for a negated exists().
    const bool too_many = !leaf.value.is_error() && leaf.name != "all" && fold->truths > 0;
    for (const SeenElement& element : too_many ? fold->first_true : fold->not_true) {
      const bool decided = too_many || !leaf.value.is_false() || element.outcome.is_false();
      BlamedElement blamed{.index = element.index, .key = element.key, .value = element.value};
      view_.enter(element.inside);
      if (decided) {
        blame(*predicate, !too_many, blamed.leaves);
      } else {
        ignore(*predicate);
      }
      view_.leave();
      if (decided) leaf.elements.push_back(std::move(blamed));
    }
  }

  // --- errors that did not matter

  // A guard such as has() prevents errors that only the exhaustive evaluation meets: these were not
  // ignored, there were none.
  void ignore(NodeId id) {
    const Seen* value = view_.value(id);
    if (value == nullptr || !value->reached) return;
    Leaves leaves;
    blame(id, true, leaves);
    for (Leaf& leaf : leaves) {
      if (leaf.value.kind != ValueKind::Bool && leaf.value.reached) {
        ignored_.push_back(std::move(leaf));
      }
    }
  }

  void ignore_within(NodeId id) {
    const Node& node = ast_[id];
    if (node.kind == NodeKind::Fold && is_binding(node)) {
      return ignore_within(node.args[FoldResult]);
    }
    const bool terms = is_call(node, op::kAnd) || is_call(node, op::kOr);
    if (!terms && !is_call(node, op::kNot) && !is_call(node, op::kTernary)) return;
    for (const NodeId part : node.args) {
      if (is(part, true) || is(part, false)) {
        ignore_within(part);
      } else if (terms) {
        ignore(part);
      }
    }
  }

  const Ast& ast_;
  OneLine line_;
  View view_;
  Leaves ignored_;
};

}  // namespace

Blame blame_of(const Program& program, const Source& source, const Trace& trace, NodeId node,
               bool wanted) {
  return Blamer(program.checked().ast, source, trace).run(node, wanted);
}

}  // namespace dra::cel
