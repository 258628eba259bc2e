// src/engine/whatif/drain_budgets.cpp: see drain_budgets.h.

#include "dra/engine/whatif/drain_budgets.h"

#include <algorithm>

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
  std::vector<BudgetOfDrain> all;
  for (const api::PodDisruptionBudget& budget : snapshot.all<api::PodDisruptionBudget>()) {
    BudgetOfDrain one{.budget = &budget, .leaving = {}, .not_ready = {}};
    for (std::size_t i = 0; i < drained.size(); ++i) {
      if (stays(drained[i].fate)) continue;
      const auto asked = budgets_asked(snapshot, *drained[i].pod);
      const bool alone = asked.size() == 1 && asked.front() == &budget;
      if (alone && counts_eviction(budget, *drained[i].pod)) one.leaving.push_back(i);
    }
    if (one.leaving.empty()) continue;
    one.not_ready = not_ready_of(snapshot, budget);
    all.push_back(std::move(one));
  }
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
