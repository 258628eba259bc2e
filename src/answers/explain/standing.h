// src/answers/explain/standing.h: the phase and age of a subject, as kubectl shows them.

#pragma once

#include <string>

#include "dra/engine/scheduler/pod_claims.h"
#include "dra/snapshot/snapshot.h"

namespace dra::answers {

// "Pending 60m", "ContainerCreating 3m on node-1"; `with_devices`: "Running 5d on node-1 with
// gpu-5"; of one claim "pending 60m". Empty: the subject does not exist yet, or is several claims.
std::string standing_of(const snapshot::Snapshot& snapshot, const engine::Subject& subject,
                        bool with_devices);

// " 60m": how old the object is. Empty: not known.
std::string age_of(const snapshot::Snapshot& snapshot, const api::ObjectMeta& meta);

}  // namespace dra::answers
