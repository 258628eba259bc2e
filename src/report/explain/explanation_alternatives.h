// src/report/explain/explanation_alternatives.h
//
// A prioritized list that no node can serve: what is against each of its alternatives.

#pragma once

#include <string>

#include "dra/report/explain/explanation.h"

namespace dra::report {

// Adds the reason NoAlternative to each node that a subject with such lists does not fit on.
void add_alternatives(Explanation& explanation);

// What became of one alternative over the nodes: "not enough devices on 2 nodes, taken on 1 node".
// Empty if nothing is known.
std::string outcome_of(const Explanation& explanation, const engine::SubjectClaim& claim,
                       const api::NamedDemand& demand);

}  // namespace dra::report
