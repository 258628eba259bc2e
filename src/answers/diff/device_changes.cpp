// src/answers/diff/device_changes.cpp: finds devices that came, went, changed hands or changed
// state, by walking both inventories in the order of device IDs.

#include <algorithm>
#include <map>

#include "src/answers/diff/diff_parts.h"
#include "src/answers/diff/visible_changes.h"

namespace dra::answers {
namespace {

using engine::DeviceState;

// An invalid pool may list a device twice; the first entry counts.
using DevicesById = std::map<engine::DeviceId, const engine::InventoryDevice*>;

DevicesById by_id(const engine::Inventory& inventory) {
  DevicesById devices;
  for (const engine::InventoryDevice& device : inventory.devices())
    devices.emplace(device.published.id(), &device);
  return devices;
}

DeviceSide side_of(const engine::InventoryDevice& device) {
  DeviceSide side{.state = device.state, .claims = {}, .pods = {}};
  const auto add = [](std::vector<std::string>& names, std::string name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  };
  for (const engine::Holding& holding : device.holders) {
    if (holding.admin()) continue;
    const api::ObjectMeta& meta = holding.claim->meta;
    add(side.claims, std::string(meta.namespace_) + "/" + std::string(meta.name));
    for (std::string& pod : engine::pods_of(*holding.claim))
      add(side.pods, std::move(pod));
  }
  return side;
}

// No value: nothing that both states know differs.
std::optional<DeviceFate> fate_of(const DeviceSide& before, const DeviceSide& after,
                                  bool holders_known) {
  if (holders_known && before.claims != after.claims) return DeviceFate::ChangedHands;
  const bool known = before.state != DeviceState::Unknown && after.state != DeviceState::Unknown;
  if (known && before.state != after.state) return DeviceFate::StateChanged;
  return std::nullopt;
}

}  // namespace

std::vector<DeviceChange> device_changes(const ClusterState& before, const ClusterState& after) {
  if (!saw_both(before.snapshot(), after.snapshot(), api::Kind::Slice)) return {};
  const bool holders_known = saw_both(before.snapshot(), after.snapshot(), api::Kind::Claim);
  const DevicesById was = by_id(before.inventory());
  const DevicesById is = by_id(after.inventory());
  std::vector<DeviceChange> changes;
  for (const auto& [id, device] : was) {
    const auto now = is.find(id);
    if (now == is.end()) {
      changes.push_back({id, DeviceFate::Went, side_of(*device), std::nullopt});
      continue;
    }
    DeviceSide old_side = side_of(*device);
    DeviceSide new_side = side_of(*now->second);
    if (const auto fate = fate_of(old_side, new_side, holders_known))
      changes.push_back({id, *fate, std::move(old_side), std::move(new_side)});
  }
  for (const auto& [id, device] : is) {
    if (!was.contains(id))
      changes.push_back({id, DeviceFate::Came, std::nullopt, side_of(*device)});
  }
  std::ranges::sort(changes, {}, &DeviceChange::id);
  return changes;
}

}  // namespace dra::answers
