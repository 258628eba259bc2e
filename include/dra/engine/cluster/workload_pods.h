// include/dra/engine/cluster/workload_pods.h
//
// The pods of a workload: those whose owner references lead to it, directly or through a
// ReplicaSet, a Job or a leader pod. And which pods have a common maker.

#pragma once

#include <string>
#include <vector>

#include "dra/api/claim.h"
#include "dra/api/meta.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

struct WorkloadPods {
  std::vector<const api::Pod*> running;  // with a node, not ended
  std::vector<const api::Pod*> waiting;  // without a node; not those that are being deleted
};
WorkloadPods pods_of(const snapshot::Snapshot& snapshot, const api::Workload& workload);

// The controller of both pods, which replaces either when it goes away. nullptr: there is none.
const api::OwnerReference* common_controller(const api::Pod& a, const api::Pod& b);

struct WorkloadName {
  std::string kind;  // empty: nothing creates the pod again
  std::string name;
};
// What creates the pod, and what created that: its Deployment rather than the ReplicaSet, which is
// read from the pod's labels where it cannot be read itself.
WorkloadName workload_of(const snapshot::Snapshot& snapshot, const api::Pod& pod);

// To whom the devices of a claim belong: what creates the first pod that has reserved it, or the
// pod itself; of pods that are gone the one that the claim was made for; else the claim.
WorkloadName holder_of(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim);

// A key for the pod's maker, equal for all pods that it made: the controller, or, where a recording
// has none, the job in its labels. Empty: made by hand.
std::string maker_of(const api::Pod& pod);

// Whether the pods work together: one maker, one JobSet, or one group of a LeaderWorkerSet. Neither
// goes away for the other.
bool work_together(const api::Pod& a, const api::Pod& b);

}  // namespace dra::engine
