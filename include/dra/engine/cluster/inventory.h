// include/dra/engine/cluster/inventory.h
//
// Every device of a cluster with its state, whatever a claim asks for. The state is decided here
// alone: lists, counts, drawings and advice read it. Devices are those of the newest generation of
// each pool; stale slices have none. Devices that should be there and are not published have no
// entry here, see missing_device.h.

#pragma once

#include <deque>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "dra/base/lazy.h"
#include "dra/engine/cluster/device_numbers.h"
#include "dra/engine/cluster/pool.h"
#include "dra/engine/cluster/taints.h"
#include "dra/engine/cluster/usage.h"

namespace dra::engine {

// One vocabulary for everything that is shown of devices. A device in use may be tainted, too, or
// its pool unusable; a device that is not in use has the first state that keeps every claim away,
// then that which keeps some away. Only `Free` and `Shared` are available to any claim.
enum class DeviceState {
  Free,
  Shared,     // some shares are taken, and claims can get more
  Allocated,  // in use, wholly; or in part, and claims can get no more of it
  Blocked,    // not in use, but its siblings have taken the counters that it shares with them
  Tainted,    // not in use, and available only to claims that tolerate its taints
  Unusable,   // not in use, in a pool or a slice that the allocator does not use
  Missing,    // not published: never the state of an InventoryDevice
  Unknown,    // its claims or taints could not be read
};
std::string_view name_of(DeviceState state);   // "allocated": of JSON
std::string_view words_of(DeviceState state);  // "in use": of texts

// Facts about a device of any slice, also of one that a newer generation replaces.
struct DeviceFacts {
  Holders holders = {};                        // admin access included
  std::span<const DeviceTaintOf> taints = {};  // without those of effect None
  Occupancy occupancy = Occupancy::None;
  bool held = false;  // as a whole, by some claim
};

struct InventoryDevice {
  PoolDevice published;
  std::size_t pool;  // index into Inventory::pools()
  DeviceState state;
  Holders holders;
  std::span<const DeviceTaintOf> taints;
};

class Inventory {
 public:
  explicit Inventory(const snapshot::Snapshot& snapshot, const Overrides& overrides = {});
  Inventory(const Inventory&) = delete;  // the devices point into it
  Inventory& operator=(const Inventory&) = delete;

  // By driver, pool, slice name, then as listed. Made when first asked for: explaining a pod mostly
  // does without.
  const std::vector<InventoryDevice>& devices() const;
  const std::vector<Pool>& pools() const { return pools_.whole(); }
  const DeviceNumbers& numbers() const { return numbers_; }
  const DeviceFacts& facts(const PoolDevice& device) const { return facts_[numbers_.of(device)]; }
  // By device of the slice.
  std::span<const DeviceFacts> facts(const api::ResourceSlice& slice) const {
    const std::size_t first = numbers_.first_of(slice);
    return std::span(facts_).subspan(first, slice.spec.devices.size());
  }
  // Whether the device is not in use, and the siblings that share its counters have taken too much
  // of them: no claim can get it. Whatever else is the matter with it.
  bool is_blocked(const PoolDevice& device) const { return blocked()[numbers_.of(device)]; }
  const Pool* find_pool(std::string_view driver, std::string_view name) const;
  // Among the devices of the newest generation; nullptr: not there. A pool may have a hundred
  // thousand devices, so those of large ones are found by an index.
  const PoolDevice* find(const DeviceId& id) const;
  const Pools& slices() const { return pools_; }
  const Usage& usage() const { return usage_; }
  const Taints& taints() const { return taints_; }

 private:
  std::vector<InventoryDevice> all_devices() const;
  const std::vector<bool>& blocked() const;
  std::vector<bool> find_blocked() const;
  using ByName = std::vector<const PoolDevice*>;  // sorted; empty for small pools
  std::vector<ByName> index_devices() const;
  void find_facts(const snapshot::Snapshot& snapshot);
  void withhold(const snapshot::Snapshot& snapshot, const std::set<DeviceId>& devices);
  void find_holders(const api::ResourceSlice& slice, std::span<DeviceFacts> facts) const;

  Pools pools_;
  Usage usage_;
  Taints taints_;
  DeviceNumbers numbers_;
  std::vector<DeviceFacts> facts_;                           // by number
  std::deque<std::vector<DeviceTaintOf>> taints_of_device_;  // only of tainted devices
  bool saw_all_;  // all claims and taint rules were visible
  base::Lazy<std::vector<InventoryDevice>> devices_;
  base::Lazy<std::vector<bool>> blocked_;  // by number
  base::Lazy<std::vector<ByName>> index_;  // by pool
};

}  // namespace dra::engine
