// src/engine/cluster/pod_groups.cpp: see pod_groups.h.

#include "dra/engine/cluster/pod_groups.h"

#include <algorithm>

#include "dra/api/pod.h"

namespace dra::engine {
namespace {

constexpr std::string_view kApiGroup = "scheduling.k8s.io";
constexpr std::string_view kClaimName = "resource.kubernetes.io/pod-claim-name";

// "group" of "group/version": the version may change.
std::string_view group_of(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

}  // namespace

bool PodGroup::owns(const api::ResourceClaim& claim) const {
  const api::OwnerReference* owner = api::controller_of(claim.meta);
  return owner != nullptr && claim.meta.namespace_ == namespace_ && owner->name == name &&
         owner->kind == "PodGroup" && group_of(owner->api_version) == kApiGroup;
}

bool PodGroup::is(const api::Consumer& consumer) const {
  return is_pod_group(consumer) && consumer.name == name;
}

bool is_pod_group(const api::Consumer& consumer) {
  return consumer.api_group == kApiGroup && consumer.resource == "podgroups";
}

std::optional<PodGroup> pod_group_of(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  if (!pod.spec.group || pod.spec.group->pod_group.empty()) return std::nullopt;
  PodGroup group{.namespace_ = pod.meta.namespace_, .name = pod.spec.group->pod_group};
  group.runs = std::ranges::any_of(snapshot.all<api::Pod>(), [&group](const api::Pod& other) {
    return other.spec.group && other.spec.group->pod_group == group.name &&
           other.meta.namespace_ == group.namespace_ && !other.spec.node_name.empty() &&
           !other.finished();
  });
  return group;
}

const api::ResourceClaim* claim_of_group(const snapshot::Snapshot& snapshot, const PodGroup& group,
                                         std::string_view pod_claim) {
  const auto& claims = snapshot.all<api::ResourceClaim>();
  const auto found = std::ranges::find_if(claims, [&](const api::ResourceClaim& claim) {
    const std::string_view* made_for = api::find(claim.meta.annotations, kClaimName);
    return made_for != nullptr && *made_for == pod_claim && group.owns(claim);
  });
  return found == claims.end() ? nullptr : &*found;
}

}  // namespace dra::engine
