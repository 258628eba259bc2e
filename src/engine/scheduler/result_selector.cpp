// src/engine/scheduler/result_selector.cpp: intersects the node selectors of the devices.

#include "src/engine/scheduler/result_selector.h"

#include <algorithm>

#include "dra/engine/scheduler/node_result.h"

namespace dra::engine {
namespace {

using Requirements = std::vector<api::NodeSelectorRequirement>;

void add_new(const Requirements& from, Requirements& to) {
  for (const api::NodeSelectorRequirement& one : from) {
    const bool known = std::ranges::any_of(to, [&one](const api::NodeSelectorRequirement& other) {
      return other.key == one.key && other.op == one.op && other.values == one.values;
    });
    if (!known) to.push_back(one);
  }
}

}  // namespace

ResultSelector result_selector(std::span<const PoolDevice> devices, bool knows_binding,
                               std::string_view node) {
  api::NodeSelectorTerm term;
  for (const PoolDevice& picked : devices) {
    const api::SliceSpec& slice = picked.slice->spec;
    const api::Device& device = *picked.device;
    const bool per_device = slice.per_device_node_selection;
    const bool binds = device.binds_to_node && knows_binding;
    // One device that is local to a node makes the whole allocation local.
    if (binds || !(per_device ? device.node_name : slice.node_name).empty())
      return {.selector = api::NodeSelector{
                  {{.expressions = {}, .fields = {{"metadata.name", "In", {node}}}}}}};
    const auto& selector = per_device ? device.node_selector : slice.node_selector;
    if (!selector || selector->terms.empty()) continue;
    if (selector->terms.size() > 1) return {.selector = {}, .unsupported = &picked};
    add_new(selector->terms.front().fields, term.fields);
    add_new(selector->terms.front().expressions, term.expressions);
  }
  if (term.fields.empty() && term.expressions.empty()) return {};
  return {.selector = api::NodeSelector{{std::move(term)}}};
}

std::vector<ClaimNodes> claim_nodes(const snapshot::Server& server, const Subject& subject,
                                    const NodeResult& result) {
  std::vector<ClaimNodes> all;
  if (!result.fits()) return all;
  const int release = minor_release(server);
  const bool knows_binding =
      knows_binding_and_capacity(allocator_variant(features_of(server), release), release);
  for (const SubjectClaim& claim : subject.claims) {
    if (claim.unmet() == nullptr) continue;
    std::vector<PoolDevice> devices;
    for (const PickedDevice& picked : result.allocation) {
      if (picked.claim == &claim) devices.push_back(picked.published);
    }
    all.push_back({&claim, result_selector(devices, knows_binding, result.name).selector});
  }
  return all;
}

}  // namespace dra::engine
