// src/report/explain/explanation_outlook.h: whether a subject that fits nowhere can ever fit, in
// words.

#pragma once

#include <string>

#include "dra/report/explain/explanation.h"

namespace dra::report {

// A sentence; empty where that is not proven.
std::string outlook_words(const Explanation& explanation);

}  // namespace dra::report
