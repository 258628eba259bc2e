// src/report/explain/explanation_advice.h
//
// Advice and conflicts in the text of an explanation.

#pragma once

#include "dra/report/explain/explanation.h"

namespace dra::report {

void add_advice(view::Document& document, const Explanation& explanation,
                const ExplainViewOptions& options);

}  // namespace dra::report
