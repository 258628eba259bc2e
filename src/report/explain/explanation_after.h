// src/report/explain/explanation_after.h
//
// Failures after scheduling in an explanation: as JSON and as text.

#pragma once

#include "dra/report/explain/explanation.h"

namespace dra::report {

json::Value after_json(const Explanation& explanation);

// Each finding with its evidence and its remedy. The message of the first one is skipped if the
// first line has it. There must be findings.
void add_after(view::Document& document, const Explanation& explanation,
               const ExplainViewOptions& options);

}  // namespace dra::report
