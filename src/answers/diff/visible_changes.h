// src/answers/diff/visible_changes.h
//
// The changes between two states, of kinds that both states could read: not visible is not gone.

#pragma once

#include <vector>

#include "dra/engine/whatif/hypothesis.h"
#include "dra/snapshot/state_between.h"

namespace dra::answers {

// True if both states could read the kind.
bool saw_both(const snapshot::Snapshot& before, const snapshot::Snapshot& after, api::Kind kind);

// The objects that differ, of kinds that both states could read.
std::vector<snapshot::Difference> visible_changes(const snapshot::Snapshot& before,
                                                  const snapshot::Snapshot& after);

// Selects the events that an answer about the subject can depend on: events about its pod, about
// pods that have reserved its claims, and about pod groups.
std::vector<snapshot::Difference> events_about(const snapshot::Snapshot& before,
                                               const snapshot::Snapshot& after,
                                               const engine::Wanted& wanted,
                                               const std::vector<snapshot::Difference>& events);

}  // namespace dra::answers
