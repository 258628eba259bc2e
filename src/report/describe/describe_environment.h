// src/report/describe/describe_environment.h
//
// The environment variables that the TPU driver sets in the containers of a claim, as far as they
// can be derived, and those that containers set to other values.

#pragma once

#include <string_view>

#include "dra/report/describe/describe_parts.h"

namespace dra::report {

// Adds a section if the claim has TPUs: for one pod, or with nullptr for all pods that have
// reserved the claim. Differences from the driver are added with Description::problem(). Returns
// the same as JSON; null for a claim without TPUs.
json::Value add_environment(Description& out, const api::ResourceClaim& claim, const api::Pod* pod,
                            std::string_view title_suffix = {});

}  // namespace dra::report
