// src/answers/explain/workload_summary.h: the sentence that a workload's explanation comes down to.

#pragma once

#include <string>

#include "dra/answers/explain/workload_explanation.h"

namespace dra::answers {

// Verdict, cause, who.
std::string summary_of(const WorkloadExplanation& explanation);

}  // namespace dra::answers
