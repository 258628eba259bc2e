// include/dra/engine/running/eviction.h
//
// When device taints drive a running pod away, and whom a DeviceTaintRule concerns. Only the effect
// NoExecute evicts; the tolerations that count are those that the allocation took over from the
// request, and only if they name that effect: an empty effect lets the scheduler choose the device,
// and the pod is evicted all the same.
//
// Upstream: k8s.io/kubernetes/pkg/controller/devicetainteviction, claimEvictionTime and
// podEvictionTime.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "dra/api/pod.h"
#include "dra/engine/cluster/taints.h"
#include "dra/engine/cluster/usage.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

struct Eviction {
  DeviceTaintOf cause;
  api::Time at;  // the taint's time and what is tolerated; absent: at once, the taint has no time
};

// The first eviction that taints of a device cause for whoever has it by that result; nothing if
// none of them evicts or all are tolerated for ever.
std::optional<Eviction> eviction_for(const api::AllocationResultItem& result,
                                     std::span<const DeviceTaintOf> taints);

// Whether an eviction by a device of the claim concerns the pod: it runs on a node, its spec leads
// to the claim, and the claim is reserved for it and not for an earlier pod of that name.
bool is_evictable(const api::Pod& pod, const api::ResourceClaim& claim);

// The pods that run with a device which the rule selects and whose claim does not tolerate the
// taint for ever, by namespace and name, each once. With the effect NoExecute the controller
// deletes them, with NoSchedule they stay; with None they are those that NoExecute would delete, as
// in the dry run that upstream offers. Needs claims and pods: without them it finds nobody.
std::vector<const api::Pod*> pods_affected(const snapshot::Snapshot& snapshot, const Usage& usage,
                                           const api::DeviceTaintRule& rule);

// When the first of the pods goes whom the rule, with the effect NoExecute, drives away; as
// Eviction::at. No value: none goes.
std::optional<api::Time> first_eviction(const snapshot::Snapshot& snapshot, const Usage& usage,
                                        const api::DeviceTaintRule& rule);

}  // namespace dra::engine
