// include/dra/engine/cluster/inventory.h
//
// Every device of a cluster with what can be said of it without asking for anything: free, held,
// tainted, or in a pool that cannot be used. Devices are those of the newest generation of each
// pool; stale slices have none.

#pragma once

#include <deque>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/device_numbers.h"
#include "dra/engine/cluster/pool.h"
#include "dra/engine/cluster/taints.h"
#include "dra/engine/cluster/usage.h"

namespace dra::engine {

enum class DeviceState {
  Free,
  Shared,     // some shares are taken, there is room for more
  Allocated,  // whatever else is true of it
  Tainted,    // free, but a taint keeps claims away that do not tolerate it
  Unusable,   // free, but in an incomplete or invalid pool
  Unknown,    // who holds it, or what taints it, could not be read
};
std::string_view name_of(DeviceState state);  // "free", as --state takes it

// Of every device of every slice, also of those that a newer generation replaces.
struct DeviceFacts {
  Holders holders = {};                        // admin access included
  std::span<const DeviceTaintOf> taints = {};  // those that keep pods away
  Occupancy occupancy = Occupancy::None;
  bool held = false;  // by somebody without a share
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
  explicit Inventory(const snapshot::Snapshot& snapshot, const Otherwise& otherwise = {});
  Inventory(const Inventory&) = delete;  // the devices point into it
  Inventory& operator=(const Inventory&) = delete;

  // By driver, pool, slice name, then as listed. Made when first asked for: explaining a pod mostly
  // does without. Not for several threads.
  const std::vector<InventoryDevice>& devices() const;
  const std::vector<Pool>& pools() const { return pools_.whole(); }
  const DeviceNumbers& numbers() const { return numbers_; }
  const DeviceFacts& facts(const PoolDevice& device) const { return facts_[numbers_.of(device)]; }
  // Of all devices of a slice.
  std::span<const DeviceFacts> facts(const api::ResourceSlice& slice) const {
    const std::size_t first = numbers_.first_of(slice);
    return std::span(facts_).subspan(first, slice.spec.devices.size());
  }
  const Pool* find_pool(std::string_view driver, std::string_view name) const;
  const Pools& slices() const { return pools_; }
  const Usage& usage() const { return usage_; }
  const Taints& taints() const { return taints_; }

 private:
  void find_facts(const snapshot::Snapshot& snapshot);
  void withhold(const snapshot::Snapshot& snapshot, const std::set<DeviceId>& devices);
  void find_holders(const api::ResourceSlice& slice, std::span<DeviceFacts> facts) const;

  Pools pools_;
  Usage usage_;
  Taints taints_;
  DeviceNumbers numbers_;
  std::vector<DeviceFacts> facts_;                           // by number
  std::deque<std::vector<DeviceTaintOf>> taints_of_device_;  // of those that have any
  bool saw_all_;                                             // that may hold or taint a device
  mutable std::vector<InventoryDevice> devices_;
};

}  // namespace dra::engine
