// src/report/explanation_demands.h
//
// What is to be allocated, in the text of an explanation: each request with its selectors, what
// they choose, and what is wrong with them.

#pragma once

#include "dra/report/explanation.h"

namespace dra::report {

// False if there is nothing. `wide`: all suggestions, not only the best.
bool add_demands(view::Document& document, const Explanation& explanation, bool wide);

}  // namespace dra::report
