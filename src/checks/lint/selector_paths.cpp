// src/checks/lint/selector_paths.cpp: reads paths from Select and Index nodes.

#include "src/checks/lint/selector_paths.h"

#include "dra/base/names.h"
#include "dra/base/text.h"

namespace dra::checks {
namespace {

using cel::NodeId;
using cel::NodeKind;
using Steps = std::vector<std::string>;

constexpr std::string_view kVariable = "device";

std::optional<Steps> below(const cel::Ast& ast, NodeId of, const std::string* step) {
  if (step == nullptr) return std::nullopt;
  std::optional<Steps> path = path_of(ast, of);
  if (path) path->push_back(*step);
  return path;
}

}  // namespace

const std::string* text_of(const cel::Ast& ast, NodeId id) {
  return ast[id].kind == NodeKind::Literal ? std::get_if<std::string>(&ast[id].literal) : nullptr;
}

std::optional<Steps> path_of(const cel::Ast& ast, NodeId id) {
  const cel::Node& node = ast[id];
  if (node.kind == NodeKind::Ident)
    return node.name == kVariable ? std::optional<Steps>(Steps()) : std::nullopt;
  if (node.kind == NodeKind::Select) return below(ast, node.args[0], &node.name);
  const bool index = node.kind == NodeKind::Call && node.args.size() == 2 &&
                     (node.name == cel::op::kIndex || node.name == cel::op::kOptIndex ||
                      node.name == cel::op::kOptSelect);
  return index ? below(ast, node.args[0], text_of(ast, node.args[1])) : std::nullopt;
}

std::string way_to(std::string_view section, std::string_view domain, std::string_view id) {
  return base::format(
      base::is_c_identifier(id) ? "device.{}[\"{}\"].{}" : "device.{}[\"{}\"][\"{}\"]", section,
      domain, id);
}

std::vector<NodeId> nodes_of(const cel::Ast& ast) {
  std::vector<bool> seen(ast.nodes.size());
  std::vector<NodeId> nodes;
  std::vector<NodeId> open = {ast.root};
  nodes.reserve(ast.nodes.size());
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (seen[id]) continue;
    seen[id] = true;
    nodes.push_back(id);
    // The first argument comes first, as in the text.
    open.insert(open.end(), ast[id].args.rbegin(), ast[id].args.rend());
  }
  return nodes;
}

}  // namespace dra::checks
