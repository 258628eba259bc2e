// src/answers/explain/after_summary.h: words the first failure after scheduling as the summary of
// an explanation.

#pragma once

#include <string>
#include <vector>

#include "dra/engine/running/after_scheduling.h"
#include "dra/engine/scheduler/verdict.h"

namespace dra::answers {

// Empty if the explanation is about the verdict and not about a failure after scheduling. `who` is
// the subject: "Pod ml/a".
std::string after_summary(engine::Verdict verdict, const engine::Subject& subject,
                          const std::vector<engine::AfterFinding>& after, const std::string& who);

}  // namespace dra::answers
