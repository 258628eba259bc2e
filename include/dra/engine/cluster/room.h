// include/dra/engine/cluster/room.h
//
// Whether free devices could be had, as far as the counters go that they share with others. The
// counters of each pool are added up once, when somebody first asks for them.

#pragma once

#include <cstddef>
#include <map>

#include "dra/engine/cluster/counters.h"
#include "dra/engine/cluster/inventory.h"

namespace dra::engine {

class Room {
 public:
  // The inventory must outlive it.
  explicit Room(const Inventory& inventory) : inventory_(inventory) {}

  // Of a pool, by its index in Inventory::pools().
  const Counters& counters_of(std::size_t pool) {
    return pools_.try_emplace(pool, inventory_.pools()[pool], inventory_.usage()).first->second;
  }

  // Too little is left of a counter for the device, which is not allocated.
  bool lacks(const InventoryDevice& device) {
    if (device.published.device->consumes.empty()) return false;
    return !counters_of(device.pool).short_for(*device.published.device).empty();
  }

 private:
  const Inventory& inventory_;
  std::map<std::size_t, Counters> pools_;
};

}  // namespace dra::engine
