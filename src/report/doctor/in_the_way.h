// src/report/doctor/in_the_way.h
//
// What is in the way of a pod that asks for all devices of a node: there one that cannot be had is
// one too many, and to ask for fewer is no way out where the driver hands out whole hosts.

#pragma once

#include <string>

#include "dra/report/explain/explanation.h"
#include "dra/report/phrases/scene.h"

namespace dra::report {

// Which devices, why, and what frees them, on the node where least is in the way: "On node n1, pod
// ml/a holds gpu-0 until it is done or deleted." Empty where that is not known.
std::string how_to_free_all(const Scene& scene, const Explanation& explanation);

}  // namespace dra::report
