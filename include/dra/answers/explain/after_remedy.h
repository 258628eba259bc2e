// include/dra/answers/explain/after_remedy.h
//
// Words the remedy of a finding after scheduling.

#pragma once

#include "dra/diag/remedy.h"
#include "dra/engine/running/after_scheduling.h"

namespace dra::answers {

diag::Remedy remedy_of(const engine::AfterFinding& found);

}  // namespace dra::answers
