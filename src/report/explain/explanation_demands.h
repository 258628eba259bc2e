// src/report/explain/explanation_demands.h
//
// The requests to be allocated, in the text of an explanation: each with its selectors, the devices
// that they choose, and their problems.

#pragma once

#include "dra/report/explain/explanation.h"

namespace dra::report {

// A selector that fails for a device ends the scheduler's attempt for the whole pod.
bool selector_fails(const Explanation& explanation);

// `wide`: everything. Otherwise only the best suggestion, and of classes, which many requests
// share, only problems.
void add_demands(view::Document& document, const Explanation& explanation, bool wide);

}  // namespace dra::report
