// src/answers/explain/estimate.h
//
// When at the latest enough is free for a subject that fits nowhere now: from the times at which
// pods are known to end. The scheduler's answer is simulated without the pods that have ended by
// then.

#pragma once

#include <vector>

#include "dra/answers/explain/explanation.h"
#include "src/answers/explain/survey.h"

namespace dra::answers {

// The times at which pods on nodes end, as far as they are known and after `now`; the first of each
// pod, in their order.
std::vector<Ending> endings_after(const Cluster& cluster, base::Instant now);

// For a subject that fits on no node. `now` is the time of the snapshot.
Estimate estimate_of(const Cluster& cluster, const engine::Wanted& wanted, base::Instant now);

}  // namespace dra::answers
