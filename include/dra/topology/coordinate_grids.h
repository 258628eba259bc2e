// include/dra/topology/coordinate_grids.h
//
// Devices that say themselves where they are: those of AWS Neuron, whose attribute topology_x is
// the row and topology_y the column. Any driver that publishes both is drawn by them.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dra/engine/cluster/inventory.h"
#include "dra/topology/chip_grid.h"

namespace dra::topology {

// Of the devices in the list a grid for each node and driver, by driver, then node. Devices without
// both coordinates, or at a place that another one has, are unplaced where others of theirs are
// placed. Where places in between are empty, and nothing tells how many devices the machine has,
// there is no grid: what was never there would be drawn as missing.
std::vector<ChipGrid> coordinate_grids(const snapshot::Snapshot& snapshot,
                                       const engine::Inventory& inventory,
                                       std::span<const std::size_t> devices);

}  // namespace dra::topology
