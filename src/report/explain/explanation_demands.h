// src/report/explain/explanation_demands.h
//
// What is to be allocated, in the text of an explanation: each request with its selectors, what
// they choose, and what is wrong with them.

#pragma once

#include "dra/report/explain/explanation.h"

namespace dra::report {

// `wide`: everything; else the best suggestion only, and of classes, which many requests share,
// only what is wrong with them.
void add_demands(view::Document& document, const Explanation& explanation, bool wide);

}  // namespace dra::report
