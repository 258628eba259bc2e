// include/dra/answers/explain/refusal.h
//
// A pod that fits, and the scheduler does not place it: it has tried and says no, so something that
// the simulation does not see is in the way; or it has said nothing at all for long.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dra/answers/explain/explanation.h"

namespace dra::answers {

// What may be behind it, as sentences, and the commands that show whether it is so.
struct RefusalCause {
  std::string text;
  std::vector<std::string> commands = {};
};

struct Refusal {
  diag::Code code;  // SchedulerDown, SchedulerRefuses or SchedulerSilent
  std::string summary;
  std::string cause;                 // with the scheduler's message in full, if it has one
  bool is_fault;                     // the scheduler failed (SchedulerError)
  std::vector<RefusalCause> causes;  // the likeliest first
};

// No value: the pod does not fit, or it can be that the scheduler has not tried it since it fits.
// Upstream: the reasons of the condition PodScheduled, k8s.io/api/core/v1 PodReasonSchedulerError
// and PodReasonUnschedulable.
std::optional<Refusal> refusal_of(const Explanation& explanation);

// Of a pod that fits and is not refused for long: "the scheduler has not acted yet", or what it has
// said before.
std::string waits_for_scheduler(const Explanation& explanation);

}  // namespace dra::answers
