// include/dra/report/phrases/environment_words.h
//
// Wording about the environment variables that the TPU driver sets, and about containers that set
// them to other values.

#pragma once

#include <string>
#include <vector>

#include "dra/topology/tpu_environment.h"

namespace dra::report {

// True for a variable that repeats another one under an older name.
bool repeats_another(const topology::TpuVariable& variable);

// "1,1,1", or the source if the value is not in the spec: "from a Secret".
std::string own_value(const topology::TpuOverride& set);

// The variables that containers set to other values than the driver, once for pods that are equal:
// "container main of 4 pods sets TPU_HOST_BOUNDS to 1,1,1 (the driver: 1,1,4)". `spoken_of` is the
// pod that the text is about, which is not named; nullptr: all pods are named.
std::vector<std::string> difference_words(const std::vector<topology::TpuOverride>& overrides,
                                          const api::Pod* spoken_of);

// The consequence of a difference.
inline constexpr const char* kDifferenceMeans =
    "which of the two the program sees depends on the container runtime";

}  // namespace dra::report
