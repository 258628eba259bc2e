// src/engine/scheduler/unsimulated.h
//
// Parts of a pod, and of pods on nodes, that matter to filters of the scheduler that are not
// simulated. Upstream: the plugin gangscheduling.

#pragma once

#include <string>
#include <vector>

#include "dra/api/pod.h"
#include "dra/engine/cluster/node_loads.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// As parts of a sentence.
std::vector<std::string> unsimulated_parts(const snapshot::Snapshot& snapshot, const api::Pod& pod,
                                           const NodeLoads& loads);

}  // namespace dra::engine
