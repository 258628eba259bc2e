// src/report/explain/blocker_remedy.h
//
// What to do about what stops a subject before any node is looked at, with the names of what has to
// be made, changed or deleted. Pods and claims cannot be edited: where a name in one is wrong, it
// has to be created anew.

#pragma once

#include "dra/report/explain/explanation.h"
#include "dra/report/phrases/remedy.h"

namespace dra::report {

// The reason is one of the explanation's blockers.
Remedy remedy_of_blocker(const diag::Reason& reason, const Explanation& explanation,
                         const snapshot::Snapshot& snapshot);

}  // namespace dra::report
