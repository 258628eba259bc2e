// src/report/explain/explanation_outlook.h: words the outlook of a subject that fits nowhere.

#pragma once

#include <string>

#include "dra/report/explain/explanation.h"

namespace dra::report {

// A sentence; empty if the outlook is not proven.
std::string outlook_words(const Explanation& explanation);

}  // namespace dra::report
