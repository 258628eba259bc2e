// src/engine/whatif/commit_allocation.cpp: see commit_allocation.h.

#include "src/engine/whatif/commit_allocation.h"

#include <algorithm>

#include "dra/snapshot/builder.h"

namespace dra::engine {
namespace {

using snapshot::Builder;

api::NodeSelectorRequirement kept(snapshot::Snapshot& snapshot,
                                  const api::NodeSelectorRequirement& from) {
  api::NodeSelectorRequirement out{.key = Builder::keep(snapshot, from.key),
                                   .op = Builder::keep(snapshot, from.op),
                                   .values = {}};
  for (const std::string_view value : from.values)
    out.values.push_back(Builder::keep(snapshot, value));
  return out;
}

// Its texts may be the standing's.
api::NodeSelector kept(snapshot::Snapshot& snapshot, const api::NodeSelector& from) {
  api::NodeSelector out;
  for (const api::NodeSelectorTerm& term : from.terms) {
    api::NodeSelectorTerm& copy = out.terms.emplace_back();
    for (const auto& requirement : term.expressions)
      copy.expressions.push_back(kept(snapshot, requirement));
    for (const auto& requirement : term.fields)
      copy.fields.push_back(kept(snapshot, requirement));
  }
  return out;
}

// A share needs a name that no other share of the device has: the pod's uid and a number.
api::AllocationResultItem result_of(snapshot::Snapshot& snapshot, const api::Pod& pod,
                                    const PickedDevice& picked, std::size_t number) {
  const DeviceId id = picked.id();
  api::AllocationResultItem result;
  result.request = Builder::keep(snapshot, picked.request);
  result.driver = id.driver;
  result.pool = id.pool;
  result.device = id.device;
  result.admin_access = picked.admin_access;
  if (picked.share)
    result.share_id =
        Builder::keep(snapshot, std::string(pod.meta.uid) + "/" + std::to_string(number));
  for (const auto& [name, amount] : picked.consumed)
    result.consumed_capacity.push_back({name, {Builder::keep(snapshot, amount.to_string())}});
  return result;
}

api::ResourceClaim* find_claim(snapshot::Snapshot& snapshot, const api::ResourceClaim& claim) {
  auto& claims = Builder::objects<api::ResourceClaim>(snapshot);
  return claims.data() + (&claim - claims.data());
}

}  // namespace

void place(snapshot::Snapshot& snapshot, const Subject& subject, const NodeStanding& standing) {
  const auto selectors = claim_nodes(snapshot.server(), subject, standing);
  for (const SubjectClaim& wanted : subject.claims) {
    if (wanted.claim == nullptr) continue;
    api::ResourceClaim& claim = *find_claim(snapshot, *wanted.claim);
    claim.status.reserved_for.push_back({.api_group = {},
                                         .resource = "pods",
                                         .name = subject.pod->meta.name,
                                         .uid = subject.pod->meta.uid});
    if (claim.allocated()) continue;
    api::Allocation allocation;
    allocation.at = base::Instant();  // what has none cannot be reserved for another pod
    for (const PickedDevice& picked : standing.allocation) {
      if (picked.claim != &wanted) continue;
      const std::size_t number = allocation.devices.results.size();
      allocation.devices.results.push_back(result_of(snapshot, *subject.pod, picked, number));
    }
    const auto nodes = std::ranges::find(selectors, &wanted, &ClaimNodes::claim);
    if (nodes != selectors.end() && nodes->selector)
      allocation.node_selector = kept(snapshot, *nodes->selector);
    claim.status.allocation = std::move(allocation);
    Builder::number_pools(snapshot, claim);
  }
  auto& pods = Builder::objects<api::Pod>(snapshot);
  pods[static_cast<std::size_t>(subject.pod - pods.data())].spec.node_name =
      Builder::keep(snapshot, standing.name);
}

}  // namespace dra::engine
