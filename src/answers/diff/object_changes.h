// src/answers/diff/object_changes.h
//
// From the objects that differ to the facts about each.

#pragma once

#include <span>
#include <vector>

#include "dra/answers/diff/object_change.h"
#include "dra/snapshot/snapshot.h"

namespace dra::answers {

std::vector<ObjectChange> object_changes(const snapshot::Snapshot& before,
                                         const snapshot::Snapshot& after,
                                         std::span<const snapshot::Difference> objects);

// All of them, one at least, are events that are gone. Events expire after an hour or so: it does
// not follow that what they reported is over.
bool only_events_gone(const std::vector<ObjectChange>& changes);

}  // namespace dra::answers
