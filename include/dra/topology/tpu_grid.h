// include/dra/topology/tpu_grid.h
//
// TPUs as grids of chips: what is at each place, as far as it can be known. The driver publishes no
// coordinates. The shape of a slice follows from labels, chips of a host from their numbers, and
// hosts of a slice from the numbers of the pods that use it; where nobody has numbered them, hosts
// are put into the order of their names, and the grid says that its places are assumed.

#pragma once

#include <vector>

#include "dra/topology/chip_grid.h"

namespace dra::topology {

// All hosts of TPUs of a cluster, by driver and name. Needs slices and nodes.
std::vector<ChipGrid> tpu_grids(const snapshot::Snapshot& snapshot,
                                const engine::Inventory& inventory);

}  // namespace dra::topology
