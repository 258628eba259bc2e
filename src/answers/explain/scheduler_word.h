// src/answers/explain/scheduler_word.h: the scheduler's own message about a pod that waits.

#pragma once

#include <optional>
#include <span>

#include "dra/answers/explain/explanation.h"

namespace dra::answers {

// The message is compared with the verdict and with what keeps the pod from the nodes.
std::optional<SchedulerWord> scheduler_word(const snapshot::Snapshot& snapshot, const api::Pod& pod,
                                            Verdict verdict,
                                            std::span<const engine::NodeResult> nodes);

}  // namespace dra::answers
