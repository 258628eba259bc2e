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

// The pods on the node that have some of the resource, not by DRA.
void add_pods(const snapshot::Snapshot& snapshot, OfferedTwice& twice) {
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    if (pod.spec.node_name != twice.node || pod.finished() || pod.status.extended_resource_claim)
      continue;
    std::int64_t wanted = 0;
    for (const api::Container& container : pod.spec.containers)
      wanted += amount_in(container.resources.limits, twice.resource);
    if (wanted == 0) continue;
    twice.requested += wanted;
    twice.pods.push_back(base::format("{}/{}", pod.meta.namespace_, pod.meta.name));
  }
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

std::map<std::string_view, OfDriver> drivers_on(const Inventory& inventory, std::string_view node) {
  std::map<std::string_view, OfDriver> drivers;
  for (const InventoryDevice& device : inventory.devices()) {
    if (only_node_of(device.published) != node) continue;
    OfDriver& driver = drivers[device.published.slice->spec.driver];
    ++driver.of_type[type_of(device)];
    if (!in_use(device.holders)) continue;
    ++driver.held;
    for (const Holding& holding : device.holders) {
      const api::ObjectMeta& meta = holding.claim->meta;
      driver.claims.push_back(base::format("{}/{}", meta.namespace_, meta.name));
    }
  }
  return drivers;
}

}  // namespace

std::optional<OfferedTwice> offered_twice(const snapshot::Snapshot& snapshot,
                                          const Inventory& inventory, const api::Node& node) {
  const auto extended = [](const auto& amount) {
    return amount.key.find('/') != std::string_view::npos;
  };
  if (std::ranges::none_of(node.status.allocatable, extended)) return std::nullopt;
  for (const auto& [driver, found] : drivers_on(inventory, node.meta.name)) {
    for (const auto& amount : node.status.allocatable) {
      const std::int64_t offered = amount_in(node.status.allocatable, amount.key);
      if (offered == 0 || !found.has(offered) || !is_of_vendor(amount.key, driver)) continue;
      OfferedTwice twice{.node = node.meta.name,
                         .resource = amount.key,
                         .driver = driver,
                         .devices = offered,
                         .held = found.held,
                         .claims = found.claims};
      add_pods(snapshot, twice);
      if (twice.requested > 0 && twice.held > 0) return twice;
    }
  }
  return std::nullopt;
}

std::string words_of(const OfferedTwice& twice) {
  return base::format(
      "node {} offers its {} of {} a second time, as {} by a device plugin: {} has {} of these, "
      "and "
      "by DRA {} of them {} held by {}",
      twice.node, base::plural(twice.devices, "device"), twice.driver, twice.resource,
      base::join_first(twice.pods, kNamed), twice.requested, twice.held,
      twice.held == 1 ? "is" : "are", base::join_first(twice.claims, kNamed));
}

}  // namespace dra::engine
