// src/engine/scheduler/claim_blockers.h: what stops a subject before any node is looked at, apart
// from claims that cannot be resolved.

#pragma once

#include "dra/engine/scheduler/pod_claims.h"

namespace dra::engine {

// Adds a blocker for each class that is missing, each claim that has all the pods that it takes, a
// claim that the API server does not let be created for want of admin access, an extended resource
// that nothing offers, and an allocation that is still being made. The claims of the subject must
// be resolved.
void add_claim_blockers(const snapshot::Snapshot& snapshot, Subject& subject);

}  // namespace dra::engine
