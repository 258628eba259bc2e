// src/report/explain/explanation_evidence.h
//
// Evidence of reasons in the text of an explanation: a table for each.

#pragma once

#include <optional>

#include "dra/report/explain/explanation.h"

namespace dra::report {

// Adds evidence of all reasons against nodes, each table after a blank line if `blank`. True if
// there is any.
bool add_evidence(view::Document& document, const Explanation& explanation, bool wide, bool blank);

// Adds evidence of one reason that is in the document.
void add_evidence(view::Document& document, const diag::Evidence& evidence, bool wide,
                  view::PartId reason);

}  // namespace dra::report
