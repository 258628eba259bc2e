// include/dra/engine/cluster/scheduling_group.h
//
// The pod group that a pod names in spec.schedulingGroup, as the scheduler sees it: its PodGroup
// object, and the pods that name it, too. Without the object no pod of the group is looked at. A
// gang needs minCount pods before any of them is; those of other groups are scheduled one by one.
//
// The feature GenericWorkload is off by default; where it is off, the API server drops the field
// and the scheduler ignores it. A server that kept it has the feature on, unless it says otherwise.
//
// Not judged: groups of a CompositePodGroup, groups with topology constraints, and groups whose
// pods differ from the group in priority or preemption policy, or from each other in scheduler.
//
// Upstream: k8s.io/kubernetes/pkg/scheduler/framework/plugins/gangscheduling (PreEnqueue);
// k8s.io/kubernetes/pkg/scheduler (validatePodGroup).

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/pod.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

struct SchedulingGroup {
  enum class State : std::uint8_t {
    None,     // the pod names none, or the scheduler ignores it
    Unknown,  // nothing can be said; `why` says why not
    Missing,  // no PodGroup has the name
    Basic,    // each pod is scheduled by itself
    Gang,     // min_count pods together, or none
  };
  State state = State::None;
  std::string_view name = {};
  std::string why = {};        // "podgroups cannot be read"
  std::int64_t min_count = 0;  // of a gang
  // Of a gang: its pods that have not ended, in the order of a list, and how many have a node.
  std::vector<const api::Pod*> pods = {};
  std::int64_t with_node = 0;

  // It is a gang that has as many pods as it needs, so the scheduler looks at them.
  bool is_looked_at() const {
    return state == State::Gang && static_cast<std::int64_t>(pods.size()) >= min_count;
  }
};

SchedulingGroup scheduling_group_of(const snapshot::Snapshot& snapshot, const api::Pod& pod);

// What of the group no filter of nodes can tell: "the pod group g (podgroups cannot be read)",
// "whether the pods of gang g fit together". Empty: nothing.
std::string not_filtered(const SchedulingGroup& group);

}  // namespace dra::engine
