// src/topology/groups.cpp: looks up each device's value at each level, and sorts by values.

#include "dra/topology/groups.h"

#include <algorithm>
#include <compare>

#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "dra/engine/facts/device_attribute.h"
#include "src/topology/alignments.h"
#include "src/topology/labels.h"

namespace dra::topology {
namespace {

using engine::InventoryDevice;

constexpr std::string_view kStandard = "resource.kubernetes.io";
constexpr std::string_view kNumaNode = "resource.kubernetes.io/numaNode";
// The label of nodes whose GPUs reach each other over NVLink. The driver sets it only if configured
// to. Otherwise cliques are known from ComputeDomains.
constexpr std::string_view kCliqueLabel = "nvidia.com/gpu.clique";

// The places of a device in its machine, from the outside in. Drivers of network cards and CPUs
// used names of their own before there was a standard.
std::vector<Level> machine_levels() {
  return {{"numa", {std::string(kNumaNode), "dra.net/numaNode", "dra.cpu/numaNodeID"}},
          {"pcie", {"resource.kubernetes.io/pcieRoot"}},
          {"gpu", {"gpu.amd.com/parentPciAddr"}}};
}

const api::DeviceAttribute* by_bare_name(const InventoryDevice& device, std::string_view name) {
  const api::Device& published = *device.published.device;
  const std::string_view driver = device.published.slice->spec.driver;
  const auto* found = engine::own_attribute(published, driver, name);
  if (found == nullptr)
    found = engine::attribute_for(published, driver, base::format("{}/{}", kStandard, name));
  if (found != nullptr) return found;
  for (const auto& [key, value] : published.attributes) {
    if (key.size() > name.size() && key.ends_with(name) && key[key.size() - name.size() - 1] == '/')
      return &value;
  }
  return nullptr;
}

// The first of a device's NUMA nodes is its own, the others are near ones.
std::optional<std::string> first_number(const api::DeviceAttribute& attribute) {
  if (attribute.lists().ints.empty()) return std::nullopt;
  return std::to_string(attribute.lists().ints.front());
}

std::optional<std::string> value_of(const InventoryDevice& device, const std::string& name) {
  const auto& spec = device.published.slice->spec;
  if (name == "driver") return std::string(spec.driver);
  if (name == "pool") return std::string(spec.pool.name);
  if (name == "node") {
    const std::string_view node = only_node_of(device.published);
    return node.empty() ? std::nullopt : std::optional(std::string(node));
  }
  const bool qualified = name.find('/') != std::string::npos;
  const auto* attribute = qualified
                              ? engine::attribute_for(*device.published.device, spec.driver, name)
                              : by_bare_name(device, name);
  if (attribute == nullptr) return std::nullopt;
  if (name == kNumaNode && attribute->is_list()) return first_number(*attribute);
  return engine::attribute_text(*attribute);
}

std::optional<std::string> value_of(const InventoryDevice& device, const Level& level) {
  for (const std::string& name : level.attributes) {
    if (auto value = value_of(device, name)) return value;
  }
  return std::nullopt;
}

using Values = std::vector<std::optional<std::string>>;

bool comes_before(const Values& a, const Values& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    if (!a[i] || !b[i]) return a[i].has_value();
    return value_before(*a[i], *b[i]);
  }
  return false;
}

// Devices by their node; under an empty name those of no single node.
std::map<std::string_view, std::vector<std::size_t>> by_node(const engine::Inventory& inventory,
                                                             std::span<const std::size_t> devices) {
  std::map<std::string_view, std::vector<std::size_t>> nodes;
  for (const std::size_t number : devices)
    nodes[only_node_of(inventory.devices()[number].published)].push_back(number);
  nodes.erase(std::string_view());
  return nodes;
}

// The levels at which some device has a value.
std::vector<Level> levels_there(const engine::Inventory& inventory,
                                std::span<const std::size_t> devices) {
  std::vector<Level> levels = machine_levels();
  std::erase_if(levels, [&](const Level& level) {
    return std::ranges::none_of(devices, [&](std::size_t number) {
      return value_of(inventory.devices()[number], level).has_value();
    });
  });
  return levels;
}

// The cliques by node, only those of several nodes.
std::map<std::string_view, std::string_view> cliques_of(
    const snapshot::Snapshot& snapshot,
    const std::map<std::string_view, std::vector<std::size_t>>& nodes) {
  std::map<std::string_view, std::string_view> clique_of;  // by node
  for (const api::ComputeDomain& domain : snapshot.all<api::ComputeDomain>()) {
    for (const api::DomainNode& node : domain.status.nodes) {
      if (!node.clique.empty()) clique_of[node.name] = node.clique;
    }
  }
  for (const api::Node& node : snapshot.all<api::Node>()) {
    const std::string_view clique = label_of(node.meta, kCliqueLabel);
    if (!clique.empty()) clique_of[node.meta.name] = clique;
  }
  std::map<std::string_view, std::vector<std::string_view>> members;
  for (const auto& [node, clique] : clique_of) {
    if (nodes.contains(node)) members[clique].push_back(node);
  }
  std::map<std::string_view, std::string_view> cliques;
  for (const auto& [clique, names] : members) {
    for (const std::string_view name : names) {
      if (names.size() > 1) cliques.emplace(name, clique);
    }
  }
  return cliques;
}

}  // namespace

