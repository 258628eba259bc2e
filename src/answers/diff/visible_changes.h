// src/answers/diff/visible_changes.h
//
// The changes between two states, as far as both could be read: what is not visible is not gone.

#pragma once

#include <vector>

#include "dra/engine/whatif/hypothesis.h"
#include "dra/snapshot/state_between.h"

namespace dra::answers {

// Objects of the kind could be read in both states.
bool saw_both(const snapshot::Snapshot& before, const snapshot::Snapshot& after, api::Kind kind);

// The objects that differ, of kinds that could be read in both.
std::vector<snapshot::Difference> visible_changes(const snapshot::Snapshot& before,
                                                  const snapshot::Snapshot& after);

// Of these events the ones that an answer about the subject can depend on: about its pod, about
// pods that have reserved its claims, and about groups of pods.
std::vector<snapshot::Difference> events_about(const snapshot::Snapshot& before,
                                               const snapshot::Snapshot& after,
                                               const engine::Wanted& wanted,
                                               const std::vector<snapshot::Difference>& events);

}  // namespace dra::answers
