// src/answers/explain/after_summary.h: what fails after scheduling, as the sentence of an
// explanation.

#pragma once

#include <string>
#include <vector>

#include "dra/engine/running/after_scheduling.h"
#include "dra/engine/scheduler/verdict.h"

namespace dra::answers {

// Empty where not the first finding but the verdict is what the explanation is about. `who` is the
// subject, as "Pod ml/a".
std::string after_summary(engine::Verdict verdict, const engine::Subject& subject,
                          const std::vector<engine::AfterFinding>& after, const std::string& who);

}  // namespace dra::answers
