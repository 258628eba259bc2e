// src/answers/explain/help.h: what would help a subject that fits nowhere.

#pragma once

#include <optional>
#include <vector>

#include "dra/answers/explain/explanation.h"

namespace dra::answers {

// The subject, to be looked up again by name.
engine::Wanted wanted_of(const std::vector<SubjectName>& subjects, const engine::Subject& subject);

// Of a subject that does not fit on these nodes. Nothing where they are not all that there are, or
// where the pod is not one of the snapshot's.
std::optional<Help> help_of(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                            const engine::NodeLoads& loads, const engine::Wanted& wanted,
                            const api::Pod* pod, const std::vector<engine::NodeStanding>& nodes);

}  // namespace dra::answers
