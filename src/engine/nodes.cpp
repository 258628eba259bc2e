// src/engine/nodes.cpp: see nodes.h.

#include "dra/engine/nodes.h"

#include <set>
#include <string_view>

#include "dra/engine/node_match.h"

namespace dra::engine {
namespace {

constexpr const char* kNodePoolLabels[] = {
    "cloud.google.com/gke-nodepool", "eks.amazonaws.com/nodegroup",
    "kubernetes.azure.com/agentpool", "karpenter.sh/nodepool"};

std::set<std::string_view> mentioned_nodes(const snapshot::Snapshot& snapshot) {
  std::set<std::string_view> names;
  for (const api::ResourceSlice& slice : snapshot.all<api::ResourceSlice>()) {
    names.insert(slice.spec.node_name);
    for (const api::Device& device : slice.spec.devices)
      names.insert(device.node_name);
  }
  for (const api::Pod& pod : snapshot.all<api::Pod>())
    names.insert(pod.spec.node_name);
  for (const api::ResourceClaim& claim : snapshot.all<api::ResourceClaim>()) {
    if (claim.status.allocation && claim.status.allocation->node_selector) {
      names.insert(only_node(*claim.status.allocation->node_selector));
    }
  }
  names.erase(std::string_view());
  return names;
}

api::Node assumed_node(std::string_view name) {
  api::Node node;
  node.meta.name = name;
  return node;
}

}  // namespace

Nodes nodes_of(const snapshot::Snapshot& snapshot) {
  Nodes nodes;
  nodes.nodes = snapshot.all<api::Node>();
  if (!nodes.nodes.empty()) return nodes;
  nodes.assumed = true;
  for (const std::string_view name : mentioned_nodes(snapshot))
    nodes.made_up.push_back(assumed_node(name));
  if (nodes.made_up.empty()) nodes.made_up.push_back(assumed_node("*"));
  nodes.nodes = nodes.made_up;
  return nodes;
}

std::string_view node_pool_of(const api::Node& node) {
  for (const char* label : kNodePoolLabels) {
    const std::string_view* value = api::find(node.meta.labels, label);
    if (value != nullptr) return *value;
  }
  return {};
}

}  // namespace dra::engine
