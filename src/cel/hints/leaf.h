// src/cel/hints/leaf.h
//
// One comparison, call or look-up with its values, described.

#pragma once

#include <vector>

#include "dra/cel/hints/blame.h"
#include "dra/cel/syntax/one_line.h"

namespace dra::cel {

// The values of nodes in a scope; those of the elements around it come first.
class View {
 public:
  explicit View(const Scope& root) : scopes_{&root} {}

  const Seen* value(NodeId node) const {
    for (std::size_t i = scopes_.size(); i-- > 0;) {
      const auto found = scopes_[i]->values.find(node);
      if (found != scopes_[i]->values.end()) return &found->second;
    }
    return nullptr;
  }
  const SeenFold* fold(NodeId node) const {
    for (std::size_t i = scopes_.size(); i-- > 0;) {
      const auto found = scopes_[i]->folds.find(node);
      if (found != scopes_[i]->folds.end()) return &found->second;
    }
    return nullptr;
  }
  void enter(const Scope& scope) { scopes_.push_back(&scope); }
  void leave() { scopes_.pop_back(); }

 private:
  std::vector<const Scope*> scopes_;
};

// Makes a leaf without the elements of a fold. The node must have a value.
Leaf make_leaf(const Ast& ast, const OneLine& line, const View& view, NodeId node, bool wanted);

}  // namespace dra::cel
