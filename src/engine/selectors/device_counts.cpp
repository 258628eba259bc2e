// src/engine/selectors/device_counts.cpp: counts each device by its state.

#include "dra/engine/selectors/device_counts.h"

namespace dra::engine {

void DeviceCounts::add(DeviceState state) {
  if (state != DeviceState::Missing) ++devices;
  switch (state) {
    case DeviceState::Allocated:
      ++allocated;
      break;
    case DeviceState::Shared:
      ++allocated;
      ++shared;
      break;
    case DeviceState::Free:
      ++free;
      break;
    case DeviceState::Blocked:
      ++blocked;
      break;
    case DeviceState::Tainted:
      ++tainted;
      break;
    case DeviceState::Unusable:
      ++unusable;
      break;
    case DeviceState::Missing:
      ++missing;
      break;
    case DeviceState::Unknown:
      ++unknown;
      break;
  }
}

void DeviceCounts::add(const InventoryDevice& device) {
  add(device.state);
  const bool held = device.state == DeviceState::Allocated || device.state == DeviceState::Shared;
  if (held && !device.taints.empty()) ++tainted_held;
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
  for (std::size_t i = 0; i < selection.devices.size(); ++i) {
    if (selection.devices[i] != Outcome::Chosen) continue;
    const InventoryDevice& device = inventory.devices()[i];
    if (device.state == DeviceState::Unknown) return std::nullopt;
    all.free += device.state == DeviceState::Free ? 1 : 0;
    all.blocked += device.state == DeviceState::Blocked ? 1 : 0;
    all.shared += device.state == DeviceState::Shared ? 1 : 0;
  }
  return all;
}

}  // namespace dra::engine
