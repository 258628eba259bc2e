// src/engine/scheduler/node_tolerations.h
//
// Whether a pod tolerates a taint of a node.
// Upstream: k8s.io/api/core/v1, Toleration.ToleratesTaint.

#pragma once

#include "dra/api/cluster_objects.h"
#include "dra/api/pod.h"

namespace dra::engine {

// `compares`: the scheduler knows the operators Lt and Gt.
bool tolerates(const api::Pod& pod, const api::NodeTaint& taint, bool compares);

}  // namespace dra::engine