std::vector<Level> levels_named(std::string_view attributes) {
  const std::vector<Level> known = machine_levels();
  std::vector<Level> levels;
  for (const std::string_view name : base::split(attributes, ',')) {
    if (name.empty()) continue;
    const auto level = std::ranges::find(known, name, &Level::title);
    levels.push_back(level != known.end() ? *level : Level{std::string(name), {std::string(name)}});
  }
  return levels;
}

Box box_of(const engine::Inventory& inventory, std::span<const std::size_t> devices,
           std::vector<Level> levels) {
  Box box{.levels = std::move(levels), .rows = {}};
  std::map<Values, std::vector<std::size_t>> rows;
  for (const std::size_t number : devices) {
    Values values;
    for (const Level& level : box.levels)
      values.push_back(value_of(inventory.devices()[number], level));
    rows[std::move(values)].push_back(number);
  }
  for (auto& [values, members] : rows)
    box.rows.push_back({values, std::move(members)});
  std::ranges::sort(box.rows, comes_before, &GroupRow::values);
  return box;
}

std::vector<Box> machine_boxes(const snapshot::Snapshot& snapshot,
                               const engine::Inventory& inventory,
                               std::span<const std::size_t> devices, bool lists) {
  std::vector<Box> boxes;
  auto nodes = by_node(inventory, devices);
  const auto cliques = cliques_of(snapshot, nodes);
  std::map<std::string_view, std::vector<std::size_t>> of_clique;
  for (const auto& [name, members] : nodes) {
    if (const auto clique = cliques.find(name); clique != cliques.end()) {
      auto& all = of_clique[clique->second];
      all.insert(all.end(), members.begin(), members.end());
      continue;
    }
    Box box = box_of(inventory, members, levels_there(inventory, members));
    box.sets = sets_of(inventory, members);
    // A place that all devices share is worth a drawing, as a constraint over it holds.
    const bool is_plain = box.rows.size() < 2 && (box.levels.empty() || members.size() < 2);
    if (is_plain && box.sets.empty()) continue;
    box.node = name;
    box.alignments = alignments_of(inventory, members, box.levels, lists);
    boxes.push_back(std::move(box));
  }
  for (const auto& [clique, members] : of_clique) {
    Box box = box_of(inventory, members, levels_named("node"));
    box.clique = clique;
    boxes.push_back(std::move(box));
  }
  return boxes;
}

}  // namespace dra::topology
