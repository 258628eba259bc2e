// src/engine/cluster/offered_twice.cpp: compares the extended resources of a node with the devices
// of each driver there.

#include "dra/engine/cluster/offered_twice.h"

#include <algorithm>
#include <map>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/pod_requests.h"
#include "dra/engine/facts/device_attribute.h"
#include "dra/engine/facts/driver_knowledge.h"

namespace dra::engine {
namespace {

constexpr std::size_t kNamed = 3;

std::int64_t amount_in(const api::Map<api::Quantity>& amounts, std::string_view resource) {
  const api::Quantity* found = api::find(amounts, resource);
  return found == nullptr ? 0 : amount_of(resource, *found).value_or(0);
}

// What sort of device it is, by its driver: partitions are not counted with whole devices.
std::string type_of(const InventoryDevice& device) {
  const auto* type =
      own_attribute(*device.published.device, device.published.slice->spec.driver, "type");
  return type == nullptr ? std::string() : attribute_text(*type);
}

bool is_of_vendor(std::string_view resource, std::string_view driver) {
  const std::string_view domain = resource.substr(0, resource.find('/'));
  const std::string_view vendor = vendor_domain(driver);
  if (vendor.empty() || domain.size() == resource.size()) return false;
  return domain == vendor ||
         (domain.ends_with(vendor) && domain[domain.size() - vendor.size() - 1] == '.');
}

struct OfDriver {
  std::map<std::string, std::int64_t> of_type = {};  // devices
  std::int64_t held = 0;
  std::vector<std::string> claims = {};

  bool has(std::int64_t devices) const {
    return std::ranges::any_of(of_type,
                               [devices](const auto& type) { return type.second == devices; });
  }
};

using DriversOfNodes = std::map<std::string_view, std::map<std::string_view, OfDriver>>;

bool has_extended(const api::Node& node) {
  return std::ranges::any_of(node.status.allocatable, [](const auto& amount) {
    return amount.key.find('/') != std::string_view::npos;
  });
}

// Adds the devices of the nodes that `drivers` has.
void add_devices(const Inventory& inventory, DriversOfNodes& drivers) {
  for (const InventoryDevice& device : inventory.devices()) {
    const auto node = drivers.find(only_node_of(device.published));
    if (node == drivers.end()) continue;
    OfDriver& driver = node->second[device.published.slice->spec.driver];
    ++driver.of_type[type_of(device)];
    if (!in_use(device.holders)) continue;
    ++driver.held;
    for (const Holding& holding : device.holders) {
      const api::ObjectMeta& meta = holding.claim->meta;
      driver.claims.push_back(base::format("{}/{}", meta.namespace_, meta.name));
    }
  }
}

// The resources of the node that match a driver with devices in use.
void add_matches(const api::Node& node, const std::map<std::string_view, OfDriver>& drivers,
                 std::vector<OfferedTwice>& matches) {
  for (const auto& [driver, found] : drivers) {
    for (const auto& amount : node.status.allocatable) {
      const std::int64_t offered = amount_in(node.status.allocatable, amount.key);
      if (offered == 0 || found.held == 0 || !found.has(offered) ||
          !is_of_vendor(amount.key, driver))
        continue;
      matches.push_back({.node = node.meta.name,
                         .resource = amount.key,
                         .driver = driver,
                         .devices = offered,
                         .held = found.held,
                         .claims = found.claims});
    }
  }
}

// The pods that have some of a resource, not by DRA.
void add_pods(const snapshot::Snapshot& snapshot, std::vector<OfferedTwice>& matches) {
  std::multimap<std::string_view, OfferedTwice*> by_node;
  for (OfferedTwice& one : matches)
    by_node.emplace(one.node, &one);
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    if (pod.finished() || pod.status.extended_resource_claim) continue;
    const auto [first, end] = by_node.equal_range(pod.spec.node_name);
    for (auto at = first; at != end; ++at) {
      std::int64_t wanted = 0;
      for (const api::Container& container : pod.spec.containers)
        wanted += amount_in(container.resources.limits, at->second->resource);
      if (wanted == 0) continue;
      at->second->requested += wanted;
      at->second->pods.push_back(base::format("{}/{}", pod.meta.namespace_, pod.meta.name));
    }
  }
}

}  // namespace

std::vector<OfferedTwice> offered_twice(const snapshot::Snapshot& snapshot,
                                        const Inventory& inventory, std::string_view only) {
  DriversOfNodes drivers;
  for (const api::Node& node : snapshot.all<api::Node>()) {
    if ((only.empty() || node.meta.name == only) && has_extended(node)) drivers[node.meta.name];
  }
  if (drivers.empty()) return {};
  add_devices(inventory, drivers);
  std::vector<OfferedTwice> matches;
  for (const api::Node& node : snapshot.all<api::Node>()) {
    const auto found = drivers.find(node.meta.name);
    if (found != drivers.end()) add_matches(node, found->second, matches);
  }
  if (matches.empty()) return {};
  add_pods(snapshot, matches);
  std::vector<OfferedTwice> twice;
  for (OfferedTwice& one : matches) {
    const bool is_first = twice.empty() || twice.back().node != one.node;
    if (one.requested > 0 && is_first) twice.push_back(std::move(one));
  }
  return twice;
}

std::string words_of(const OfferedTwice& twice) {
  return base::format(
      "node {} offers its {} of {} a second time, as {} by a device plugin, and neither knows of "
      "the "
      "other: {} {} from the plugin ({}), {} from DRA ({})",
      twice.node, base::plural(twice.devices, "device"), twice.driver, twice.resource,
      twice.requested, twice.requested == 1 ? "is held" : "are held",
      base::join_first(twice.pods, kNamed), twice.held, base::join_first(twice.claims, kNamed));
}

}  // namespace dra::engine
