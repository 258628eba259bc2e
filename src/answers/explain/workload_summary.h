// src/answers/explain/workload_summary.h: the summary of a workload's explanation as one sentence.

#pragma once

#include <string>

#include "dra/answers/explain/workload_explanation.h"

namespace dra::answers {

// Names the workload, the verdict and the cause.
std::string summary_of(const WorkloadExplanation& explanation);

}  // namespace dra::answers
