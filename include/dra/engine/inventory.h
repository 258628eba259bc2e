// include/dra/engine/inventory.h
//
// Every device of a cluster with what can be said of it without asking for anything: free, held,
// tainted, or in a pool that cannot be used. Devices are those of the newest generation of each
// pool; stale slices have none.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "dra/engine/device_numbers.h"
#include "dra/engine/pool.h"
#include "dra/engine/taints.h"
#include "dra/engine/usage.h"

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
  Holders holders = {};                    // admin access included
  std::vector<DeviceTaintOf> taints = {};  // those that keep pods away
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
  explicit Inventory(const snapshot::Snapshot& snapshot, const HeldBy& only = {});
  Inventory(const Inventory&) = delete;  // the devices point into it
  Inventory& operator=(const Inventory&) = delete;

  // By driver, pool, slice name, then as listed.
  const std::vector<InventoryDevice>& devices() const { return devices_; }
  const std::vector<Pool>& pools() const { return pools_.whole(); }
  const DeviceNumbers& numbers() const { return numbers_; }
  const DeviceFacts& facts(const PoolDevice& device) const { return facts_[numbers_.of(device)]; }
  const Pool* find_pool(std::string_view driver, std::string_view name) const;
  const Pools& slices() const { return pools_; }
  const Usage& usage() const { return usage_; }
  const Taints& taints() const { return taints_; }

 private:
  void find_facts(const snapshot::Snapshot& snapshot);

  Pools pools_;
  Usage usage_;
  Taints taints_;
  DeviceNumbers numbers_;
  std::vector<DeviceFacts> facts_;  // by number
  std::vector<InventoryDevice> devices_;
};

}  // namespace dra::engine
