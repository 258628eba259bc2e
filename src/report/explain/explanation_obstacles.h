// src/report/explain/explanation_obstacles.h
//
// Reasons against nodes, holders of devices, and the outlook, in the text of an explanation, as far
// as the table of nodes and the lines above do not show them.

#pragma once

#include "dra/report/explain/explanation.h"

namespace dra::report {

// The explanation must have nodes.
void add_obstacles(view::Document& document, const Explanation& explanation,
                   const ExplainViewOptions& options);

}  // namespace dra::report
