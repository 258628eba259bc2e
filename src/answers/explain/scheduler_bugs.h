// src/answers/explain/scheduler_bugs.h: known bugs of kube-scheduler that may be why it does not
// place a pod.

#pragma once

#include <string>
#include <vector>

#include "src/answers/explain/survey.h"

namespace dra::answers {

// For a pod on whose nodes the allocator decides as in `explanation`: the bugs of this release
// whose condition holds, in words, the likeliest first.
std::vector<std::string> scheduler_bugs(const snapshot::Snapshot& snapshot,
                                        const Explanation& explanation);

}  // namespace dra::answers
