// src/report/explain/blocker_remedy.h
//
// Remedies for reasons that block a subject before any node is checked, with the names of the
// objects to create, change or delete. Pods and claims cannot be edited: one with a wrong name has
// to be created again.

#pragma once

#include "dra/report/explain/explanation.h"
#include "dra/report/phrases/remedy.h"

namespace dra::report {

// The reason must be one of the explanation's blockers.
Remedy remedy_of_blocker(const diag::Reason& reason, const Explanation& explanation);

}  // namespace dra::report
