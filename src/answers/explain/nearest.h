// src/answers/explain/nearest.h: the obstacle that is named where several stand in the way: the one
// of the device, the request or the alternative that is nearest to serving the subject.

#pragma once

#include <string>

#include "dra/answers/explain/explanation.h"

namespace dra::answers {

// The reason that keeps the subject from the node. If other filters reject the node it is theirs,
// because its devices do not count then. For a request with alternatives, too few devices are
// nearer than none. The node must have a reason.
const diag::Reason& nearest_reason(const engine::NodeResult& node);

// The reason against the devices that the user asked about, from the verdict that is nearest to
// having one of them.
std::string nearest_reason(const Explanation& explanation);

// A selector is false or fails for the devices: no toleration, release or move changes that.
bool is_of_selector(const diag::Reason& reason);

}  // namespace dra::answers
