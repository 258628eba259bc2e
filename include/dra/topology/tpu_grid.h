// include/dra/topology/tpu_grid.h
//
// TPUs as grids of chips. The driver publishes no coordinates. The shape of a slice follows from
// labels, the places of a host's chips from their numbers, and the places of a slice's hosts from
// the worker numbers of the pods that use it. Without worker numbers hosts are in the order of
// their names, and the grid's placement is Assumed.

#pragma once

#include <vector>

#include "dra/topology/chip_grid.h"

namespace dra::topology {

// The grids of all TPU hosts of a cluster, by driver and name. Needs slices and nodes.
std::vector<ChipGrid> tpu_grids(const snapshot::Snapshot& snapshot,
                                const engine::Inventory& inventory);

}  // namespace dra::topology
