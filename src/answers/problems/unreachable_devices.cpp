// src/answers/problems/unreachable_devices.cpp: matches the node selector of each device, with a
// cache by selector and an index of nodes by label.

#include "src/answers/problems/unreachable_devices.h"

#include <algorithm>

#include "dra/engine/facts/node_match.h"

namespace dra::answers {

const api::NodeSelector* selector_of(const engine::PoolDevice& device) {
  const api::SliceSpec& spec = device.slice->spec;
  const auto& selector =
      spec.per_device_node_selection ? device.device->node_selector : spec.node_selector;
  return selector ? &*selector : nullptr;
}

bool UnreachableDevices::has(const engine::PoolDevice& device) {
  if (const std::string_view only = engine::only_node_of(device); !only.empty())
    return snapshot_.find<api::Node>(only) == nullptr;
  const api::NodeSelector* selector = selector_of(device);
  if (selector == nullptr) return false;
  const auto [known, is_new] = answers_.emplace(selector, false);
  if (is_new) known->second = is_for_no_node(*selector);
  return known->second;
}

// A selector that cannot be parsed fails for every node, so one node is enough to find out.
bool UnreachableDevices::is_for_no_node(const api::NodeSelector& selector) {
  const auto nodes = snapshot_.all<api::Node>();
  if (nodes.empty() || !engine::matches(selector, nodes.front()).ok()) return false;
  return std::ranges::none_of(selector.terms, [&](const api::NodeSelectorTerm& term) {
    return any_matches(selector, term);
  });
}

bool UnreachableDevices::any_matches(const api::NodeSelector& selector,
                                     const api::NodeSelectorTerm& term) {
  const auto matches = [&selector](const api::Node& node) {
    const auto said = engine::matches(selector, node);
    return said.ok() && said.value();
  };
  const auto one_of = std::ranges::find_if(
      term.expressions, [](const auto& expression) { return expression.op == "In"; });
  if (one_of == term.expressions.end())
    return std::ranges::any_of(snapshot_.all<api::Node>(), matches);
  const auto& nodes = by_label(one_of->key);
  return std::ranges::any_of(one_of->values, [&](std::string_view value) {
    const auto found = nodes.find(value);
    return found != nodes.end() && std::ranges::any_of(found->second, [&](const api::Node* node) {
             return matches(*node);
           });
  });
}

const std::map<std::string_view, UnreachableDevices::Nodes>& UnreachableDevices::by_label(
    std::string_view key) {
  const auto [known, is_new] = labels_.try_emplace(key);
  if (is_new) {
    for (const api::Node& node : snapshot_.all<api::Node>()) {
      if (const std::string_view* value = api::find(node.meta.labels, key))
        known->second[*value].push_back(&node);
    }
  }
  return known->second;
}

}  // namespace dra::answers
