// src/report/explain/explanation_after.h
//
// What fails after scheduling, in an explanation: as JSON and as text.

#pragma once

#include "dra/report/explain/explanation.h"

namespace dra::report {

json::Value after_json(const Explanation& explanation);

// Each finding with what was seen and what to do. The first one's sentence is left out where the
// first line has said it. There must be findings.
void add_after(view::Document& document, const Explanation& explanation,
               const ExplainViewOptions& options);

}  // namespace dra::report
