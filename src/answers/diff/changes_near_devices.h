// src/answers/diff/changes_near_devices.h
//
// Of the changes between two states of a cluster the ones that concern the very devices that a
// subject got: who had them before, their pools, and the node that they are on.

#pragma once

#include <vector>

#include "dra/engine/scheduler/pod_claims.h"
#include "dra/snapshot/state_between.h"

namespace dra::answers {

// `subject` is as it is after. The changes nearest to its devices come first.
std::vector<snapshot::Difference> changes_near_devices(
    const snapshot::Snapshot& before, const snapshot::Snapshot& after,
    const engine::Subject& subject, const std::vector<snapshot::Difference>& changes);

}  // namespace dra::answers
