// src/engine/whatif/commit_allocation.h: a pod on the node where it fits, as the
// scheduler writes it once it has decided.

#pragma once

#include "dra/engine/scheduler/standing.h"
#include "dra/snapshot/draft.h"

namespace dra::engine {

// The subject is that of the pod, the standing that of the node. All that is asked for stands in
// claims; see extended_resources.h for what does not.
void commit_allocation(snapshot::Draft& draft, const Subject& subject,
                       const NodeStanding& standing);

}  // namespace dra::engine
