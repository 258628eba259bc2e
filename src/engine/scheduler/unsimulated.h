// src/engine/scheduler/unsimulated.h
//
// What of a pod, and of the pods on nodes, makes filters of the scheduler decide that are not
// simulated. Upstream: plugins interpodaffinity, podtopologyspread, volumebinding, volumezone,
// volumerestrictions, nodevolumelimits, nodedeclaredfeatures, gangscheduling; and the operators Lt
// and Gt of tolerations, whose gate is off by default.

#pragma once

#include <string>
#include <vector>

#include "dra/api/pod.h"
#include "dra/engine/cluster/node_loads.h"

namespace dra::engine {

// In words for a sentence.
std::vector<std::string> unsimulated_parts(const api::Pod& pod, const NodeLoads& loads);

// A toleration that compares numbers.
bool compares(const api::Toleration& toleration);

}  // namespace dra::engine
