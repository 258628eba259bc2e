// src/engine/inventory.cpp: see inventory.h.

#include "dra/engine/inventory.h"

#include <algorithm>
#include <tuple>

namespace dra::engine {
namespace {

// Not visible is not absent: without all claims and taint rules no device is called free.
DeviceState state_of(const Pool& pool, Occupancy occupancy, bool tainted, bool saw_all) {
  if (occupancy == Occupancy::Entirely) return DeviceState::Allocated;
  if (pool.state != PoolState::Complete) return DeviceState::Unusable;
  if (tainted) return DeviceState::Tainted;
  if (!saw_all) return DeviceState::Unknown;
  return occupancy == Occupancy::Shared ? DeviceState::Shared : DeviceState::Free;
}

}  // namespace

std::string_view name_of(DeviceState state) {
  switch (state) {
    case DeviceState::Free:
      return "free";
    case DeviceState::Shared:
      return "shared";
    case DeviceState::Allocated:
      return "allocated";
    case DeviceState::Tainted:
      return "tainted";
    case DeviceState::Unusable:
      return "unusable";
    case DeviceState::Unknown:
      return "unknown";
  }
  return "";
}

Inventory::Inventory(const snapshot::Snapshot& snapshot)
    : pools_(snapshot, features_of(snapshot.server())),
      usage_(snapshot, features_of(snapshot.server())),
      taints_(snapshot, features_of(snapshot.server())),
      whole_(pools_.whole()) {
  const bool saw_all =
      snapshot.coverage().saw(api::Kind::Claim) && snapshot.coverage().saw(api::Kind::TaintRule);
  for (std::size_t i = 0; i < whole_.size(); ++i) {
    for (const PoolDevice& device : whole_[i].devices) {
      InventoryDevice entry{.published = device, .pool = i, .state = DeviceState::Unknown};
      entry.holders = usage_.holders(device.id());
      entry.taints = taints_.blocking(device.id(), *device.device);
      entry.state = state_of(whole_[i], usage_.occupancy(device.id(), *device.device),
                             !entry.taints.empty(), saw_all);
      devices_.push_back(std::move(entry));
    }
  }
}

const Pool* Inventory::find_pool(std::string_view driver, std::string_view name) const {
  const auto key = [](const Pool& pool) { return std::make_tuple(pool.driver, pool.name); };
  const auto found = std::ranges::lower_bound(whole_, std::make_tuple(driver, name), {}, key);
  return found == whole_.end() || key(*found) != std::make_tuple(driver, name) ? nullptr : &*found;
}

}  // namespace dra::engine
