// src/answers/explain/holders.h: who holds the devices that a subject lacks.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dra/answers/explain/explanation.h"
#include "dra/engine/cluster/holder_state.h"
#include "dra/engine/scheduler/node_result.h"

namespace dra::answers {

using HoldersByClaim = std::map<std::string, engine::HolderFacts, std::less<>>;

// The claim of a name as namespace/name; nullptr: there is none.
const api::ResourceClaim* claim_called(const snapshot::Snapshot& snapshot, std::string_view name);

// The state of each claim that holds a device on one of the nodes, by namespace/name.
HoldersByClaim holders_in(const snapshot::Snapshot& snapshot,
                          const std::vector<engine::NodeResult>& nodes);

using HolderPods = std::map<std::string, HolderPod, std::less<>>;
// Each pod that holds a device on one of the nodes, by namespace/name, as far as they can be read.
HolderPods holder_pods_in(const snapshot::Snapshot& snapshot,
                          const std::vector<engine::NodeResult>& nodes);

// The first claim, if the pods of all of them have ended; else empty.
std::string held_by_ended(const HoldersByClaim& holders);
// The Deployment, if all holders are pods that another ReplicaSet of it than the pod's made; else
// empty. Such pods stay until the new one is ready.
std::string held_by_old_pods(const snapshot::Snapshot& snapshot, const api::Pod& pod,
                             const HoldersByClaim& holders);
// The first claim, if all of them keep their devices until someone acts; else empty.
std::string held_for_good(const HoldersByClaim& holders);

}  // namespace dra::answers
