// src/answers/validate/reference_check.h
//
// Looks up in a cluster the claims, templates and classes that objects of the files name.

#pragma once

#include <string>
#include <string_view>

#include "dra/answers/validate/validation.h"

namespace dra::answers {

// Replaces what was found among the files alone. `ns` is the namespace of objects without one.
// Nothing is said of kinds that the cluster did not show. Classes that are missing are found with
// the claims that name them (ClusterCheck).
void check_references_in(const snapshot::Snapshot& snapshot, const std::string& ns,
                         Validation& validation);

}  // namespace dra::answers
