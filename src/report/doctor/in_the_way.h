// src/report/doctor/in_the_way.h
//
// Devices that block a pod which asks for all devices of a node. A single unavailable device blocks
// it, and a smaller number is no way out if the driver hands out whole hosts.

#pragma once

#include <string>

#include "dra/report/explain/explanation.h"
#include "dra/report/phrases/scene.h"

namespace dra::report {

// Names the blocking devices, the reasons, and how to free them, for the node with the fewest: "On
// node n1, pod ml/a holds gpu-0 until it is done or deleted." Empty if not known.
std::string how_to_free_all(const Scene& scene, const Explanation& explanation);

}  // namespace dra::report
