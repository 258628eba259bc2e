// src/engine/selectors/device_counts.cpp: counts each device by its state, allocation first.

#include "dra/engine/selectors/device_counts.h"

#include "dra/engine/cluster/counter_headroom.h"

namespace dra::engine {

// A device with a free share may have the state Tainted or Unusable; it counts as allocated, as in
// the server's own pool status.
void DeviceCounts::add(const InventoryDevice& device) {
  ++devices;
  if (in_use(device.holders)) {
    ++allocated;
    return;
  }
  switch (device.state) {
    case DeviceState::Free:
      ++free;
      break;
    case DeviceState::Tainted:
      ++tainted;
      break;
    case DeviceState::Unusable:
      ++unusable;
      break;
    case DeviceState::Shared:
    case DeviceState::Allocated:  // not without a holder
    case DeviceState::Unknown:
      ++unknown;
      break;
  }
}

std::optional<std::int64_t> DeviceCounts::known_free() const {
  if (unknown > 0) return std::nullopt;
  return free;
}

std::optional<std::int64_t> DeviceCounts::known_allocated(
    const snapshot::Coverage& coverage) const {
  if (!coverage.saw(api::Kind::Claim) && devices > 0) return std::nullopt;
  return allocated;
}

DeviceCounts count_devices(const Selection& selection, const Inventory& inventory) {
  DeviceCounts counts;
  for (std::size_t i = 0; i < selection.devices.size(); ++i) {
    if (selection.devices[i] == Outcome::Chosen) counts.add(inventory.devices()[i]);
  }
  return counts;
}

std::optional<FreeDevices> free_of(const Selection& selection, const Inventory& inventory) {
  FreeDevices all;
  CounterHeadroom headroom(inventory);
  for (std::size_t i = 0; i < selection.devices.size(); ++i) {
    if (selection.devices[i] != Outcome::Chosen) continue;
    const InventoryDevice& device = inventory.devices()[i];
    if (device.state == DeviceState::Unknown) return std::nullopt;
    if (device.state == DeviceState::Shared) ++all.shared;
    if (device.state != DeviceState::Free) continue;
    ++all.free;
    all.without_room += headroom.exceeds_counters(device) ? 1 : 0;
  }
  return all;
}

}  // namespace dra::engine
