// src/engine/cluster/nodes.cpp: nodes assumed from names, labels of node pools, ComputeClasses.

#include "dra/engine/cluster/nodes.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "dra/api/pod.h"
#include "dra/api/slice.h"
#include "dra/engine/facts/node_match.h"

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

// Whether the node's labels meet the rule.
bool fits(const api::PriorityRule& rule, const api::Node& node) {
  const auto has = [&node](std::string_view key, std::string_view wanted) {
    return wanted.empty() || label_of(node.meta, key) == wanted;
  };
  const std::string_view machine = label_of(node.meta, "node.kubernetes.io/instance-type");
  const bool is_spot = label_of(node.meta, "cloud.google.com/gke-spot") == "true";
  const auto& pools = rule.node_pools;
  if (!pools.empty() && std::ranges::find(pools, node_pool_of(node)) == pools.end()) return false;
  if (!rule.machine_family.empty() && machine.substr(0, machine.find('-')) != rule.machine_family)
    return false;
  return (!rule.spot || *rule.spot == is_spot) &&
         has("node.kubernetes.io/instance-type", rule.machine_type) &&
         has("cloud.google.com/gke-accelerator", rule.gpu.type) &&
         has("cloud.google.com/gke-tpu-accelerator", rule.tpu.type) &&
         has("cloud.google.com/gke-tpu-topology", rule.tpu.topology);
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

bool is_ready(const api::Node& node) {
  const auto ready = std::ranges::find(node.status.conditions, "Ready", &api::Condition::type);
  return ready == node.status.conditions.end() || ready->status == "True";
}

std::string node_status(const api::Node& node) {
  const api::Condition* ready = api::condition_of(node.status.conditions, "Ready");
  if (ready == nullptr) return "Unknown";
  const std::string status = ready->status == "True" ? "Ready" : "NotReady";
  return node.spec.unschedulable ? status + ",SchedulingDisabled" : status;
}

std::string_view label_of(const api::ObjectMeta& meta, std::string_view key) {
  const std::string_view* value = api::find(meta.labels, key);
  return value == nullptr ? std::string_view() : *value;
}

std::string_view node_pool_of(const api::Node& node) {
  for (const char* label : kNodePoolLabels) {
    const std::string_view* value = api::find(node.meta.labels, label);
    if (value != nullptr) return *value;
  }
  return {};
}

std::optional<NodePriority> priority_of(const snapshot::Snapshot& snapshot, const api::Node& node) {
  const std::string_view name = label_of(node.meta, "cloud.google.com/compute-class");
  const auto* compute_class = snapshot.find<api::ComputeClass>(name);
  if (name.empty() || compute_class == nullptr) return std::nullopt;
  const auto& rules = compute_class->spec.priorities;
  const auto rule = std::ranges::find_if(
      rules, [&node](const api::PriorityRule& one) { return fits(one, node); });
  if (rule == rules.end()) return std::nullopt;
  return NodePriority{compute_class->meta.name, rule - rules.begin() + 1,
                      static_cast<std::int64_t>(rules.size())};
}

}  // namespace dra::engine
