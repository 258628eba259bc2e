// include/dra/topology/missing_devices.h
//
// The devices that should be there and are not published. Two things say so: a claim still holds a
// device that was published once, and the shape of a machine or of a slice of chips has a place for
// it. Drawings show the same places as missing.

#pragma once

#include <vector>

#include "dra/engine/cluster/inventory.h"
#include "dra/engine/cluster/missing_device.h"

namespace dra::topology {

// By driver, pool, node and name; each device once. Empty if slices could not be read. Without
// nodes only what slices and claims tell is known.
std::vector<engine::MissingDevice> missing_devices(const snapshot::Snapshot& snapshot,
                                                   const engine::Inventory& inventory);

}  // namespace dra::topology
