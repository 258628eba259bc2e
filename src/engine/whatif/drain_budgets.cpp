// src/engine/whatif/drain_budgets.cpp: see drain_budgets.h.

#include "dra/engine/whatif/drain_budgets.h"

#include <algorithm>
#include <map>
#include <utility>

#include "dra/engine/cluster/disruption_budgets.h"

namespace dra::engine {
namespace {

std::vector<const api::Pod*> not_ready_of(const snapshot::Snapshot& snapshot,
                                          const api::PodDisruptionBudget& budget) {
  std::vector<const api::Pod*> pods;
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    const bool counted = !pod.finished() && !pod.meta.deleted && selects_pod(budget, pod);
    if (counted && !api::is_true(pod.status.conditions, "Ready")) pods.push_back(&pod);
  }
  return pods;
}

}  // namespace

std::vector<BudgetOfDrain> budgets_of_drain(const snapshot::Snapshot& snapshot,
                                            std::span<const DrainedPod> drained) {
  std::map<const api::PodDisruptionBudget*, std::vector<std::size_t>> leaving;  // as they stand
  for (std::size_t i = 0; i < drained.size(); ++i) {
    if (stays(drained[i].fate)) continue;
    const auto asked = budgets_asked(snapshot, *drained[i].pod);
    if (asked.size() == 1 && counts_eviction(*asked.front(), *drained[i].pod))
      leaving[asked.front()].push_back(i);
  }
  std::vector<BudgetOfDrain> all;
  all.reserve(leaving.size());
  for (auto& [budget, pods] : leaving)
    all.push_back({.budget = budget,
                   .leaving = std::move(pods),
                   .not_ready = not_ready_of(snapshot, *budget)});
  return all;
}

std::string_view name_of(BudgetOutcome outcome) {
  switch (outcome) {
    case BudgetOutcome::Passes:
      return "Passes";
    case BudgetOutcome::Pauses:
      return "Pauses";
    case BudgetOutcome::MayStop:
      return "MayStop";
    case BudgetOutcome::Stops:
      return "Stops";
    case BudgetOutcome::Waits:
      return "Waits";
    case BudgetOutcome::Never:
      return "Never";
  }
  return "";
}

// The drain halts once as many pods are missing as the budget lets be missing, and others are still
// to go. With exactly as many lost, the last of them may be the last to go.
BudgetOutcome outcome_of(const api::BudgetStatus& budget, const LeavingPods& pods) {
  if (!budget.allowed) return BudgetOutcome::Passes;
  const std::int64_t allowed = *budget.allowed;
  // Without a count it allows one at a time once it allows any.
  const std::int64_t most =
      std::max({most_disrupted(budget).value_or(1), allowed, std::int64_t{0}});
  if (most == 0) return BudgetOutcome::Never;
  if (allowed == 0) return BudgetOutcome::Waits;
  if (pods.all <= allowed) return BudgetOutcome::Passes;
  if (pods.all <= most) return BudgetOutcome::Pauses;
  if (pods.lost > most) return BudgetOutcome::Stops;
  return pods.lost + pods.open >= most ? BudgetOutcome::MayStop : BudgetOutcome::Pauses;
}

}  // namespace dra::engine
