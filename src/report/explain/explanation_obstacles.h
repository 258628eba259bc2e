// src/report/explain/explanation_obstacles.h
//
// What stands against nodes, who holds the devices there, and whether that will ever change, in the
// text of an explanation: what the table of nodes and the lines above have not said yet.

#pragma once

#include "dra/report/explain/explanation.h"

namespace dra::report {

// There must be nodes.
void add_obstacles(view::Document& document, const Explanation& explanation,
                   const snapshot::Snapshot& snapshot, const ExplainViewOptions& options);

}  // namespace dra::report
