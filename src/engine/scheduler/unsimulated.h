// src/engine/scheduler/unsimulated.h
//
// Parts of a pod, and of pods on nodes, that matter to filters of the scheduler that are not
// simulated. Upstream: plugins volumebinding, volumezone, volumerestrictions,
// nodevolumelimits, nodedeclaredfeatures, gangscheduling; and the operators Lt and Gt of
// tolerations, whose gate is off by default.

#pragma once

#include <string>
#include <vector>

#include "dra/api/pod.h"
#include "dra/engine/cluster/node_loads.h"

namespace dra::engine {

// As parts of a sentence.
std::vector<std::string> unsimulated_parts(const api::Pod& pod, const NodeLoads& loads);

// Whether the toleration compares numbers.
bool compares(const api::Toleration& toleration);

}  // namespace dra::engine
