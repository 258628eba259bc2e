// src/engine/cluster/holder_state.cpp: the state of each consumer; the one that keeps the claim
// longest decides.

#include "dra/engine/cluster/holder_state.h"

#include <algorithm>

#include "dra/api/cluster_objects.h"
#include "dra/api/pod.h"
#include "dra/api/words.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/pod_groups.h"
#include "dra/engine/cluster/pods.h"

namespace dra::engine {
namespace {

// A pod that crashes is restarted without end, unless its Job counts the failures.
bool ends_by_itself(const api::Pod& pod) {
  const api::OwnerReference* owner = api::controller_of(pod.meta);
  return pod.spec.active_deadline || (owner != nullptr && owner->kind == "Job");
}

HolderFacts facts_of(const snapshot::Snapshot& snapshot, std::string_view ns,
                     const api::Consumer& consumer) {
  if (is_pod_group(consumer)) return {};
  if (!consumer.is_pod())
    return {.state = HolderState::NotAPod, .consumer = api::words_of(consumer)};
  if (!snapshot.coverage().saw(api::Kind::Pod, ns)) return {};
  const api::Pod* pod = consuming_pod(snapshot, ns, consumer);
  if (pod == nullptr || pod->finished())
    return {.state = HolderState::Gone,
            .ended = pod != nullptr,
            .replaced = namesake_of(snapshot, ns, consumer) != nullptr};
  if (pod->meta.deleted) {
    const auto* node = snapshot.find<api::Node>(pod->spec.node_name);
    const bool lost = node != nullptr && !is_ready(*node);  // its kubelet ends no pod
    return {.state = lost || have_ended(*pod) ? HolderState::Stuck : HolderState::Deleting};
  }
  for (const api::ContainerStatus& container : pod->status.containers) {
    if (is_crash_looping(container))
      return {.state = HolderState::Crashes,
              .restarts = container.restarts,
              .ends = ends_by_itself(*pod)};
  }
  return {};
}

// The greater, the longer the claim stays in use.
int weight_of(HolderState state) {
  switch (state) {
    case HolderState::Unused:
    case HolderState::Gone:
      return 0;
    case HolderState::Deleting:
      return 1;
    case HolderState::Crashes:
      return 2;
    case HolderState::Runs:
      return 3;
    case HolderState::Stuck:
      return 4;
    case HolderState::NotAPod:
      return 5;
  }
  return 0;
}

}  // namespace

bool is_gone(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim,
             const api::Consumer& consumer) {
  return consumer.is_pod() && consuming_pod(snapshot, claim.meta.namespace_, consumer) == nullptr;
}

const api::Pod* namesake_of(const snapshot::Snapshot& snapshot, std::string_view ns,
                            const api::Consumer& consumer) {
  if (!consumer.is_pod()) return nullptr;
  const auto* pod = snapshot.find<api::Pod>(ns, consumer.name);
  return pod != nullptr && pod->meta.uid != consumer.uid ? pod : nullptr;
}

std::string words_for_namesake(const snapshot::Snapshot& snapshot, std::string_view ns,
                               const api::Consumer& consumer) {
  return namesake_of(snapshot, ns, consumer) == nullptr
             ? ""
             : " (the pod of that name that is there now has another uid)";
}

api::Time ended_at(const api::Pod& pod) {
  api::Time last;
  for (const api::ContainerStatus& container : pod.status.containers) {
    const auto& ended = container.state.terminated;
    if (!ended || !ended->finished) return std::nullopt;
    last = std::max(last, ended->finished);
  }
  return last;
}

bool ended_long_ago(const api::Pod& pod, base::Instant now) {
  if (!pod.finished()) return false;
  const api::Time last = ended_at(pod);
  return pod.status.containers.empty() || (last && now - *last > kReleaseTakes);
}

HolderFacts holder_facts(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim) {
  HolderFacts longest{.state = HolderState::Unused, .ends = claim.meta.deleted.has_value()};
  for (const api::Consumer& consumer : claim.status.reserved_for) {
    HolderFacts facts = facts_of(snapshot, claim.meta.namespace_, consumer);
    if (longest.state == HolderState::Unused || weight_of(facts.state) > weight_of(longest.state))
      longest = std::move(facts);
  }
  return longest;
}

}  // namespace dra::engine
