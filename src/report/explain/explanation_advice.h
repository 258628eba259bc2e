// src/report/explain/explanation_advice.h
//
// What would help, and what cannot hold together, in the text of an explanation: as much as a
// screen has room for.

#pragma once

#include "dra/report/explain/explanation.h"

namespace dra::report {

// Lines that are to be left for it.
std::size_t advice_height(const Explanation& explanation);
void add_advice(view::Document& document, const Explanation& explanation,
                const snapshot::Snapshot& snapshot, const ExplainViewOptions& options,
                std::size_t limit);

}  // namespace dra::report
