// include/dra/report/phrases/environment_words.h
//
// Words about the environment that the TPU driver sets, and about what containers set beside it.

#pragma once

#include <string>
#include <vector>

#include "dra/topology/tpu_environment.h"

namespace dra::report {

// Whether the variable only repeats another of these under an older name.
bool repeats_another(const topology::TpuVariable& variable);

// "1,1,1", "from a Secret"; what it is if that is not in the spec.
std::string own_value(const topology::TpuOverride& set);

// What containers set to other values than the driver, each container of like pods once:
// "container main of 4 pods sets TPU_HOST_BOUNDS to 1,1,1 (the driver: 1,1,4)". The pod that is
// spoken of anyway is not named; nullptr: none is.
std::vector<std::string> difference_words(const std::vector<topology::TpuOverride>& overrides,
                                          const api::Pod* spoken_of);

// What it means that they differ.
inline constexpr const char* kDifferenceMeans =
    "which of the two the program sees depends on the container runtime";

}  // namespace dra::report
