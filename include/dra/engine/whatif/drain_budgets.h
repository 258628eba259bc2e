// include/dra/engine/whatif/drain_budgets.h
//
// What a drain needs where PodDisruptionBudgets stop it. `kubectl drain` asks for all evictions at
// once, and repeats for ever those that are refused. A budget allows the next eviction once enough
// of its pods are healthy again: pods that were evicted have to run elsewhere first.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/engine/whatif/drain.h"

namespace dra::engine {

// A budget that counts evictions of a drain. Pods with several budgets are left out: a drain fails
// at them.
struct BudgetOfDrain {
  const api::PodDisruptionBudget* budget = nullptr;
  std::vector<std::size_t> leaving;  // their places among the pods of the drain
  // Pods of the budget that are not ready, on any node.
  std::vector<const api::Pod*> not_ready;
};
// In the order of the names of the budgets.
std::vector<BudgetOfDrain> budgets_of_drain(const snapshot::Snapshot& snapshot,
                                            std::span<const DrainedPod> drained);

enum class BudgetOutcome : std::uint8_t {
  Passes,   // it refuses no eviction, or has not counted yet
  Pauses,   // the drain goes on each time an evicted pod runs elsewhere
  MayStop,  // that depends on which pods go first, or on whether their replacements get a node
  Stops,    // too many of the evicted pods do not come to run elsewhere
  Waits,    // it allows no eviction before more of its pods are healthy
  Never,    // it allows no eviction even while all of its pods are healthy
};
std::string_view name_of(BudgetOutcome outcome);  // "Pauses", as in reports

// Of the pods that leave and count against a budget.
struct LeavingPods {
  std::int64_t all = 0;
  std::int64_t lost = 0;  // no pod replaces them, or the replacement gets no node
  std::int64_t open = 0;  // whether their replacement gets a node is not certain
};
BudgetOutcome outcome_of(const api::BudgetStatus& budget, const LeavingPods& pods);

}  // namespace dra::engine
