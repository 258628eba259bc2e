// src/answers/explain/shortage/counters_again.h

#pragma once

#include "src/answers/explain/cause_candidates.h"

namespace dra::answers {

// Adds a remedy to a cause that has none: a device lacks counters that it has itself, which is a
// bug of kube-scheduler (engine/facts/known_bugs.h).
void name_counter_bug(const Grounds& grounds, Candidate& cause);

}  // namespace dra::answers
