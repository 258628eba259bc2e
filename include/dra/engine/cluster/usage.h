// include/dra/engine/cluster/usage.h
//
// Which claims hold which devices. Every allocation result in a claim's status holds the device
// that it names, whatever the claim's reservations, and even while the claim is being deleted; only
// results with admin access do not. A share of a device that allows several allocations takes its
// part. Upstream: k8s.io/dynamic-resource-allocation/structured, GatherAllocatedState.
//
// A result may name a device that no slice publishes any more.

#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/claim.h"
#include "dra/api/pool_names.h"
#include "dra/api/slice.h"
#include "dra/engine/facts/features.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// A device's name is unique in its pool only.
struct DeviceId {
  std::string_view driver;
  std::string_view pool;
  std::string_view device;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy takes the comparison with 0 for a pointer's
  friend auto operator<=>(const DeviceId&, const DeviceId&) = default;
};
std::string to_string(const DeviceId& id);  // driver/pool/device

// The pods that have reserved a claim, as namespace/name; consumers of other kinds are left out.
std::vector<std::string> pods_of(const api::ResourceClaim& claim);

enum class Occupancy {
  None,     // no holder, or only admin access
  Shared,   // some shares are taken, more are possible
  Entirely  // nothing is left
};

struct Holding {
  DeviceId id;
  const api::ResourceClaim* claim;
  const api::AllocationResultItem* result;
  // Its device as a whole, a share of it, or, with admin access, nothing.
  Occupancy takes = Occupancy::None;

  bool admin() const { return result->admin_access; }
};

// The holdings of one device, by their claims' names.
using Holders = std::span<const Holding>;

// Whether some holder takes the device or a share of it; admin access does not.
bool in_use(Holders holders);
// Whether some claim holds the device as a whole. Only then does the allocator reject it as in use,
// even if it no longer allows several allocations.
bool held_as_a_whole(Holders holders);
// Whether several claims hold the device, one of them as a whole: a scheduler never allocates that.
bool is_held_twice(Holders holders);
// `device` is the one that is published under the name that they hold.
Occupancy occupancy(Holders holders, const api::Device& device);

// The claims whose holdings count. No value: all claims.
using HeldBy = std::optional<std::vector<const api::ResourceClaim*>>;

// Overrides applied on top of a snapshot: see Hypothesis.
struct Overrides {
  HeldBy held_by = {};
  std::vector<const api::ResourceClaim*> released = {};  // these hold nothing
  bool untainted = false;                                // no device has taints
  bool all_complete = false;                             // missing slices count as published
  std::vector<api::PoolName> complete = {};              // the same for these pools only
  std::set<DeviceId> withheld = {};  // these count as held, but take no counters

  bool holds(const api::ResourceClaim& claim) const;
  bool completes(const api::PoolName& pool) const;
};

class Usage {
 public:
  Usage(const snapshot::Snapshot& snapshot, const Features& features,
        const Overrides& overrides = {});
  Usage(const Usage&) = delete;  // it points into itself
  Usage& operator=(const Usage&) = delete;

  // All holders of a device, admin access included.
  Holders holders(const DeviceId& id) const;
  // All holders in a pool, by its number in the snapshot; sorted by device.
  Holders holders_in(std::uint32_t pool) const { return by_pool_[pool]; }
  // The holders of one device among those in its pool.
  static Holders holders_of(std::string_view device, Holders in_pool);

  // By device, then claim.
  const std::vector<Holding>& all() const { return holdings_; }

 private:
  void sort_pools(std::span<const std::uint32_t> pools, std::span<const std::size_t> ends);

  std::vector<Holding> holdings_;
  std::vector<Holders> by_pool_;  // by the pool's number
};

}  // namespace dra::engine
