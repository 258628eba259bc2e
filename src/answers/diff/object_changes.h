// src/answers/diff/object_changes.h
//
// Describes each object that differs by facts.

#pragma once

#include <span>
#include <vector>

#include "dra/answers/diff/object_change.h"
#include "dra/snapshot/snapshot.h"

namespace dra::answers {

std::vector<ObjectChange> object_changes(const snapshot::Snapshot& before,
                                         const snapshot::Snapshot& after,
                                         std::span<const snapshot::Difference> objects);

// True if there are changes and all of them are events that are gone. Events expire after about an
// hour, so the trouble that they reported may continue.
bool only_events_gone(const std::vector<ObjectChange>& changes);

}  // namespace dra::answers
