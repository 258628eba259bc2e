// include/dra/engine/cluster/workload_pods.h
//
// The pods of a workload: those whose owner references lead to it, through a ReplicaSet, a Job or a
// leading pod where such stand between. And of two pods, whether one and the same thing made them.

#pragma once

#include <string>
#include <vector>

#include "dra/snapshot/snapshot.h"

namespace dra::engine {

struct WorkloadPods {
  std::vector<const api::Pod*> running;  // they have a node, and have not ended
  std::vector<const api::Pod*> waiting;  // for a node; not those that are being deleted
};
WorkloadPods pods_of(const snapshot::Snapshot& snapshot, const api::Workload& workload);

// What controls both: it makes either anew that goes away. nullptr: nothing does.
const api::OwnerReference* common_controller(const api::Pod& a, const api::Pod& b);

// What made the pod, the same for all that it made: its controller, or where a recording has none
// the job that its labels name. Empty: nothing did.
std::string maker_of(const api::Pod& pod);

}  // namespace dra::engine
