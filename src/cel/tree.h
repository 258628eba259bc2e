// src/cel/tree.h
//
// Making nodes: shared by the parser and the macros.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/cel/ast.h"

namespace dra::cel {

// Where new nodes come from.
struct Origin {
  Span span = {};
  std::uint32_t at = 0;
  bool generated = false;
};

class Tree {
 public:
  explicit Tree(Ast& ast) : ast_(ast) {}

  const Node& operator[](NodeId id) const { return ast_[id]; }

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
  Node& change(NodeId id) { return ast_[id]; }

 private:
  NodeId keep(Node node) {
    ast_.nodes.push_back(std::move(node));
    return static_cast<NodeId>(ast_.nodes.size() - 1);
  }

  Ast& ast_;
};

}  // namespace dra::cel
