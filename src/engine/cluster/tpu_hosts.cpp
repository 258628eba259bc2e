// src/engine/cluster/tpu_hosts.cpp: compares the chips and hosts that labels and attributes promise
// with those that are published.

#include "dra/engine/cluster/tpu_hosts.h"

#include <algorithm>
#include <initializer_list>
#include <set>

#include "dra/api/cluster_objects.h"
#include "dra/base/numbered.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/facts/device_attribute.h"
#include "dra/engine/facts/driver_knowledge.h"

namespace dra::engine {
namespace {

constexpr std::string_view kNodePoolLabel = "cloud.google.com/gke-nodepool";
constexpr std::string_view kSliceLabel = "cloud.google.com/gke-tpu-slice";
constexpr std::int64_t kMaxChips = 64;  // on one host; a larger number is not believed
constexpr std::int64_t kMaxHosts = 1'000'000;

std::string_view label_of(const api::Node& node, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (const std::string_view* value = api::find(node.meta.labels, key)) return *value;
  }
  return {};
}

// The number that the driver publishes, else that of the node's label, else the published chips.
std::int64_t chips_of(const Pool& pool, const api::Node* node) {
  const auto published = static_cast<std::int64_t>(pool.devices.size());
  std::optional<std::int64_t> chips;
  if (const auto* count = chip_attribute(pool, "chipCount");
      count != nullptr && count->kind() == api::DeviceAttribute::Kind::Int) {
    chips = count->as_int();
  } else if (const std::int64_t labelled = node == nullptr ? 0 : tpu_labels_of(*node).chips) {
    chips = labelled;
  }
  return std::clamp(chips.value_or(published), published, std::max(published, kMaxChips));
}

// Chips are numbered from 0; names of earlier generations put a word before the number.
std::vector<std::string> missing_from(const Pool& pool, std::int64_t chips) {
  std::vector<bool> there(static_cast<std::size_t>(chips));
  std::string_view prefix;
  for (const PoolDevice& device : pool.devices) {
    const base::NumberedName name = base::split_number(device.device->name);
    prefix = name.name;
    const std::int64_t index = name.number.value_or(chips);
    if (index >= chips) return {};
    there[static_cast<std::size_t>(index)] = true;
  }
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < there.size(); ++i) {
    if (!there[i]) missing.push_back(base::format("{}{}", prefix, i));
  }
  return missing;
}

// The number of chips in the whole slice: the product of its sides.
std::int64_t chips_in(std::string_view topology) {
  std::int64_t product = 1;
  for (const std::string_view side : base::split(topology, 'x')) {
    const std::int64_t length = base::number_in(side).value_or(0);
    if (length == 0 || length > kMaxHosts / product) return 0;
    product *= length;
  }
  return product;
}

}  // namespace

bool is_free(const Inventory& inventory, const Pool& pool) {
  return std::ranges::none_of(pool.devices, [&inventory](const PoolDevice& device) {
    return inventory.facts(device).held;
  });
}

std::string_view host_of(const Pool& pool) {
  return pool.slices.empty() ? std::string_view() : pool.slices.front()->spec.node_name;
}

const api::DeviceAttribute* chip_attribute(const Pool& pool, std::string_view name) {
  if (pool.devices.empty()) return nullptr;
  return own_attribute(*pool.devices.front().device, pool.driver, name);
}

TpuLabels tpu_labels_of(const api::Node& node) {
  const std::int64_t chips =
      base::number_in(
          label_of(node, {"tpu.google.com/chip-count", "cloud.google.com/gke-accelerator-count"}))
          .value_or(0);
  return {
      .accelerator =
          label_of(node, {"tpu.google.com/accelerator", "cloud.google.com/gke-tpu-accelerator"}),
      .topology = label_of(node, {"tpu.google.com/topology", "cloud.google.com/gke-tpu-topology"}),
      .node_pool = label_of(node, {kNodePoolLabel}),
      .slice = label_of(node, {kSliceLabel}),
      .chips = chips > kMaxChips ? 0 : chips};
}

std::optional<TpuHost> tpu_host_of(const snapshot::Snapshot& snapshot, const Pool& pool) {
  if (!hands_out_hosts(pool.driver) || host_of(pool).empty()) return std::nullopt;
  TpuHost host{.node = host_of(pool)};
  host.published = static_cast<std::int64_t>(pool.devices.size());
  host.chips = chips_of(pool, snapshot.find<api::Node>(host.node));
  if (host.degraded()) host.missing = missing_from(pool, host.chips);
  return host;
}

TpuSlices::TpuSlices(const snapshot::Snapshot& snapshot, const Inventory& inventory,
                     std::string_view driver)
    : snapshot_(snapshot), inventory_(inventory), driver_(driver) {
  for (const api::Node& node : snapshot.all<api::Node>()) {
    const std::string_view name = tpu_labels_of(node).slice_or_pool();
    if (!name.empty()) nodes_[name].push_back(&node);
  }
}

std::string_view TpuSlices::name_of(std::string_view node) const {
  const api::Node* found = snapshot_.find<api::Node>(node);
  return found == nullptr ? std::string_view() : tpu_labels_of(*found).slice_or_pool();
}

std::optional<TpuSlice> TpuSlices::of(std::string_view node) const {
  const auto found = nodes_.find(name_of(node));
  if (found == nodes_.end()) return std::nullopt;
  const auto& [name, nodes] = *found;
  const TpuLabels labels = tpu_labels_of(*nodes.front());
  const std::int64_t each = labels.chips;
  const std::int64_t all = chips_in(labels.topology);
  if (each == 0 || all <= each || all % each != 0) return std::nullopt;
  TpuSlice slice{.name = name, .topology = labels.topology, .hosts = all / each};
  slice.absent = slice.hosts - static_cast<std::int64_t>(nodes.size());
  if (slice.absent < 0) return std::nullopt;  // the node pool holds more than one slice
  for (const api::Node* one : nodes) {
    const Pool* published = inventory_.find_pool(driver_, one->meta.name);
    if (published == nullptr || published->devices.empty()) {
      slice.lost.push_back({one->meta.name, is_ready(*one)});
      // ResourceSlices stay until the node is deleted, so a node that is down publishes chips that
      // no pod can get. A pod that holds them may run when the node is back.
    } else if (!is_ready(*one) && is_free(inventory_, *published)) {
      slice.lost.push_back({one->meta.name});
    } else if (auto host = tpu_host_of(snapshot_, *published); host && host->degraded()) {
      slice.degraded.push_back(*std::move(host));
    }
  }
  return slice;
}

std::vector<TpuSlices> all_tpu_slices(const snapshot::Snapshot& snapshot,
                                      const Inventory& inventory) {
  std::vector<TpuSlices> all;
  std::set<std::string_view> drivers;
  for (const Pool& pool : inventory.pools()) {
    if (hands_out_hosts(pool.driver) && drivers.insert(pool.driver).second)
      all.emplace_back(snapshot, inventory, pool.driver);
  }
  return all;
}

std::optional<TpuSlice> slice_of(std::span<const TpuSlices> all, std::string_view node) {
  for (const TpuSlices& slices : all) {
    if (auto slice = slices.of(node)) return slice;
  }
  return std::nullopt;
}

}  // namespace dra::engine
