// src/engine/cluster/scheduling_group.cpp: see scheduling_group.h.

#include "dra/engine/cluster/scheduling_group.h"

#include <algorithm>

#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "dra/engine/facts/features.h"
#include "dra/snapshot/template_pods.h"

namespace dra::engine {
namespace {

using State = SchedulingGroup::State;

// The last release in which gangs have a feature of their own.
constexpr int kGangsApart = 36;

std::string unknown_feature(Gate gate) {
  return base::format("whether the feature {} is on is not known", name_of(gate));
}

// Why the PodGroup that is not there may exist all the same; empty: it does not.
std::string may_be_unseen(const snapshot::Coverage& coverage, std::string_view ns) {
  const snapshot::Missing* missing = coverage.find(api::Kind::PodGroup);
  if (missing != nullptr && !coverage.saw(api::Kind::PodGroup, ns))
    return snapshot::cannot_be_read(*missing);
  if (missing == nullptr && !coverage.saw(api::Kind::PodGroup)) return "podgroups were not read";
  return {};
}

std::string_view preemption_policy(std::string_view policy) {
  return policy.empty() ? std::string_view("PreemptLowerPriority") : policy;
}

// The scheduler gives up on such a group with an error.
bool goes_with(const api::Pod& pod, const api::PodGroup& object) {
  return pod.spec.priority == object.spec.priority &&
         preemption_policy(pod.spec.preemption_policy) ==
             preemption_policy(object.spec.preemption_policy);
}

// Of a group that exists: what is not judged; empty: nothing.
std::string not_judged(const SchedulingGroup& group, const api::PodGroup& object) {
  if (!object.spec.parent.empty())
    return base::format("it is of composite pod group {}", object.spec.parent);
  if (!object.spec.constraints.topology.empty()) return "it has topology constraints";
  for (const api::Pod* pod : group.pods) {
    if (pod->spec.scheduler_name != group.pods.front()->spec.scheduler_name)
      return "its pods name several schedulers";
    if (!goes_with(*pod, object))
      return base::format("pod {} and it differ in priority or preemption policy", pod->meta.name);
  }
  return {};
}

void add_pods(const snapshot::Snapshot& snapshot, std::string_view ns, SchedulingGroup& group) {
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    if (!pod.spec.group || pod.spec.group->pod_group != group.name || pod.meta.namespace_ != ns ||
        pod.finished())
      continue;
    group.pods.push_back(&pod);
    if (!pod.spec.node_name.empty()) ++group.with_node;
  }
}

// The gates decide first, as far as they are known.
std::string what_of_gates(const snapshot::Server& server, const api::Pod& pod, bool matters) {
  const bool stored = !snapshot::is_planned(pod);
  if (is_assumed(server, Gate::GenericWorkload) && !stored)
    return unknown_feature(Gate::GenericWorkload);
  if (minor_release(server) <= kGangsApart && matters && is_assumed(server, Gate::GangScheduling))
    return unknown_feature(Gate::GangScheduling);
  return {};
}

bool has_gangs(const snapshot::Server& server) {
  return minor_release(server) > kGangsApart || features_of(server).on(Gate::GangScheduling);
}

}  // namespace

SchedulingGroup scheduling_group_of(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  SchedulingGroup group;
  if (!pod.spec.group || pod.spec.group->pod_group.empty()) return group;
  const snapshot::Server& server = snapshot.server();
  const bool assumed = is_assumed(server, Gate::GenericWorkload);
  if (!assumed && !features_of(server).on(Gate::GenericWorkload)) return group;
  group.name = pod.spec.group->pod_group;
  const std::string_view ns = pod.meta.namespace_;
  const auto* object = snapshot.find<api::PodGroup>(ns, group.name);
  const bool gang = object != nullptr && object->spec.policy.gang;
  group.why = what_of_gates(server, pod, object == nullptr || gang);
  if (group.why.empty() && object == nullptr) group.why = may_be_unseen(snapshot.coverage(), ns);
  if (group.why.empty() && !snapshot.coverage().saw(api::Kind::Pod, ns))
    group.why = "its pods cannot be read";
  add_pods(snapshot, ns, group);
  if (group.why.empty() && object != nullptr) group.why = not_judged(group, *object);
  if (!group.why.empty()) {
    group.state = State::Unknown;
  } else if (object == nullptr) {
    group.state = has_gangs(server) ? State::Missing : State::Unknown;
  } else {
    group.state = gang && has_gangs(server) ? State::Gang : State::Basic;
    if (gang) group.min_count = object->spec.policy.gang->min_count;
  }
  return group;
}

std::string not_filtered(const SchedulingGroup& group) {
  if (group.state == State::Unknown)
    return group.why.empty() ? base::format("the pod group {}", group.name)
                             : base::format("the pod group {} ({})", group.name, group.why);
  if (group.is_looked_at())
    return base::format("whether the pods of gang {} fit together", group.name);
  return {};
}

}  // namespace dra::engine
