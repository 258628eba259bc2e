// src/answers/explain/scheduler_word.h: the scheduler's own message about a pod that waits.

#pragma once

#include <optional>

#include "dra/answers/explain/explanation.h"

namespace dra::answers {

// `verdict` is the explanation's, about `nodes` nodes: the message is compared with it.
std::optional<SchedulerWord> scheduler_word(const snapshot::Snapshot& snapshot, const api::Pod& pod,
                                            Verdict verdict, std::size_t nodes);

}  // namespace dra::answers
