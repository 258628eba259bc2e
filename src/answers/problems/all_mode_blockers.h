// src/answers/problems/all_mode_blockers.h
//
// Devices that block a pod which asks for all devices of a node. A single unavailable device blocks
// it, and a smaller number is no way out if the driver hands out whole hosts.

#pragma once

#include <string>

#include "dra/answers/explain/explanation.h"
#include "dra/answers/problems/problems.h"

namespace dra::answers {

// Names the blocking devices, the reasons, and how to free them, for the node with the fewest: "On
// node n1, pod ml/a holds gpu-0 until it is done or deleted." And whether a count would do. Empty
// if not known.
std::string how_to_free_all(const ClusterInput& cluster, const Explanation& explanation);

// Only whether a count would do, where other advice says how to free the devices.
std::string count_instead_of_all(const ClusterInput& cluster, const Explanation& explanation);

}  // namespace dra::answers
