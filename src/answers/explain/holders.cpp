// src/answers/explain/holders.cpp: see holders.h.

#include "src/answers/explain/holders.h"

#include <algorithm>

#include "dra/answers/explain/headline.h"
#include "dra/api/claim.h"
#include "dra/api/pod.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/facts/full_name.h"

namespace dra::answers {

const api::ResourceClaim* claim_called(const snapshot::Snapshot& snapshot, std::string_view name) {
  return engine::find_by_full_name<api::ResourceClaim>(snapshot, name);
}

namespace {

bool has_reserved(const api::ResourceClaim& claim, const api::Pod& pod) {
  return std::ranges::any_of(claim.status.reserved_for, [&pod](const api::Consumer& consumer) {
    return consumer.is_pod() && consumer.name == pod.meta.name && consumer.uid == pod.meta.uid;
  });
}

template <class F>
void for_each_holder(const std::vector<engine::NodeResult>& nodes, F on_holder) {
  for (const engine::NodeResult& node : nodes) {
    for (const diag::Reason& reason : node.reasons)
      std::ranges::for_each(reason.holders, on_holder);
  }
}

}  // namespace

HoldersByClaim holders_in(const snapshot::Snapshot& snapshot,
                          const std::vector<engine::NodeResult>& nodes) {
  HoldersByClaim holders;
  for_each_holder(nodes, [&](const diag::Holder& holder) {
    if (holders.contains(holder.claim)) return;
    const auto* claim = claim_called(snapshot, holder.claim);
    if (claim != nullptr) holders.emplace(holder.claim, engine::holder_facts(snapshot, *claim));
  });
  return holders;
}

HolderPods holder_pods_in(const snapshot::Snapshot& snapshot,
                          const std::vector<engine::NodeResult>& nodes) {
  HolderPods pods;
  for_each_holder(nodes, [&](const diag::Holder& holder) {
    if (holder.pod.empty() || pods.contains(holder.pod)) return;
    const auto* pod = engine::find_by_full_name<api::Pod>(snapshot, holder.pod);
    const auto* claim = claim_called(snapshot, holder.claim);
    // It may have the name of an earlier one that is gone.
    if (pod == nullptr || claim == nullptr || !has_reserved(*claim, *pod)) return;
    pods.emplace(holder.pod, HolderPod{.standing = phase_of(snapshot, *pod),
                                       .workload = engine::workload_of(snapshot, *pod),
                                       .priority = pod->spec.priority});
  });
  return pods;
}

std::string held_for_good(const HoldersByClaim& holders) {
  const bool all = !holders.empty() && std::ranges::all_of(holders, [](const auto& holder) {
    return holder.second.is_for_good();
  });
  return all ? holders.begin()->first : std::string();
}

std::string held_by_ended(const HoldersByClaim& holders) {
  const bool all = !holders.empty() && std::ranges::all_of(holders, [](const auto& holder) {
    return holder.second.state == engine::HolderState::Gone;
  });
  return all ? holders.begin()->first : std::string();
}

namespace {

// The ReplicaSet that made the pod; nullptr: none did.
const api::OwnerReference* replica_set_of(const api::Pod& pod) {
  const api::OwnerReference* owner = api::controller_of(pod.meta);
  return owner != nullptr && owner->kind == "ReplicaSet" ? owner : nullptr;
}

// "llm" of ReplicaSet "llm-7d9c"; empty: it has no hash at its end.
std::string_view deployment_of(const api::OwnerReference& set) {
  const std::size_t dash = set.name.rfind('-');
  return dash == std::string_view::npos ? std::string_view() : set.name.substr(0, dash);
}

}  // namespace

std::string held_by_old_pods(const snapshot::Snapshot& snapshot, const api::Pod& pod,
                             const HoldersByClaim& holders) {
  const api::OwnerReference* own = replica_set_of(pod);
  if (own == nullptr || holders.empty() || deployment_of(*own).empty()) return {};
  for (const auto& [name, facts] : holders) {
    const api::ResourceClaim* claim = claim_called(snapshot, name);
    if (claim == nullptr || claim->status.reserved_for.empty()) return {};
    for (const api::Consumer& consumer : claim->status.reserved_for) {
      const api::Pod* holder = engine::consuming_pod(snapshot, claim->meta.namespace_, consumer);
      const api::OwnerReference* set = holder == nullptr ? nullptr : replica_set_of(*holder);
      if (set == nullptr || holder->meta.namespace_ != pod.meta.namespace_ ||
          set->uid == own->uid || deployment_of(*set) != deployment_of(*own))
        return {};
    }
  }
  return std::string(deployment_of(*own));
}

}  // namespace dra::answers
