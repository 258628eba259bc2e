// include/dra/engine/cluster/disruption_budgets.h
//
// PodDisruptionBudgets in the way of evictions. Only the eviction API asks them, as `kubectl drain`
// and autoscalers do; a deletion, a taint with NoExecute and a lower number of replicas do not.
//
// Upstream: k8s.io/kubernetes/pkg/registry/core/pod/storage.EvictionREST, canIgnorePDB.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/api/pod.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

bool selects_pod(const api::PodDisruptionBudget& budget, const api::Pod& pod);

// The budgets that the API server asks before it evicts the pod, in the order of their names.
std::vector<const api::PodDisruptionBudget*> budgets_asked(const snapshot::Snapshot& snapshot,
                                                           const api::Pod& pod);

// Whether the eviction counts: a pod that is not ready may be exempt.
bool counts_eviction(const api::PodDisruptionBudget& budget, const api::Pod& pod);

// How many of its pods the budget lets be missing while the others are healthy. 0: it never allows
// an eviction. No value: kube-controller-manager has not counted yet.
std::optional<std::int64_t> most_disrupted(const api::BudgetStatus& status);

// The budgets because of which the API server refuses to evict the pod now, in the order of their
// names. Empty: none is known, also where budgets cannot be read. Two budgets of one pod always
// refuse it.
std::vector<const api::PodDisruptionBudget*> budgets_against(const snapshot::Snapshot& snapshot,
                                                             const api::Pod& pod);

// "2 of its 3 pods are healthy, and it needs 2", "it needs its only pod to be healthy". Empty:
// nothing was counted.
std::string words_for_counts(const api::BudgetStatus& status);

// "PodDisruptionBudget ml/web blocks the eviction of pod ml/web-0 now: 2 of its 3 pods are healthy,
// and it needs 2", or "... never allows the eviction of pod ml/web-0: it needs its only pod to be
// healthy". `budgets` are those against the pod; there is one at least.
std::string words_for_budgets(const std::vector<const api::PodDisruptionBudget*>& budgets,
                              const api::Pod& pod);

// Whether budgets were read.
bool saw_budgets(const snapshot::Snapshot& snapshot);

}  // namespace dra::engine
