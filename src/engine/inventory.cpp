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

Inventory::Inventory(const snapshot::Snapshot& snapshot, const HeldBy& only)
    : pools_(snapshot, features_of(snapshot.server())),
      usage_(snapshot, features_of(snapshot.server()), only),
      taints_(snapshot, features_of(snapshot.server())),
      numbers_(snapshot) {
  find_facts(snapshot);
  const bool saw_all =
      snapshot.coverage().saw(api::Kind::Claim) && snapshot.coverage().saw(api::Kind::TaintRule);
  devices_.reserve(facts_.size());
  for (std::size_t i = 0; i < pools().size(); ++i) {
    const Pool& pool = pools()[i];
    for (const PoolDevice& device : pool.devices) {
      const DeviceFacts& known = facts(device);
      devices_.push_back({.published = device,
                          .pool = i,
                          .state = state_of(pool, known.occupancy, !known.taints.empty(), saw_all),
                          .holders = known.holders,
                          .taints = known.taints});
    }
  }
}

void Inventory::find_facts(const snapshot::Snapshot& snapshot) {
  facts_.reserve(numbers_.size());
  for (const api::ResourceSlice& slice : snapshot.all<api::ResourceSlice>()) {
    const Holders in_pool = usage_.holders_in(slice.spec.driver, slice.spec.pool.name);
    for (const api::Device& device : slice.spec.devices) {
      DeviceFacts& facts = facts_.emplace_back();
      facts.taints = taints_.blocking(PoolDevice{&slice, &device}.id(), device);
      if (in_pool.empty()) continue;
      facts.holders = Usage::holders_of(device.name, in_pool);
      facts.occupancy = usage_.occupancy(facts.holders, device);
      facts.held = usage_.held_as_a_whole(facts.holders);
    }
  }
}

const Pool* Inventory::find_pool(std::string_view driver, std::string_view name) const {
  const auto key = [](const Pool& pool) { return std::make_tuple(pool.driver, pool.name); };
  const auto found = std::ranges::lower_bound(pools(), std::make_tuple(driver, name), {}, key);
  return found == pools().end() || key(*found) != std::make_tuple(driver, name) ? nullptr : &*found;
}

}  // namespace dra::engine
