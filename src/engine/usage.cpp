// src/engine/usage.cpp: see usage.h.

#include "dra/engine/usage.h"

#include <algorithm>

#include "dra/base/quantity.h"
#include "dra/base/sorted.h"
#include "dra/base/text.h"

namespace dra::engine {
namespace {

// What all shares together consume of one capacity. Amounts that cannot be read count as
// everything.
bool has_room(const api::Entry<api::DeviceCapacity>& capacity, std::span<const Holding> holders) {
  const auto total = base::Quantity::parse(capacity.value.value.text);
  if (!total.ok()) return false;
  base::Quantity used;
  for (const Holding& holding : holders) {
    if (holding.admin()) continue;
    const api::Quantity* part = api::find(holding.result->consumed_capacity, capacity.key);
    if (part == nullptr) continue;
    const auto amount = base::Quantity::parse(part->text);
    if (!amount.ok()) return false;
    used.add(amount.value());
  }
  return used < total.value();
}

}  // namespace

std::string to_string(const DeviceId& id) {
  return base::format("{}/{}/{}", id.driver, id.pool, id.device);
}

Usage::Usage(const snapshot::Snapshot& snapshot, const Features& features)
    : shares_count_in_part_(features.on(Gate::DRAConsumableCapacity)) {
  for (const api::ResourceClaim& claim : snapshot.all<api::ResourceClaim>()) {
    if (!claim.status.allocation) continue;
    for (const api::AllocationResultItem& result : claim.status.allocation->devices.results) {
      holdings_.push_back({{result.driver, result.pool, result.device}, &claim, &result});
    }
  }
  std::ranges::stable_sort(holdings_, {}, &Holding::id);
}

std::span<const Holding> Usage::holders(const DeviceId& id) const {
  return base::equal_range(holdings_, id, &Holding::id);
}

Occupancy Usage::occupancy(const DeviceId& id, const api::Device& device) const {
  const auto held_by = holders(id);
  const auto takes = [](const Holding& holding) { return !holding.admin(); };
  if (std::ranges::none_of(held_by, takes)) return Occupancy::None;
  if (!shareable(id, device)) return Occupancy::Entirely;
  const bool room = std::ranges::all_of(
      device.capacity, [&held_by](const auto& capacity) { return has_room(capacity, held_by); });
  return room ? Occupancy::Shared : Occupancy::Entirely;
}

// A device that somebody holds without a share is taken as a whole.
bool Usage::shareable(const DeviceId& id, const api::Device& device) const {
  if (!shares_count_in_part_ || !device.allow_multiple_allocations) return false;
  return std::ranges::none_of(holders(id), [](const Holding& holding) {
    return !holding.admin() && holding.result->share_id.empty();
  });
}

}  // namespace dra::engine
