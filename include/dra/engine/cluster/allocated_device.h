// include/dra/engine/cluster/allocated_device.h
//
// The state of a device after its allocation: whether it is still published, and what its driver
// reports in the claim's status.

#pragma once

#include "dra/api/claim.h"
#include "dra/engine/cluster/inventory.h"

namespace dra::engine {

inline DeviceId id_of(const api::AllocationResultItem& result) {
  return {result.driver, result.pool, result.device};
}

// Whether no slice publishes the device any more. In an incomplete pool its slice may only be
// missing. Needs slices: without them every device is gone.
bool is_gone(const Inventory& inventory, const DeviceId& id);

// For a share the status of that share. nullptr: the driver reports nothing.
const api::DeviceStatus* status_of(const api::ResourceClaim& claim,
                                   const api::AllocationResultItem& result);

}  // namespace dra::engine
