// src/engine/usage.cpp: see usage.h.

#include "dra/engine/usage.h"

#include <algorithm>

#include "dra/base/quantity.h"
#include "dra/base/text.h"

namespace dra::engine {
namespace {

// What all shares together consume of one capacity. Amounts that cannot be read count as
// everything.
bool has_room(const api::Entry<api::DeviceCapacity>& capacity, Holders holders) {
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

Usage::Usage(const snapshot::Snapshot& snapshot, const Features& features, const HeldBy& only)
    : shares_count_in_part_(features.on(Gate::DRAConsumableCapacity)) {
  std::unordered_map<PoolName, std::vector<Holding>, Hash> held;
  std::size_t count = 0;
  for (const api::ResourceClaim& claim : snapshot.all<api::ResourceClaim>()) {
    if (!claim.status.allocation) continue;
    if (only && std::ranges::find(*only, &claim) == only->end()) continue;
    for (const api::AllocationResultItem& result : claim.status.allocation->devices.results) {
      held[{result.driver, result.pool}].push_back(
          {{result.driver, result.pool, result.device}, &claim, &result});
      ++count;
    }
  }
  std::vector<std::pair<PoolName, std::vector<Holding>*>> pools;
  pools.reserve(held.size());
  for (auto& [name, holdings] : held)
    pools.emplace_back(name, &holdings);
  std::ranges::sort(pools);
  holdings_.reserve(count);
  by_pool_.reserve(pools.size());
  for (const auto& [name, holdings] : pools) {
    std::ranges::stable_sort(*holdings, {}, [](const Holding& one) { return one.id.device; });
    const std::size_t first = holdings_.size();
    holdings_.insert(holdings_.end(), holdings->begin(), holdings->end());
    by_pool_.emplace(name, Holders(holdings_).subspan(first));
  }
}

Holders Usage::holders_in(std::string_view driver, std::string_view pool) const {
  const auto known = by_pool_.find({driver, pool});
  return known == by_pool_.end() ? Holders() : known->second;
}

Holders Usage::holders_of(std::string_view device, Holders in_pool) {
  const auto name = [](const Holding& holding) { return holding.id.device; };
  const auto first = std::ranges::lower_bound(in_pool, device, {}, name);
  auto last = first;
  while (last != in_pool.end() && last->id.device == device)
    ++last;
  return {first, last};
}

Holders Usage::holders(const DeviceId& id) const {
  return holders_of(id.device, holders_in(id.driver, id.pool));
}

// With shares counted in part, only a holder without a share takes the whole device.
Occupancy Usage::taken_by(const Holding& holding) const {
  if (holding.admin()) return Occupancy::None;
  const bool share = shares_count_in_part_ && !holding.result->share_id.empty();
  return share ? Occupancy::Shared : Occupancy::Entirely;
}

bool Usage::held_as_a_whole(Holders holders) const {
  return std::ranges::any_of(
      holders, [this](const Holding& holding) { return taken_by(holding) == Occupancy::Entirely; });
}

Occupancy Usage::occupancy(Holders holders, const api::Device& device) const {
  if (std::ranges::all_of(holders, &Holding::admin)) return Occupancy::None;
  if (held_as_a_whole(holders)) return Occupancy::Entirely;
  if (!device.allow_multiple_allocations) return Occupancy::Entirely;
  const bool room = std::ranges::all_of(
      device.capacity, [&holders](const auto& capacity) { return has_room(capacity, holders); });
  return room ? Occupancy::Shared : Occupancy::Entirely;
}

}  // namespace dra::engine
