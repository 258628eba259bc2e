// include/dra/engine/cluster/disruption_budgets.h
//
// PodDisruptionBudgets in the way of evictions. Only the eviction API asks them, as `kubectl drain`
// and autoscalers do; a deletion, a taint with NoExecute and a lower number of replicas do not.
//
// Upstream: k8s.io/kubernetes/pkg/registry/core/pod/storage.EvictionREST, canIgnorePDB.

#pragma once

#include <string>
#include <vector>

#include "dra/api/pod.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// The budgets because of which the API server refuses to evict the pod now, in the order of their
// names. Empty: none is known, also where budgets cannot be read. Two budgets of one pod always
// refuse it.
std::vector<const api::PodDisruptionBudget*> budgets_against(const snapshot::Snapshot& snapshot,
                                                             const api::Pod& pod);

// "PodDisruptionBudget ml/web lets no drain evict pod ml/web-0 now: it needs 2 healthy pods and has
// 2". `budgets` are those against the pod; there is one at least.
std::string words_for_budgets(const std::vector<const api::PodDisruptionBudget*>& budgets,
                              const api::Pod& pod);

// Whether budgets were read.
bool saw_budgets(const snapshot::Snapshot& snapshot);

}  // namespace dra::engine
