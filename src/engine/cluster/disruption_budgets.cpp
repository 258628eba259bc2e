// src/engine/cluster/disruption_budgets.cpp: repeats the order in which the eviction API asks: the
// pod's state, the number of its budgets, its health, and then what the budget allows.

#include "dra/engine/cluster/disruption_budgets.h"

#include <algorithm>

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

}  // namespace

bool selects_pod(const api::PodDisruptionBudget& budget, const api::Pod& pod) {
  return budget.meta.namespace_ == pod.meta.namespace_ && budget.spec.selector &&
         selects(*budget.spec.selector, pod.meta.labels).value_or(false);
}

bool counts_eviction(const api::PodDisruptionBudget& budget, const api::Pod& pod) {
  return api::is_true(pod.status.conditions, "Ready") || !may_go_unhealthy(budget);
}

// No pod is expected where kube-controller-manager does not find who makes them.
std::optional<std::int64_t> most_disrupted(const api::BudgetStatus& status) {
  if (!status.expected || *status.expected == 0 || !status.desired) return std::nullopt;
  return std::max<std::int64_t>(*status.expected - *status.desired, 0);
}

Budgets budgets_asked(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  if (pod.finished() || pod.status.phase == "Pending" || pod.meta.deleted) return {};
  Budgets budgets;
  for (const api::PodDisruptionBudget& budget : snapshot.all<api::PodDisruptionBudget>()) {
    // Where a condition cannot be read, the eviction fails upstream before it asks the budget.
    if (selects_pod(budget, pod)) budgets.push_back(&budget);
  }
  return budgets;
}

Budgets budgets_against(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  Budgets budgets = budgets_asked(snapshot, pod);
  if (budgets.size() != 1) return budgets;
  const api::PodDisruptionBudget& only = *budgets.front();
  const bool refuses = counts_eviction(only, pod) && only.status.allowed == 0;
  return refuses ? budgets : Budgets();
}

std::string words_for_counts(const api::BudgetStatus& status) {
  if (!status.desired || !status.healthy || status.expected == 0) return {};
  const std::int64_t desired = *status.desired;
  const std::int64_t expected = status.expected.value_or(0);
  if (expected == 0 || desired > expected)
    return base::format("it needs {} and has {}", base::plural(desired, "healthy pod"),
                        *status.healthy);
  if (desired < expected)
    return base::format("{} of its {} {} healthy, and it needs {}", *status.healthy,
                        base::plural(expected, "pod"), *status.healthy == 1 ? "is" : "are",
                        desired);
  if (expected == 1) return "it needs its only pod to be healthy";
  return base::format("it needs all {} of its pods to be healthy", expected);
}

std::string words_for_budgets(const Budgets& budgets, const api::Pod& pod) {
  const api::PodDisruptionBudget& first = *budgets.front();
  if (budgets.size() > 1)
    return base::format(
        "pod {} has {} PodDisruptionBudgets ({}, {}), and a drain fails for a pod that has more "
        "than one",
        full_name(pod.meta), budgets.size(), first.meta.name, budgets[1]->meta.name);
  const std::string budget = full_name(first.meta);
  const std::string why = words_for_counts(first.status);
  if (most_disrupted(first.status) == 0)
    return base::format("PodDisruptionBudget {} never allows the eviction of pod {}: {}", budget,
                        full_name(pod.meta), why);
  return base::format("PodDisruptionBudget {} blocks the eviction of pod {} now{}{}", budget,
                      full_name(pod.meta), why.empty() ? "" : ": ", why);
}

bool saw_budgets(const snapshot::Snapshot& snapshot) {
  return snapshot.coverage().saw(api::Kind::DisruptionBudget);
}

}  // namespace dra::engine
