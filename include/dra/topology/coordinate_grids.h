// include/dra/topology/coordinate_grids.h
//
// Devices that publish their coordinates: those of AWS Neuron, whose attribute topology_x is the
// row and topology_y the column. Any driver that publishes both is drawn by them.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dra/engine/cluster/inventory.h"
#include "dra/topology/chip_grid.h"

namespace dra::topology {

// A grid of the listed devices for each driver and node, in that order. Devices without both
// coordinates, or at another one's place, are unplaced. With gaps between the places, and without
// knowledge of the number of devices in the machine, there is no grid: places that never had a
// device would be drawn as missing.
std::vector<ChipGrid> coordinate_grids(const snapshot::Snapshot& snapshot,
                                       const engine::Inventory& inventory,
                                       std::span<const std::size_t> devices);

}  // namespace dra::topology
