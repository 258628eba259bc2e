// include/dra/engine/cluster/allocated_device.h
//
// What has become of a device since it was allocated: whether it is still published, and what its
// driver says of it in the claim's status.

#pragma once

#include "dra/engine/cluster/inventory.h"

namespace dra::engine {

inline DeviceId id_of(const api::AllocationResultItem& result) {
  return {result.driver, result.pool, result.device};
}

// Among the devices of the newest generation; nullptr: not there.
const PoolDevice* find_published(const Inventory& inventory, const DeviceId& id);

// Whether no slice publishes it any more. An incomplete pool may only lack the slice with the
// device. Needs slices: without them everything is gone.
bool is_gone(const Inventory& inventory, const DeviceId& id);

// Of a share that share alone. nullptr: its driver says nothing.
const api::DeviceStatus* status_of(const api::ResourceClaim& claim,
                                   const api::AllocationResultItem& result);

}  // namespace dra::engine
