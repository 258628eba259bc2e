// include/dra/engine/whatif/post_filter.h
//
// PostFilter: where no node fits, the scheduler deallocates a claim that is allocated for other
// nodes and that nobody else has reserved, and tries again with the claim pending. Upstream:
// k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources, PostFilter.

#pragma once

#include <vector>

#include "dra/engine/scheduler/node_result.h"
#include "dra/engine/whatif/hypothesis.h"

namespace dra::engine {

// Rules out the nodes where the claims cannot be allocated even once they are pending again, and
// adds the reasons. Where nodes differ in the claims to be deallocated, all nodes stay open: the
// scheduler picks one of the claims at random.
void apply_post_filter(const snapshot::Snapshot& snapshot, const Wanted& wanted, Depth depth,
                       std::vector<NodeResult>& nodes);

}  // namespace dra::engine
