// include/dra/engine/cluster/unreleased.h
//
// Claims that hold devices for pods that have ended or do not exist any more. The claim controller
// takes the reservations of such pods away and frees the devices within seconds; one that does not
// run does not, and one before v1.34 forgets claims in deletion when it is restarted
// (kubernetes/kubernetes issue 132334). Upstream: k8s.io/kubernetes/pkg/controller/resourceclaim,
// syncClaim and enqueueResourceClaim.

#pragma once

#include "dra/api/claim.h"
#include "dra/base/time.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// Whether the claim is allocated and all that have reserved it are pods that ended long ago or are
// gone. False where pods could not be read.
bool is_unreleased(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim,
                   base::Instant now);

// The pod that the claim is reserved for, which has ended; nullptr: there is none, or more have
// reserved the claim.
const api::Pod* ended_holder(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim);

}  // namespace dra::engine
