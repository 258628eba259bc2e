// src/answers/explain/device_causes.h
//
// Causes of a misfit that lie in the devices: none matches, all that match are in use, or those of
// the nearest node are too few. cause.cpp orders them.

#pragma once

#include <optional>

#include "src/answers/explain/cause_candidates.h"

namespace dra::answers {

// A request that no device in the cluster can serve, free or not.
std::optional<Candidate> never_matched(const Grounds& grounds);
// All devices that match any of the requests are in use.
std::optional<Candidate> everything_in_use(const Grounds& grounds);
// What is against the nodes that are nearest to serving the subject, and against the others.
Candidate nearest_nodes(const Grounds& grounds);

}  // namespace dra::answers
