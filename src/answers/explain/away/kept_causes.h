// src/answers/explain/away/kept_causes.h
//
// What nodes have to do with a misfit for which a driver publishes nothing, though it should.

#pragma once

#include <vector>

#include "dra/answers/explain/kept_away.h"
#include "src/answers/explain/cause_candidates.h"

namespace dra::answers {

// The nodes that the drivers of the subject's classes should serve and do not. Empty for a
// subject that does not fail to fit.
std::vector<KeptAway> kept_away_of(const Cluster& cluster, const engine::Subject& subject,
                                   const Survey& survey, const engine::Decision& decision);

// The cause where no node that the subject may use has all kinds of devices, and some should.
std::optional<Candidate> all_in_reach_are_silent(const Grounds& grounds);

// Adds to the cause of a shortage that nodes which the subject may use publish nothing.
void add_silent_nodes(const Grounds& grounds, Candidate& cause);

// Marks the nodes of which the cause says all that there is to say. If it is that all nodes in
// reach are silent, nothing is said of others.
void mark_stated(const std::vector<engine::NodeResult>& nodes, const Conclusion& conclusion,
                 std::vector<KeptAway>& kept);

}  // namespace dra::answers
