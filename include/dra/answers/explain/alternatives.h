// include/dra/answers/explain/alternatives.h
//
// Explains prioritized lists (firstAvailable) that no node can serve: the reason against each
// alternative.

#pragma once

#include <string>
#include <vector>

#include "dra/answers/explain/explanation.h"

namespace dra::answers {

// A reason NoAlternative for each prioritized list of the subject. Empty for a node on which the
// subject fits or may fit.
std::vector<diag::Reason> alternatives_against(const engine::Subject& subject,
                                               const engine::NodeResult& node);

// The outcome of one alternative over all nodes: "not enough devices on 2 nodes, taken on 1 node".
// Empty if nothing is known.
std::string outcome_of(const Explanation& explanation, const engine::SubjectClaim& claim,
                       const api::NamedDemand& demand);

}  // namespace dra::answers
