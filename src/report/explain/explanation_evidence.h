// src/report/explain/explanation_evidence.h
//
// The figures behind reasons in the text of an explanation: a table for each.

#pragma once

#include <optional>

#include "dra/report/explain/explanation.h"

namespace dra::report {

// Of all reasons against nodes, each with a blank line before it if `blank`. Whether there are any.
bool add_evidence(view::Document& document, const Explanation& explanation, bool wide, bool blank);

// Of one reason, which stands in the document.
void add_evidence(view::Document& document, const diag::Evidence& evidence, bool wide,
                  view::PartId reason);

}  // namespace dra::report
