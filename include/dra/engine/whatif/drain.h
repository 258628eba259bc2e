// include/dra/engine/whatif/drain.h
//
// What `kubectl drain NODE... --ignore-daemonsets --force` does to pods, once it has come to its
// end: the nodes are cordoned, all pods on them but those of DaemonSets and static ones are
// evicted, and controllers re-create theirs. A pod that is re-created has its old name here, which
// pods of a ReplicaSet or Job do not keep, and comes into the queue behind all that wait.
//
// A deleted pod of a Job counts as failed; the Job creates another one as long as it has attempts.
// PodDisruptionBudgets delay a drain, or stop it: drain_budgets.h.
//
// Upstream: k8s.io/kubectl/pkg/drain, Helper.GetPodsForDeletion and its filters.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/pod.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/snapshot/draft.h"

namespace dra::engine {

enum class DrainFate : std::uint8_t {
  Recreated,     // its controller creates another one
  NotRecreated,  // it has no controller
  EndsJob,       // its Job, or its index of the Job, fails for good: job_attempts.h
  Ending,        // it is being deleted already, and its controller has replaced it
  OfDaemonSet,   // it stays
  Static,        // it stays: the kubelet has it from a file
};
std::string_view name_of(DrainFate fate);  // "Recreated", as in reports
bool stays(DrainFate fate);

// Whether the kubelet runs the pod from a file: its node owns the object that shows it.
bool is_static(const api::Pod& pod);

struct DrainedPod {
  const api::Pod* pod = nullptr;
  DrainFate fate = DrainFate::Recreated;
  // That are free afterwards. Devices that pods elsewhere share with it are not.
  std::vector<DeviceId> loses = {};
  // It leaves, and the data of an emptyDir volume with it, for which `kubectl drain` wants a flag.
  bool loses_data = false;
};

// The pods on these nodes that have not ended, by namespace and name.
std::vector<DrainedPod> drained_pods(const snapshot::Snapshot& snapshot,
                                     std::span<const std::string> nodes);

// Cordons the nodes, and adds the pods that are re-created, which must have been removed with what
// was made for them.
void cordon(snapshot::Draft& draft, std::span<const std::string> nodes);
void make_again(snapshot::Draft& draft, std::vector<api::Pod> pods);

}  // namespace dra::engine
