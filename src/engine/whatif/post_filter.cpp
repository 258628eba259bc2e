// src/engine/whatif/post_filter.cpp: see post_filter.h.

#include "dra/engine/whatif/post_filter.h"

#include <algorithm>

#include "dra/engine/cluster/nodes.h"

namespace dra::engine {
namespace {

bool may_fit_then(const NodeResult& node) {
  return node.passes_filters() && node.outcome == NodeOutcome::NeedsDeallocation;
}

// Reasons of the second try go behind those of the first: that a claim is allocated elsewhere is
// the first thing to know. Equal reasons are given once.
void add_vain(NodeResult then, NodeResult& node) {
  node.outcome = then.outcome == NodeOutcome::Aborts ? then.outcome : NodeOutcome::DoesNotFit;
  const auto is_given = [&node](const diag::Reason& reason) {
    return std::ranges::any_of(node.reasons, [&reason](const diag::Reason& one) {
      return one.code == reason.code && one.request == reason.request &&
             one.message == reason.message;
    });
  };
  std::erase_if(then.reasons, is_given);
  const auto behind = then.aborts() ? node.reasons.begin() : node.reasons.end();
  node.reasons.insert(behind, std::make_move_iterator(then.reasons.begin()),
                      std::make_move_iterator(then.reasons.end()));
}

}  // namespace

void apply_post_filter(const snapshot::Snapshot& snapshot, const Wanted& wanted, Depth depth,
                       std::vector<NodeResult>& nodes) {
  const auto first = std::ranges::find_if(nodes, may_fit_then);
  if (first == nodes.end()) return;
  const std::vector<std::string> claims = first->deallocatable;
  const auto moves_others = [&claims](const NodeResult& node) {
    return node.passes_filters() && !node.deallocatable.empty() && node.deallocatable != claims;
  };
  if (std::ranges::any_of(nodes, moves_others)) return;
  Hypothesis hypothesis(snapshot, wanted);
  hypothesis.deallocate(claims);
  const Inventory inventory(snapshot, hypothesis.overrides());
  const Demands demands(snapshot, inventory, hypothesis.subject());
  SearchBudget budget;
  NodeEvaluator evaluator(snapshot, {inventory, snapshot.coverage(), demands, budget},
                          hypothesis.subject(), depth);
  const Nodes all = nodes_of(snapshot);
  for (const api::Node& node : all.nodes) {
    const auto now = std::ranges::find(nodes, node.meta.name, &NodeResult::name);
    if (now == nodes.end() || !may_fit_then(*now)) continue;
    NodeResult then = evaluator.evaluate(node);
    if (then.is_ruled_out()) add_vain(std::move(then), *now);
  }
}

}  // namespace dra::engine
