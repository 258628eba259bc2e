// include/dra/engine/whatif/preemption.h
//
// Preemption: where no node fits, the scheduler's plugin DefaultPreemption deletes pods of lower
// priority on one node, so that the pod fits there. It looks at nodes that a filter rejects for
// what pods on them have, takes all pods of lower priority away, and puts back one after the other
// what the pod leaves room for: first those that PodDisruptionBudgets protect, and of these and the
// others the more important ones first. Pods that are nominated for a node, with the same priority
// or a higher one, count as if they were there.
//
// Devices are never freed so: every rejection of DynamicResources is final, and the claims of a
// victim stay allocated until the victim has ended. So only nodes count where the claims fit now.
//
// Pods that are equal in priority and start are in the order of the snapshot here, and in that of
// its cache in the scheduler. Where more nodes than the scheduler looks at could be chosen, it
// begins at a random one. Pod groups are not simulated, and neither are extenders. Two faults of
// upstream are not repeated: it takes a host port for free once one of several pods with it is gone
// (a node has one such pod only), and counts a pod that is being deleted as one less for topology
// spread when it takes it away.
//
// Upstream: k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption,
// SelectVictimsOnNode and PodEligibleToPreemptOthers; pkg/scheduler/framework/preemption,
// FilterVictimsWithPDBViolation and pickOneNodeForPreemption.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/node_loads.h"
#include "dra/engine/scheduler/node_result.h"

namespace dra::engine {

// What would be deleted on one node.
struct NodePreemption {
  const api::Node* node = nullptr;
  std::vector<const api::Pod*> victims = {};  // at least one; the most important first
  std::int64_t violations = 0;                // of these, pods that a budget protects
  bool has_devices = true;                    // false: the pod does not fit all the same
  bool chosen = false;  // the scheduler picks it, or one of several that are equal to it
};

enum class Preempts : std::uint8_t {
  Helps,      // the pod fits afterwards, on the chosen node
  NoDevices,  // there would be room on the chosen node, but no devices, so nothing is deleted
  Forbidden,  // it would help, but the pod's preemptionPolicy is Never
  Waits,      // pods that were preempted for it are ending on its nominated node
};
std::string_view name_of(Preempts preempts);  // "helps", as in reports

struct Preemption {
  Preempts preempts = Preempts::Helps;
  // Of all but Waits, by name: those where the pod would fit, or there are none, and those where
  // only devices would be missing.
  std::vector<NodePreemption> nodes = {};
  std::string_view nominated = {};  // of Waits
  bool any_node = false;            // the scheduler looks at some of the nodes only
};

// For a pod that fits on none of these nodes, which are all nodes of the snapshot. No value: no
// room is made, or what would be is not known.
std::optional<Preemption> preemption_for(const snapshot::Snapshot& snapshot, const NodeLoads& loads,
                                         const api::Pod& pod, std::span<const NodeResult> nodes);

}  // namespace dra::engine
