// src/cel/syntax/tree.h
//
// Builds nodes, for the parser and the macros.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/cel/syntax/ast.h"

namespace dra::cel {

// The origin of new nodes.
struct Origin {
  Span span = {};
  std::uint32_t at = 0;
  bool generated = false;
};

// Terms joined by one operator, and the operator's position between each two.
struct Chain {
  std::string_view function;
  std::vector<NodeId> terms = {};
  std::vector<std::uint32_t> places = {};
};

class Tree {
 public:
  explicit Tree(Ast& ast) : ast_(ast) {}

  const Node& operator[](NodeId id) const { return ast_[id]; }
  std::size_t size() const { return ast_.nodes.size(); }

  NodeId add(const Origin& origin, NodeKind kind, std::string_view name = {},
             std::vector<NodeId> args = {}) {
    Node node{.kind = kind, .generated = origin.generated, .span = origin.span, .at = origin.at};
    node.name = name;
    node.args = std::move(args);
    return keep(std::move(node));
  }
  NodeId literal(const Origin& origin, Literal value) {
    Node node{.kind = NodeKind::Literal,
              .generated = origin.generated,
              .span = origin.span,
              .at = origin.at};
    node.literal = std::move(value);
    return keep(std::move(node));
  }
  NodeId call(const Origin& origin, std::string_view function, std::vector<NodeId> args) {
    return add(origin, NodeKind::Call, function, std::move(args));
  }
  NodeId member_call(const Origin& origin, std::string_view function, std::vector<NodeId> args) {
    const NodeId id = call(origin, function, std::move(args));
    ast_[id].member = true;
    return id;
  }
  // The tree for the operators [first, last] of a chain: the middle one is the root.
  NodeId balanced(const Chain& chain, std::size_t first, std::size_t last) {
    const std::size_t middle = (first + last + 1) / 2;
    const NodeId left = middle == first ? chain.terms[middle] : balanced(chain, first, middle - 1);
    const NodeId right =
        middle == last ? chain.terms[middle + 1] : balanced(chain, middle + 1, last);
    const Span span = {ast_[left].span.begin, ast_[right].span.end};
    return call({span, chain.places[middle], false}, chain.function, {left, right});
  }
  Node& change(NodeId id) { return ast_[id]; }

 private:
  NodeId keep(Node node) {
    ast_.nodes.push_back(std::move(node));
    return static_cast<NodeId>(ast_.nodes.size() - 1);
  }

  Ast& ast_;
};

}  // namespace dra::cel
