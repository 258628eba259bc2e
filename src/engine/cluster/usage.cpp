// src/engine/cluster/usage.cpp: collects all allocation results, sorted by pool with a counting
// sort and by device within a pool, so that a pool's holders are one span.

#include "dra/engine/cluster/usage.h"

#include <algorithm>

#include "dra/base/fetch.h"
#include "dra/base/quantity.h"
#include "dra/base/sorted.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/shares.h"

namespace dra::engine {
namespace {

// Whether the shares leave some of one capacity. An unreadable amount counts as everything.
bool has_room(const api::Entry<api::DeviceCapacity>& capacity, Holders holders) {
  const auto total = base::Quantity::parse(capacity.value.value.text);
  if (!total.ok()) return false;
  const auto used = taken_of(holders, capacity.key);
  return used && (*used < total.value() || total.value().is_zero());
}

// Where shares count in part, only a holder without a share takes the whole device.
Occupancy taken_by(const api::AllocationResultItem& result, bool in_part) {
  if (result.admin_access) return Occupancy::None;
  return in_part && !result.share_id.empty() ? Occupancy::Shared : Occupancy::Entirely;
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

bool Overrides::holds(const api::ResourceClaim& claim) const {
  if (held_by && std::ranges::find(*held_by, &claim) == held_by->end()) return false;
  return std::ranges::find(released, &claim) == released.end();
}

bool Overrides::completes(const api::PoolName& pool) const {
  return all_complete || std::ranges::find(complete, pool) != complete.end();
}

// The claims' results are far apart in memory, so each is read once.
Usage::Usage(const snapshot::Snapshot& snapshot, const Features& features,
             const Overrides& overrides) {
  const bool in_part = features.on(Gate::DRAConsumableCapacity);
  std::vector<Holding> unsorted;
  std::vector<std::uint32_t> pool_of;                              // by holding
  std::vector<std::size_t> next(snapshot.pools().names().size());  // by pool; at first, its size
  for (const api::ResourceClaim& claim : snapshot.all<api::ResourceClaim>()) {
    if (!claim.allocated() || !overrides.holds(claim)) continue;
    for (const api::AllocationResultItem& result : claim.status.allocation->devices.results) {
      unsorted.push_back({.id = {result.driver, result.pool, result.device},
                          .claim = &claim,
                          .result = &result,
                          .takes = taken_by(result, in_part)});
      pool_of.push_back(result.pool_number);
      ++next[result.pool_number];
    }
  }
  std::size_t first = 0;
  const auto& pools = snapshot.pools().sorted();
  for (const std::uint32_t pool : pools) {
    first += next[pool];
    next[pool] = first - next[pool];
  }
  holdings_.resize(unsorted.size());
  for (std::size_t i = 0; i < unsorted.size(); ++i)
    holdings_[next[pool_of[i]]++] = unsorted[i];
  sort_pools(pools, next);
}

// `ends`: by pool number, the end of its holdings.
void Usage::sort_pools(std::span<const std::uint32_t> pools, std::span<const std::size_t> ends) {
  const auto device = [](const Holding& holding) { return holding.id.device; };
  by_pool_.resize(pools.size());
  std::size_t first = 0;
  for (const std::uint32_t pool : pools) {
    for (std::size_t i = first; i < ends[pool]; ++i)
      base::fetch_text(holdings_, i, device);
    const auto held = std::span(holdings_).subspan(first, ends[pool] - first);
    if (!std::ranges::is_sorted(held, {}, device)) std::ranges::stable_sort(held, {}, device);
    by_pool_[pool] = held;
    first = ends[pool];
  }
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
  return base::equal_range(holdings_, id, &Holding::id);
}

bool in_use(Holders holders) {
  return std::ranges::any_of(
      holders, [](const Holding& holding) { return holding.takes != Occupancy::None; });
}

bool held_as_a_whole(Holders holders) {
  return std::ranges::any_of(
      holders, [](const Holding& holding) { return holding.takes == Occupancy::Entirely; });
}

// Holders are sorted by claim; admin access takes nothing.
bool is_held_twice(Holders holders) {
  if (holders.size() < 2 || !held_as_a_whole(holders)) return false;
  const auto first = std::ranges::find_if_not(holders, &Holding::admin);
  return std::any_of(first, holders.end(), [&first](const Holding& holding) {
    return !holding.admin() && holding.claim != first->claim;
  });
}

Occupancy occupancy(Holders holders, const api::Device& device) {
  if (!in_use(holders)) return Occupancy::None;
  if (held_as_a_whole(holders)) return Occupancy::Entirely;
  if (!device.allow_multiple_allocations) return Occupancy::Entirely;
  const bool room = std::ranges::all_of(
      device.capacity, [&holders](const auto& capacity) { return has_room(capacity, holders); });
  return room ? Occupancy::Shared : Occupancy::Entirely;
}

}  // namespace dra::engine
