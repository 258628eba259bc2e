// src/answers/diff/changes_near_devices.h
//
// Selects the changes that concern the devices of one subject: their earlier holders, their pools,
// and their node.

#pragma once

#include <vector>

#include "dra/engine/scheduler/pod_claims.h"
#include "dra/snapshot/state_between.h"

namespace dra::answers {

// `subject` belongs to the later state. The nearest changes come first.
std::vector<snapshot::Difference> changes_near_devices(
    const snapshot::Snapshot& before, const snapshot::Snapshot& after,
    const engine::Subject& subject, const std::vector<snapshot::Difference>& changes);

}  // namespace dra::answers
