// src/engine/selectors/driver_summary.cpp: gathers what pools, devices, classes and nodes say about
// each driver.

#include "dra/engine/selectors/driver_summary.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "dra/api/cluster_objects.h"
#include "dra/api/device_class.h"
#include "dra/api/slice.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/left_out_nodes.h"
#include "dra/engine/cluster/nodes.h"

namespace dra::engine {
namespace {

constexpr std::string_view kDriverField = "device.driver";

// The string literal after "==" at the start of `text`; empty if there is none.
std::string_view compared_with(std::string_view text) {
  text = base::trim(text);
  if (!text.starts_with("==")) return {};
  text = base::trim(text.substr(2));
  if (text.empty() || (text.front() != '"' && text.front() != '\'')) return {};
  const std::size_t end = text.find(text.front(), 1);
  return end == std::string_view::npos ? std::string_view() : text.substr(1, end - 1);
}

// Counts the nodes that can use at least one device of a driver.
class Reach {
 public:
  explicit Reach(std::span<const api::Node> nodes) : nodes_(nodes) {}

  // Devices are added slice by slice: a slice with one node selector for all is evaluated once.
  void add(const PoolDevice& device) {
    const bool per_device = device.slice->spec.per_device_node_selection;
    if (!per_device && device.slice == last_) return;
    last_ = device.slice;
    if (const std::string_view only = only_node_of(device); !only.empty()) {
      names_.insert(only);
      return;
    }
    for (const api::Node& node : nodes_) {
      const auto usable = is_for(device, node);
      if (usable.ok() && usable.value()) names_.insert(node.meta.name);
    }
  }

  // A slice may name a node that does not exist any more.
  std::int64_t count() const {
    return std::ranges::count_if(
        nodes_, [this](const api::Node& node) { return names_.contains(node.meta.name); });
  }

 private:
  std::span<const api::Node> nodes_;
  const api::ResourceSlice* last_ = nullptr;
  std::set<std::string_view> names_;
};

using SummaryByDriver = std::map<std::string_view, DriverSummary>;

DriverSummary& summary_of(SummaryByDriver& drivers, std::string_view driver) {
  DriverSummary& summary = drivers[driver];
  summary.name = driver;
  return summary;
}

void add_pools(const snapshot::Snapshot& snapshot, const Inventory& inventory,
               SummaryByDriver& drivers) {
  for (const Pool& pool : inventory.pools()) {
    DriverSummary& summary = summary_of(drivers, pool.driver);
    ++summary.pools;
    summary.incomplete += pool.state == PoolState::Incomplete ? 1 : 0;
    summary.invalid += pool.state == PoolState::Invalid ? 1 : 0;
  }
  std::set<std::pair<std::string_view, std::string_view>> stale;
  for (const api::ResourceSlice& slice : snapshot.all<api::ResourceSlice>()) {
    if (!inventory.slices().is_stale(slice)) continue;
    if (stale.emplace(slice.spec.driver, slice.spec.pool.name).second)
      ++summary_of(drivers, slice.spec.driver).stale;
  }
}

void add_devices(const snapshot::Snapshot& snapshot, const Inventory& inventory,
                 SummaryByDriver& drivers) {
  const Nodes nodes = nodes_of(snapshot);
  std::map<std::string_view, Reach> reach;
  for (const InventoryDevice& device : inventory.devices()) {
    const std::string_view driver = device.published.slice->spec.driver;
    DriverSummary& summary = summary_of(drivers, driver);
    summary.devices.add(device);
    const bool is_partition = !device.published.device->consumes.empty();
    summary.free_partitions += is_partition && device.state == DeviceState::Free ? 1 : 0;
    reach.emplace(driver, nodes.nodes).first->second.add(device.published);
  }
  if (!snapshot.coverage().saw(api::Kind::Node)) return;
  for (auto& [driver, summary] : drivers) {
    const auto found = reach.find(driver);
    summary.nodes = found == reach.end() ? 0 : found->second.count();
    if (!nodes.assumed) summary.nodes_total = static_cast<std::int64_t>(nodes.nodes.size());
  }
}

void add_classes(const snapshot::Snapshot& snapshot, SummaryByDriver& drivers) {
  for (const api::DeviceClass& device_class : snapshot.all<api::DeviceClass>()) {
    for (const std::string_view driver : drivers_named_by(device_class)) {
      DriverSummary& summary = summary_of(drivers, driver);
      if (!summary.classes) summary.classes.emplace();
      summary.classes->push_back(device_class.meta.name);
    }
  }
}

void finish(const snapshot::Coverage& coverage, DriverSummary& summary) {
  if (!coverage.saw(api::Kind::Class)) {
    summary.classes.reset();
  } else if (!summary.classes) {
    summary.classes.emplace();
  }
  summary.slices_known = coverage.saw(api::Kind::Slice);
  if (!summary.slices_known) {
    summary.nodes.reset();
    return;
  }
  summary.allocated = summary.devices.known_allocated(coverage);
  summary.free = summary.devices.known_free();
}

}  // namespace

std::vector<std::string_view> drivers_named_by(const api::DeviceClass& device_class) {
  std::set<std::string_view> drivers;
  for (const api::DeviceSelector& selector : device_class.spec.selectors) {
    std::string_view rest = selector.expression();
    for (std::size_t at = rest.find(kDriverField); at != std::string_view::npos;
         at = rest.find(kDriverField)) {
      rest.remove_prefix(at + kDriverField.size());
      drivers.insert(compared_with(rest));
    }
  }
  drivers.erase(std::string_view());
  return {drivers.begin(), drivers.end()};
}

std::vector<DriverSummary> summarize_drivers(const snapshot::Snapshot& snapshot,
                                             const Inventory& inventory,
                                             std::span<const MissingDevice> missing) {
  SummaryByDriver drivers;
  for (const Holding& holding : inventory.usage().all())
    summary_of(drivers, holding.id.driver);
  add_pools(snapshot, inventory, drivers);
  add_classes(snapshot, drivers);
  add_devices(snapshot, inventory, drivers);
  for (const MissingDevice& device : missing)
    summary_of(drivers, device.driver).devices.add(DeviceState::Missing);
  for (const LeftOutNode& one : nodes_left_out(snapshot, inventory))
    summary_of(drivers, one.driver).nodes_missing.push_back(one.node->meta.name);
  std::vector<DriverSummary> sorted;
  for (auto& [driver, summary] : drivers) {
    finish(snapshot.coverage(), summary);
    sorted.push_back(std::move(summary));
  }
  return sorted;
}

}  // namespace dra::engine
