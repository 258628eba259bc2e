// include/dra/engine/cluster/counter_headroom.h
//
// Whether the counters that a free device shares with others still suffice for it. The counters of
// a pool are summed at the first question about it.

#pragma once

#include <cstddef>
#include <map>

#include "dra/engine/cluster/counters.h"
#include "dra/engine/cluster/inventory.h"

namespace dra::engine {

class CounterHeadroom {
 public:
  // The inventory must outlive it.
  explicit CounterHeadroom(const Inventory& inventory) : inventory_(inventory) {}

  // Of a pool, by its index in Inventory::pools().
  const Counters& counters_of(std::size_t pool) {
    return pools_.try_emplace(pool, inventory_.pools()[pool], inventory_.usage()).first->second;
  }

  // A counter has too little left for the device, which is not allocated.
  bool exceeds_counters(const InventoryDevice& device) {
    if (device.published.device->consumes.empty()) return false;
    return !counters_of(device.pool).short_for(*device.published.device).empty();
  }

 private:
  const Inventory& inventory_;
  std::map<std::size_t, Counters> pools_;
};

}  // namespace dra::engine
