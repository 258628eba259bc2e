// src/engine/whatif/commit_allocation.h: what the scheduler writes once it has chosen a node for a
// pod: the allocations of its claims, their reservations, the node's name.

#pragma once

#include "dra/engine/scheduler/node_result.h"
#include "dra/snapshot/draft.h"

namespace dra::engine {

// The subject is the pod's, and has no claim for extended resources.
void commit_allocation(snapshot::Draft& draft, const Subject& subject, const NodeResult& result);

}  // namespace dra::engine
