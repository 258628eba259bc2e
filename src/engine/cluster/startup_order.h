// src/engine/cluster/startup_order.h
//
// Workloads that make some of their pods only when others are ready or done: a StatefulSet one pod
// after the other, a JobSet by its startup policy or by dependsOn, a LeaderWorkerSet by its startup
// policy.
//
// Upstream: k8s.io/kubernetes/pkg/controller/statefulset, processReplica; sigs.k8s.io/jobset,
// pkg/controllers, startup_policy.go and depends_on.go; sigs.k8s.io/lws, pkg/controllers,
// PodReconciler.

#pragma once

#include <optional>

#include "dra/engine/cluster/missing_pods.h"

namespace dra::engine {

// What the workload waits for before it makes more pods. No value: nothing of that kind is known.
std::optional<MissingPods> waits_for_others(const snapshot::Snapshot& snapshot,
                                            const api::Workload& workload);

}  // namespace dra::engine
