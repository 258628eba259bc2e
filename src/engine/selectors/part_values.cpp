// src/engine/selectors/part_values.cpp: see part_values.h.

#include "dra/engine/selectors/part_values.h"

#include <algorithm>
#include <array>
#include <set>

#include "dra/base/prose.h"
#include "dra/engine/selectors/clause_table.h"

namespace dra::engine {
namespace {

constexpr std::array kJoining{cel::op::kAnd, cel::op::kOr, cel::op::kNot, cel::op::kTernary};

// True if the value of a node is not obvious from the values of its parts.
bool has_own_value(const cel::Node& node, const cel::Seen& value) {
  using cel::NodeKind;
  if (node.kind == NodeKind::Literal || node.kind == NodeKind::Ident) return false;
  if (value.kind == cel::ValueKind::Map) return false;
  // Of the nodes that a macro expands to only the macro itself is in the text.
  if (node.generated && !node.presence && node.kind != NodeKind::Fold) return false;
  return node.kind != NodeKind::Call || std::ranges::find(kJoining, node.name) == kJoining.end();
}

}  // namespace

std::vector<PartValue> part_values(const Selector& selector, const cel::Trace& trace) {
  const cel::Ast& ast = selector.program()->checked().ast;
  std::vector<cel::NodeId> nodes;
  for (const auto& [node, value] : trace.root.values) {
    const bool constant = !reads_variable(ast, node);
    if (!constant && has_own_value(ast[node], value)) nodes.push_back(node);
  }
  // A node precedes its parts.
  std::ranges::stable_sort(nodes, {}, [&ast](cel::NodeId node) {
    const cel::Span span = ast[node].span;
    return std::pair(span.begin, -static_cast<std::int64_t>(span.end));
  });
  std::vector<PartValue> values;
  std::set<std::string> known;
  for (const cel::NodeId node : nodes) {
    std::string text = base::one_line(selector.source().text_of(ast[node].span));
    if (known.insert(text).second)
      values.push_back({std::move(text), trace.root.values.at(node).text});
  }
  return values;
}

}  // namespace dra::engine
