// src/report/phrases/device_words.cpp: holders, nodes and taints of a device as text.

#include "dra/report/phrases/device_words.h"

#include <algorithm>

#include "dra/api/taint_rule.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/facts/features.h"
#include "dra/engine/facts/node_match.h"

namespace dra::report {
namespace {

using engine::Gate;
using engine::InventoryDevice;

bool is_on(const Scene& scene, Gate gate) {
  return engine::features_of(scene.snapshot.server()).on(gate);
}

}  // namespace

std::string where_of(const InventoryDevice& device) {
  const api::ResourceSlice& slice = *device.published.slice;
  if (!slice.spec.per_device_node_selection) return engine::describe_nodes(slice);
  const api::Device& own = *device.published.device;
  if (!own.node_name.empty()) return std::string(own.node_name);
  return own.all_nodes ? "<all>" : "<selector>";
}

std::vector<std::string> claims_of(engine::Holders holders) {
  std::vector<std::string> claims;
  for (const engine::Holding& holding : holders) {
    const api::ObjectMeta& meta = holding.claim->meta;
    std::string name =
        base::format("{}/{}{}", meta.namespace_, meta.name, holding.admin() ? " (admin)" : "");
    // Several shares of one claim are adjacent.
    if (claims.empty() || claims.back() != name) claims.push_back(std::move(name));
  }
  return claims;
}

std::vector<std::string> users_of(engine::Holders holders) {
  std::vector<std::string> pods;
  for (const engine::Holding& holding : holders) {
    for (std::string& pod : engine::pods_of(*holding.claim)) {
      if (std::ranges::find(pods, pod) == pods.end()) pods.push_back(std::move(pod));
    }
  }
  return pods;
}

// Without any Node object in the snapshot a missing node is no problem.
std::string node_text(const Scene& scene, std::string_view name) {
  const auto& nodes = scene.snapshot.all<api::Node>();
  if (nodes.empty() || !scene.snapshot.coverage().saw(api::Kind::Node)) return std::string(name);
  const auto* node = scene.snapshot.find<api::Node>(name);
  if (node == nullptr) return base::format("{} (no such node)", name);
  const std::string status = engine::node_status(*node);
  return status == "Ready" ? std::string(name) : base::format("{} ({})", name, status);
}

std::string nodes_text(const Scene& scene, const api::NodeSelector& selector) {
  const std::string_view node = engine::only_node(selector);
  return node.empty() ? "nodes with " + engine::describe(selector) : node_text(scene, node);
}

std::string nodes_text(const Scene& scene, const api::ResourceSlice& slice) {
  const api::SliceSpec& spec = slice.spec;
  if (!spec.node_name.empty()) return node_text(scene, spec.node_name);
  if (spec.all_nodes) return "all nodes";
  if (spec.node_selector) return nodes_text(scene, *spec.node_selector);
  return spec.per_device_node_selection ? "each device has its own" : "none";
}

std::string nodes_text(const Scene& scene, const InventoryDevice& device) {
  const api::ResourceSlice& slice = *device.published.slice;
  if (!slice.spec.per_device_node_selection) return nodes_text(scene, slice);
  const api::Device& own = *device.published.device;
  if (!own.node_name.empty()) return node_text(scene, own.node_name);
  if (own.all_nodes) return "all nodes";
  return own.node_selector ? nodes_text(scene, *own.node_selector) : "none";
}

std::vector<engine::DeviceTaintOf> all_taints_of(const Scene& scene,
                                                 const InventoryDevice& device) {
  std::vector<engine::DeviceTaintOf> taints;
  for (const api::DeviceTaint& taint : device.published.device->taints)
    taints.push_back({&taint, nullptr});
  if (!is_on(scene, Gate::DRADeviceTaintRules)) return taints;
  for (const api::DeviceTaintRule& rule : scene.snapshot.all<api::DeviceTaintRule>()) {
    if (engine::selects(rule, device.published.id())) taints.push_back({&rule.spec.taint, &rule});
  }
  return taints;
}

std::vector<std::string> taint_texts(const Scene& scene, const InventoryDevice& device) {
  std::vector<std::string> texts;
  for (const engine::DeviceTaintOf& taint : all_taints_of(scene, device))
    texts.push_back(
        engine::describe_taint(taint.taint->key, taint.taint->value, taint.taint->effect));
  return texts;
}

std::string taint_origin(const engine::DeviceTaintOf& taint) {
  return taint.rule == nullptr ? "driver" : base::format("rule {}", taint.rule->meta.name);
}

std::string taint_effect(const Scene& scene, const api::DeviceTaint& taint) {
  if (!is_on(scene, Gate::DRADeviceTaints)) return "ignored here";
  if (taint.effect == api::kTaintNoSchedule) return "no new claims";
  if (taint.effect == api::kTaintNoExecute) return "evicts pods";
  return taint.effect == api::kTaintNone ? "informs only" : "ignored";
}

std::string free_text(const engine::FreeDevices& devices) {
  std::string text = base::format("{} free", devices.free);
  if (devices.blocked > 0) text += base::format(", {} blocked", devices.blocked);
  if (devices.shared > 0) text += base::format(", {} shared with room for more", devices.shared);
  return text;
}

}  // namespace dra::report
