// include/dra/engine/room.h
//
// Whether free devices could be had, as far as the counters go that they share with others. The
// counters of each pool are added up once, when somebody first asks for them.

#pragma once

#include <cstddef>
#include <map>

#include "dra/engine/counters.h"
#include "dra/engine/inventory.h"

namespace dra::engine {

class Room {
 public:
  // The inventory must outlive it.
  explicit Room(const Inventory& inventory) : inventory_(inventory) {}

  // Too little is left of a counter for the device, which is not allocated.
  bool lacks(const InventoryDevice& device) {
    if (device.published.device->consumes.empty()) return false;
    const auto counters =
        pools_.try_emplace(device.pool, inventory_.pools()[device.pool], inventory_.usage()).first;
    return !counters->second.short_for(*device.published.device).empty();
  }

 private:
  const Inventory& inventory_;
  std::map<std::size_t, Counters> pools_;
};

}  // namespace dra::engine
