// src/engine/result_selector.cpp: see result_selector.h.

#include "src/engine/result_selector.h"

#include <algorithm>

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
    // One that is local to a node makes the whole allocation so.
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

}  // namespace dra::engine
