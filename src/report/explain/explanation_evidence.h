// src/report/explain/explanation_evidence.h
//
// The figures behind reasons in the text of an explanation: a table for each, as much as a screen
// has room for.

#pragma once

#include "dra/report/explain/explanation.h"

namespace dra::report {

// `below`: lines to leave for what follows.
void add_evidence(view::Document& document, const Explanation& explanation, bool wide,
                  std::size_t below);

// Of one reason, in a document that may have `limit` lines.
void add_evidence(view::Document& document, const diag::Evidence& evidence, bool wide,
                  std::size_t limit);

}  // namespace dra::report
