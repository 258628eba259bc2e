// src/answers/explain/after/after_summary.h: words the first failure after scheduling as the answer
// of an explanation.

#pragma once

#include <vector>

#include "dra/answers/explain/headline.h"
#include "dra/engine/running/after_scheduling.h"
#include "dra/engine/scheduler/verdict.h"

namespace dra::answers {

// Sets answer and predicate. False: the explanation is about the verdict and not about a failure
// after scheduling, and nothing is set.
bool adds_failure(engine::Verdict verdict, const engine::Subject& subject,
                  const std::vector<engine::AfterFinding>& after, Headline& headline);

}  // namespace dra::answers
