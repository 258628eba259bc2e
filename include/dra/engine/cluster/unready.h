// include/dra/engine/cluster/unready.h: why a pod is not ready, in the words of whatever reports
// it.

#pragma once

#include <string>

#include "dra/api/pod.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// What the first container that fails said last, what the scheduler or the kubelet say, or the
// newest warning about the pod. Empty: not known.
std::string why_not_ready(const snapshot::Snapshot& snapshot, const api::Pod& pod);

// The state of its containers and what was said about it: "CrashLoopBackOff, 31 restarts,
// OOMKilled (exit code 137)", "ContainerCreating: MountVolume.SetUp failed", "Running:
// Readiness probe failed".
std::string unready_in_words(const snapshot::Snapshot& snapshot, const api::Pod& pod);

}  // namespace dra::engine
