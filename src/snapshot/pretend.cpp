// src/snapshot/pretend.cpp: see pretend.h.

#include "dra/snapshot/pretend.h"

#include <algorithm>
#include <set>

#include "dra/snapshot/builder.h"

namespace dra::snapshot {
namespace {

// The names of the pod's claims, as far as they are known.
std::set<std::string_view> claims_of(const api::Pod& pod) {
  std::set<std::string_view> names;
  for (const api::PodClaim& claim : pod.spec.claims)
    names.insert(claim.claim_name);
  for (const api::PodClaimStatus& claim : pod.status.claims)
    names.insert(claim.claim_name.value_or(std::string_view()));
  names.erase(std::string_view());
  return names;
}

// The scheduler makes that claim where it puts the pod.
void forget_extended_resources(Snapshot& snapshot, api::Pod& pod) {
  if (!pod.status.extended_resource_claim) return;
  const std::string_view name = pod.status.extended_resource_claim->claim_name;
  std::erase_if(Builder::objects<api::ResourceClaim>(snapshot),
                [&](const api::ResourceClaim& claim) {
                  return claim.meta.namespace_ == pod.meta.namespace_ && claim.meta.name == name;
                });
  pod.status.extended_resource_claim.reset();
}

}  // namespace

void pretend_pending(Snapshot& snapshot, std::string_view ns, std::string_view pod) {
  auto& pods = Builder::objects<api::Pod>(snapshot);
  const auto found = std::ranges::find_if(
      pods, [&](const api::Pod& one) { return one.meta.namespace_ == ns && one.meta.name == pod; });
  if (found == pods.end()) return;
  const std::set<std::string_view> names = claims_of(*found);
  for (api::ResourceClaim& claim : Builder::objects<api::ResourceClaim>(snapshot)) {
    if (claim.meta.namespace_ != ns || !names.contains(claim.meta.name)) continue;
    std::erase_if(claim.status.reserved_for, [&found](const api::Consumer& consumer) {
      return consumer.is_pod() && consumer.uid == found->meta.uid;
    });
    if (!claim.status.reserved_for.empty()) continue;
    claim.status.allocation.reset();
    claim.status.devices.clear();
  }
  forget_extended_resources(snapshot, *found);
  found->spec.node_name = {};
  std::erase_if(found->status.conditions,
                [](const api::Condition& condition) { return condition.type == "PodScheduled"; });
}

void pretend_unallocated(Snapshot& snapshot, std::string_view ns,
                         const std::vector<std::string>& claims) {
  for (api::ResourceClaim& claim : Builder::objects<api::ResourceClaim>(snapshot)) {
    const bool named = std::ranges::find(claims, claim.meta.name) != claims.end();
    if (!named || claim.meta.namespace_ != ns) continue;
    claim.status = {};
  }
}

}  // namespace dra::snapshot
