// include/dra/engine/whatif/post_filter.h
//
// What becomes of nodes for which a claim would first have to be moved. Where no node fits, the
// scheduler takes back what is allocated for other nodes, if nobody else has reserved it, and tries
// again with the claim pending. Upstream: k8s.io/kubernetes/pkg/scheduler/framework/plugins/
// dynamicresources, PostFilter.

#pragma once

#include <vector>

#include "dra/engine/scheduler/standing.h"
#include "dra/engine/whatif/hypothesis.h"

namespace dra::engine {

// Rules out the nodes where the claims cannot be had either once they are pending again, and adds
// why. Where the nodes differ in which claims would be moved, all stays open: which the scheduler
// takes back first is chance.
void apply_post_filter(const snapshot::Snapshot& snapshot, const Wanted& wanted, Depth depth,
                       std::vector<NodeStanding>& nodes);

}  // namespace dra::engine
