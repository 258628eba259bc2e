// src/report/explain/explanation_cause.h
//
// What an explanation comes down to: one cause, the code that stands for it, and a sentence.

#pragma once

#include "dra/report/explain/explanation.h"

namespace dra::report {

// From all the other facts and the verdict.
void conclude_cause(Explanation& explanation);

}  // namespace dra::report
