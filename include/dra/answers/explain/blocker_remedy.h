// include/dra/answers/explain/blocker_remedy.h
//
// Remedies for reasons that block a subject before any node is checked, with the names of the
// objects to create, change or delete. Pods and claims cannot be edited: one with a wrong name has
// to be created again.

#pragma once

#include <string>
#include <string_view>

#include "dra/answers/explain/explanation.h"
#include "dra/diag/reason.h"
#include "dra/diag/remedy.h"

namespace dra::answers {

// What the catalogue says of the code, or something better for this case. `ns` is that of what the
// reason is about.
diag::Remedy remedy_of(const diag::Reason& reason, std::string_view ns);

// The reason must be one of the explanation's blockers.
diag::Remedy remedy_of_blocker(const diag::Reason& reason, const Explanation& explanation);

// Of a blocked subject: against the blocker that its headline is about. Without a text: it is not
// blocked.
diag::Remedy remedy_of_blocked(const Explanation& explanation);

// The command that shows why a pod of the control plane is not ready: the log of its last run, if
// it was restarted.
std::string command_for_log(const api::Pod& down);

}  // namespace dra::answers
