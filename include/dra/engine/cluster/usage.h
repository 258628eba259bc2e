// include/dra/engine/cluster/usage.h
//
// Who holds what. A device is held by every allocation result in any claim's status that names it,
// whatever the claim's reservations are and even while the claim is being deleted; only results
// with admin access do not take it. Shares of a device that allows several allocations take their
// part. Upstream: k8s.io/dynamic-resource-allocation/structured, GatherAllocatedState.
//
// A holder may name a device that no slice publishes any more.

#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/facts/features.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// Device names are unique in their pool only.
struct DeviceId {
  std::string_view driver;
  std::string_view pool;
  std::string_view device;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy takes the comparison with 0 for a pointer's
  friend auto operator<=>(const DeviceId&, const DeviceId&) = default;
};
std::string to_string(const DeviceId& id);  // driver/pool/device

// Who has reserved a claim, as namespace/name; consumers of other kinds are left out.
std::vector<std::string> pods_of(const api::ResourceClaim& claim);

struct Holding {
  DeviceId id;
  const api::ResourceClaim* claim;
  const api::AllocationResultItem* result;

  bool admin() const { return result->admin_access; }
};

enum class Occupancy {
  None,     // nobody, or only admin access
  Shared,   // some shares are taken, there is room for more
  Entirely  // nothing is left
};

// Holders are those of one device, in the order of their claims' names.
using Holders = std::span<const Holding>;

// Whether one of them takes the device, or a share of it; admin access does not.
bool in_use(Holders holders);

// Whose holdings count: without a value those of all claims. With one, of these only, as in a
// cluster where nobody else has anything.
using HeldBy = std::optional<std::vector<const api::ResourceClaim*>>;

// In what a cluster is taken to be other than the snapshot says, for whoever asks "what if".
struct Otherwise {
  HeldBy held_by = {};
  std::vector<const api::ResourceClaim*> released = {};  // these hold nothing
  bool untainted = false;                                // no device keeps pods away
  bool all_complete = false;                             // as if the slices that lack had come
  std::vector<api::PoolName> complete = {};              // the same of these pools only
  std::set<DeviceId> withheld = {};                      // taken, but not what they share

  bool holds(const api::ResourceClaim& claim) const;
  bool completes(const api::PoolName& pool) const;
};

class Usage {
 public:
  Usage(const snapshot::Snapshot& snapshot, const Features& features,
        const Otherwise& otherwise = {});
  Usage(const Usage&) = delete;  // it points into itself
  Usage& operator=(const Usage&) = delete;

  // All holders of a device, admin access included.
  Holders holders(const DeviceId& id) const;
  // Of all devices of a pool, by its number in the snapshot, in the order of devices.
  Holders holders_in(std::uint32_t pool) const { return by_pool_[pool]; }
  // Of one device, of all those of its pool.
  static Holders holders_of(std::string_view device, Holders in_pool);

  // Whether a holding takes its device as a whole, only a share of it, or, with admin access,
  // nothing.
  Occupancy taken_by(const Holding& holding) const;
  // `device` is what is published under the name that they hold.
  Occupancy occupancy(Holders holders, const api::Device& device) const;
  // Whether somebody holds it without a share. Only then does the allocator pass it over, even if
  // it is published as unshared by now.
  bool held_as_a_whole(Holders holders) const;
  // Whether several claims hold it, and one of them as a whole: no scheduler does that by itself.
  bool is_held_twice(Holders holders) const;
  // By device, then claim.
  const std::vector<Holding>& all() const { return holdings_; }

 private:
  void sort_pools(std::span<const std::uint32_t> pools, std::span<const std::size_t> ends);

  std::vector<Holding> holdings_;
  std::vector<Holders> by_pool_;  // by the pool's number
  bool shares_count_in_part_;
};

}  // namespace dra::engine
