// src/engine/whatif/commit_allocation.cpp: see commit_allocation.h.

#include "src/engine/whatif/commit_allocation.h"

#include <algorithm>

namespace dra::engine {
namespace {

api::NodeSelectorRequirement kept(snapshot::Draft& draft,
                                  const api::NodeSelectorRequirement& from) {
  api::NodeSelectorRequirement out{
      .key = draft.keep(from.key), .op = draft.keep(from.op), .values = {}};
  for (const std::string_view value : from.values)
    out.values.push_back(draft.keep(value));
  return out;
}

// A copy that owns its texts: they may be the node's result's.
api::NodeSelector kept(snapshot::Draft& draft, const api::NodeSelector& from) {
  api::NodeSelector out;
  for (const api::NodeSelectorTerm& term : from.terms) {
    api::NodeSelectorTerm& copy = out.terms.emplace_back();
    for (const auto& requirement : term.expressions)
      copy.expressions.push_back(kept(draft, requirement));
    for (const auto& requirement : term.fields)
      copy.fields.push_back(kept(draft, requirement));
  }
  return out;
}

// A share needs a name that no other share of the device has: the pod's uid and a number.
api::AllocationResultItem result_of(snapshot::Draft& draft, const api::Pod& pod,
                                    const PickedDevice& picked, std::size_t number) {
  const DeviceId id = picked.id();
  api::AllocationResultItem result;
  result.request = draft.keep(picked.request);
  result.driver = id.driver;
  result.pool = id.pool;
  result.device = id.device;
  result.admin_access = picked.admin_access;
  if (picked.share)
    result.share_id = draft.keep(std::string(pod.meta.uid) + "/" + std::to_string(number));
  for (const auto& [name, amount] : picked.consumed)
    result.consumed_capacity.push_back({name, {draft.keep(amount.to_string())}});
  return result;
}

std::optional<api::NodeSelector> nodes_for(const SubjectClaim& claim,
                                           std::span<const ClaimNodes> selectors) {
  const auto found = std::ranges::find(selectors, &claim, &ClaimNodes::claim);
  return found == selectors.end() ? std::nullopt : found->selector;
}

}  // namespace

void commit_allocation(snapshot::Draft& draft, const Subject& subject, const NodeResult& result) {
  const api::ObjectMeta pod = subject.pod->meta;
  const auto selectors = claim_nodes(draft.now().server(), subject, result);
  for (const SubjectClaim& wanted : subject.claims) {
    if (wanted.claim == nullptr) continue;
    // A pod can name one claim twice: the second time it has the allocation of the first.
    const auto* now = draft.now().find<api::ResourceClaim>(wanted.namespace_, wanted.name);
    std::optional<api::Allocation> allocation;
    if (now != nullptr && !now->allocated()) {
      allocation.emplace();
      allocation->at = base::Instant();  // what has none cannot be reserved for another pod
      for (const PickedDevice& picked : result.allocation) {
        if (picked.claim != &wanted) continue;
        const std::size_t number = allocation->devices.results.size();
        allocation->devices.results.push_back(result_of(draft, *subject.pod, picked, number));
      }
      const auto nodes = nodes_for(wanted, selectors);
      if (nodes) allocation->node_selector = kept(draft, *nodes);
    }
    draft.change<api::ResourceClaim>(
        wanted.namespace_, wanted.name, [&](api::ResourceClaim& claim) {
          claim.status.reserved_for.push_back(
              {.api_group = {}, .resource = "pods", .name = pod.name, .uid = pod.uid});
          if (allocation) claim.status.allocation = *std::move(allocation);
        });
  }
  draft.change<api::Pod>(pod.namespace_, pod.name,
                         [&](api::Pod& one) { one.spec.node_name = draft.keep(result.name); });
}

}  // namespace dra::engine
