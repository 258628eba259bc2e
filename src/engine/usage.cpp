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
  return used < total.value() || total.value().is_zero();
}

}  // namespace

std::string to_string(const DeviceId& id) {
  return base::format("{}/{}/{}", id.driver, id.pool, id.device);
}

std::vector<std::string> pods_of(const api::ResourceClaim& claim) {
  std::vector<std::string> pods;
  for (const api::Consumer& consumer : claim.status.reserved_for) {
    if (consumer.is_pod())
      pods.push_back(base::format("{}/{}", claim.meta.namespace_, consumer.name));
  }
  return pods;
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

std::span<const Holding> Usage::holders_in(std::string_view driver, std::string_view pool) const {
  return base::equal_range(holdings_, std::pair(driver, pool), [](const Holding& holding) {
    return std::pair(holding.id.driver, holding.id.pool);
  });
}

// With shares counted in part, only a holder without a share takes the whole device.
Occupancy Usage::taken_by(const Holding& holding) const {
  if (holding.admin()) return Occupancy::None;
  const bool share = shares_count_in_part_ && !holding.result->share_id.empty();
  return share ? Occupancy::Shared : Occupancy::Entirely;
}

bool Usage::held_as_a_whole(const DeviceId& id) const {
  return std::ranges::any_of(holders(id), [this](const Holding& holding) {
    return taken_by(holding) == Occupancy::Entirely;
  });
}

Occupancy Usage::occupancy(const DeviceId& id, const api::Device& device) const {
  const auto held_by = holders(id);
  if (std::ranges::all_of(held_by, &Holding::admin)) return Occupancy::None;
  if (held_as_a_whole(id)) return Occupancy::Entirely;
  if (!device.allow_multiple_allocations) return Occupancy::Entirely;
  const bool room = std::ranges::all_of(
      device.capacity, [&held_by](const auto& capacity) { return has_room(capacity, held_by); });
  return room ? Occupancy::Shared : Occupancy::Entirely;
}

bool Usage::shareable(const DeviceId& id, const api::Device& device) const {
  return shares_count_in_part_ && device.allow_multiple_allocations && !held_as_a_whole(id);
}

}  // namespace dra::engine
