// src/engine/cluster/allocated_device.cpp: see allocated_device.h.

#include "dra/engine/cluster/allocated_device.h"

#include <algorithm>

namespace dra::engine {

bool is_gone(const Inventory& inventory, const DeviceId& id) {
  if (inventory.find(id) != nullptr) return false;
  const Pool* pool = inventory.find_pool(id.driver, id.pool);
  return pool == nullptr || pool->state != PoolState::Incomplete;
}

const api::DeviceStatus* status_of(const api::ResourceClaim& claim,
                                   const api::AllocationResultItem& result) {
  const auto& all = claim.status.devices;
  const auto found = std::ranges::find_if(all, [&result](const api::DeviceStatus& status) {
    return status.driver == result.driver && status.pool == result.pool &&
           status.device == result.device && status.share_id == result.share_id;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace dra::engine
