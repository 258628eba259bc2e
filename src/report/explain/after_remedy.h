// src/report/explain/after_remedy.h
//
// What to do about a finding after scheduling, in words.

#pragma once

#include "dra/diag/remedy.h"
#include "dra/engine/running/after_scheduling.h"

namespace dra::report {

diag::Remedy remedy_of(const engine::AfterFinding& found);

}  // namespace dra::report
