// include/dra/answers/explain/alternatives.h
//
// A prioritized list that no node can serve: what is against each of its alternatives.

#pragma once

#include <string>
#include <vector>

#include "dra/answers/explain/explanation.h"

namespace dra::answers {

// The reason NoAlternative for each such list of the subject; none of a node on which it may fit.
std::vector<diag::Reason> alternatives_against(const engine::Subject& subject,
                                               const engine::NodeStanding& node);

// What became of one alternative over the nodes: "not enough devices on 2 nodes, taken on 1 node".
// Empty if nothing is known.
std::string outcome_of(const Explanation& explanation, const engine::SubjectClaim& claim,
                       const api::NamedDemand& demand);

}  // namespace dra::answers
