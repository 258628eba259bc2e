// include/dra/engine/running/eviction.h
//
// When device taints evict a running pod, and which pods a DeviceTaintRule affects. Only the effect
// NoExecute evicts. The tolerations that count are those that the allocation copied from the
// request, and only if they name that effect: with an empty effect the scheduler chooses the
// device, and the pod is evicted all the same.
//
// Upstream: k8s.io/kubernetes/pkg/controller/devicetainteviction, claimEvictionTime and
// podEvictionTime.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/pod.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/cluster/taints.h"
#include "dra/engine/cluster/usage.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// What an AfterFinding is of a pod that was evicted for a taint that its claim tolerates.
inline constexpr std::string_view kTolerationLost = "toleration lost";

struct Eviction {
  DeviceTaintOf cause;
  api::Time
      at;  // the taint's time plus the tolerated seconds; absent: at once, the taint has no time
};

// The first eviction that the taints of a device cause for the claim with that result. No value:
// none of them evicts, or all are tolerated for ever.
std::optional<Eviction> eviction_for(const api::AllocationResultItem& result,
                                     std::span<const DeviceTaintOf> taints);

// Whether the pod should be gone: the controller acts within seconds. Not where the time of the
// state is not known.
bool is_overdue(const api::Time& eviction, const snapshot::Snapshot& snapshot);

// Whether an eviction by a device of the claim affects the pod: it has a node, its spec refers to
// the claim, and the claim is reserved for it, not for an earlier pod of that name.
bool is_evictable(const api::Pod& pod, const api::ResourceClaim& claim);

// Whether the pod has the claim by an extended resource alone. The eviction controller looks at
// spec.resourceClaims, so it does not evict the pod (kubernetes/kubernetes issue 141290).
bool is_unseen_by_eviction(const api::Pod& pod, const api::ResourceClaim& claim);

// Whether a taint evicts pods from a device that the pod has, and the pod stays as the controller
// does not see that.
bool stays_on_tainted_device(const snapshot::Snapshot& snapshot, const Inventory& inventory,
                             const api::Pod& pod);

// The pods with a device that the rule selects, by a claim that does not tolerate the taint for
// ever; by namespace and name, each once. With the effect NoExecute the controller deletes them,
// with NoSchedule they stay; with None, upstream's dry run, they are those that NoExecute would
// delete. Needs claims and pods: without them the result is empty.
std::vector<const api::Pod*> pods_affected(const snapshot::Snapshot& snapshot, const Usage& usage,
                                           const api::DeviceTaintRule& rule);

// A pod that a rule with the effect NoExecute evicts, and when: the first time for the pod; absent:
// at once, as Eviction::at.
struct DueEviction {
  const api::Pod* pod = nullptr;
  api::Time at;
};
// The pods of pods_affected, in their order.
std::vector<DueEviction> evictions_by(const snapshot::Snapshot& snapshot, const Usage& usage,
                                      const api::DeviceTaintRule& rule);

// Why taint rules do nothing, for each gate that they need and that is off: "DRADeviceTaints is off
// by default in v1.36.0". Empty: they act. Upstream: the scheduler and the eviction controller look
// at rules only with both DRADeviceTaints and DRADeviceTaintRules
// (k8s.io/dynamic-resource-allocation/resourceslice/tracker).
std::vector<std::string> gates_off_for_rules(const snapshot::Server& server);

// Whether the rule evicts any pod at all.
bool acts_by_eviction(const snapshot::Server& server, const api::DeviceTaintRule& rule);

}  // namespace dra::engine
