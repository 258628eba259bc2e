// src/answers/explain/scheduler_word.h: what the cluster itself says about a pod that waits.

#pragma once

#include <optional>

#include "dra/answers/explain/explanation.h"

namespace dra::answers {

// From its PodScheduled condition or the newest event. `verdict` is over so many nodes.
std::optional<SchedulerWord> scheduler_word(const snapshot::Snapshot& snapshot, const api::Pod& pod,
                                            Verdict verdict, std::size_t nodes);

}  // namespace dra::answers
