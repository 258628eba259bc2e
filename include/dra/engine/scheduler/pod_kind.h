// include/dra/engine/scheduler/pod_kind.h
//
// A text that is equal for pods that ask for the same, so that one of them can stand for all: by
// what the scheduler's filters and its allocator read of a pod and its claims. A pod about which
// more decides is alone of its kind.

#pragma once

#include <string>

#include "dra/engine/cluster/node_loads.h"
#include "dra/engine/scheduler/pod_claims.h"

namespace dra::engine {

// `alone`: the pod is one of its kind, whatever it asks for. The subject is a pod's.
std::string pod_kind(const snapshot::Snapshot& snapshot, const NodeLoads& loads,
                     const Subject& subject, bool alone);

}  // namespace dra::engine
