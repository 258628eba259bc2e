// src/engine/scheduler/seen.h
//
// The devices that a node sees, in the order of its pools.

#pragma once

#include <cstddef>
#include <vector>

#include "dra/engine/cluster/inventory.h"

namespace dra::engine {

// A device as a node sees it.
struct Seen {
  const PoolDevice* published;
  const Pool* pool;
  const DeviceFacts* facts;
};

std::vector<Seen> seen_devices(const SeenPools& pools, const Inventory& inventory);
// One of these without making the others; there must be one at the place.
Seen device_at(const SeenPools& pools, const Inventory& inventory, std::size_t place);

}  // namespace dra::engine
