// src/report/describe/describe_environment.h
//
// What the TPU driver sets in the containers that use a claim, as far as it can be derived, and
// what these set themselves.

#pragma once

#include <string_view>

#include "dra/report/describe/describe_parts.h"

namespace dra::report {

// A section, if the claim has TPUs. Of one pod, or with nullptr of all that have reserved the
// claim. Where they differ from the driver goes to the odd things of the description.
void add_environment(Description& out, const api::ResourceClaim& claim, const api::Pod* pod,
                     std::string_view title_suffix = {});

}  // namespace dra::report
