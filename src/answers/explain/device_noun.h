// src/answers/explain/device_noun.h: what the devices of a request are called.

#pragma once

#include <string_view>

#include "dra/engine/scheduler/pod_claims.h"
#include "dra/snapshot/snapshot.h"

namespace dra::answers {

// "GPU" if the classes of all requests that wait are of drivers of GPUs (engine/facts/
// driver_knowledge); "device" if they differ, or the drivers are not known.
std::string_view device_noun(const snapshot::Snapshot& snapshot, const engine::Subject& subject);

// Of one class: "device" if it is missing.
std::string_view device_noun(const snapshot::Snapshot& snapshot, std::string_view device_class);

}  // namespace dra::answers
