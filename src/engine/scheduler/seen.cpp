// src/engine/scheduler/seen.cpp: see seen.h.

#include "src/engine/scheduler/seen.h"

namespace dra::engine {

std::vector<Seen> seen_devices(const SeenPools& pools, const Inventory& inventory) {
  std::vector<Seen> devices;
  for (const Pool& pool : pools) {
    for (const PoolDevice& device : pool.devices)
      devices.push_back({&device, &pool, &inventory.facts(device)});
  }
  return devices;
}

Seen device_at(const SeenPools& pools, const Inventory& inventory, std::size_t place) {
  std::size_t number = 0;  // of the pool
  for (; place >= pools[number].devices.size(); ++number)
    place -= pools[number].devices.size();
  const PoolDevice& device = pools[number].devices[place];
  return {&device, &pools[number], &inventory.facts(device)};
}

}  // namespace dra::engine
