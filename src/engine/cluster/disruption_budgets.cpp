// src/engine/cluster/disruption_budgets.cpp: repeats the order in which the eviction API asks: the
// pod's state, the number of its budgets, its health, and then what the budget allows.

#include "dra/engine/cluster/disruption_budgets.h"

#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "dra/engine/facts/full_name.h"
#include "dra/engine/facts/label_match.h"

namespace dra::engine {
namespace {

using Budgets = std::vector<const api::PodDisruptionBudget*>;

// A pod that is not ready may go while enough others are healthy, or always.
bool may_go_unhealthy(const api::PodDisruptionBudget& budget) {
  if (budget.spec.unhealthy_policy == api::kAlwaysAllow) return true;
  const std::int64_t desired = budget.status.desired.value_or(0);
  return desired > 0 && budget.status.healthy.value_or(0) >= desired;
}

bool refuses(const api::PodDisruptionBudget& budget, const api::Pod& pod) {
  const bool ready = api::is_true(pod.status.conditions, "Ready");
  return (ready || !may_go_unhealthy(budget)) && budget.status.allowed == 0;
}

}  // namespace

Budgets budgets_against(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  if (pod.finished() || pod.status.phase == "Pending" || pod.meta.deleted) return {};
  Budgets budgets;
  for (const api::PodDisruptionBudget& budget : snapshot.all<api::PodDisruptionBudget>()) {
    if (budget.meta.namespace_ != pod.meta.namespace_ || !budget.spec.selector) continue;
    // Where a condition cannot be read, the eviction fails upstream before it asks the budget.
    if (selects(*budget.spec.selector, pod.meta.labels).value_or(false)) budgets.push_back(&budget);
  }
  if (budgets.size() == 1 && !refuses(*budgets.front(), pod)) return {};
  return budgets;
}

std::string words_for_budgets(const Budgets& budgets, const api::Pod& pod) {
  const api::PodDisruptionBudget& first = *budgets.front();
  if (budgets.size() > 1)
    return base::format(
        "pod {} has {} PodDisruptionBudgets ({}, {}), and a drain fails for a pod that has more "
        "than one",
        full_name(pod.meta), budgets.size(), first.meta.name, budgets[1]->meta.name);
  std::string why;
  if (first.status.desired && first.status.healthy)
    why = base::format(": it needs {} and has {}",
                       base::plural(*first.status.desired, "healthy pod"), *first.status.healthy);
  return base::format("PodDisruptionBudget {} lets no drain evict pod {} now{}",
                      full_name(first.meta), full_name(pod.meta), why);
}

bool saw_budgets(const snapshot::Snapshot& snapshot) {
  return snapshot.coverage().saw(api::Kind::DisruptionBudget);
}

}  // namespace dra::engine
