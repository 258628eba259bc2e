// src/topology/tiles.h
//
// Which parts of a slice are free as a whole. Parts are aligned: a shape tiles the slice in steps
// of its own sides. Where nodes are labelled with the parts that they belong to, these say it.

#pragma once

#include <vector>

#include "dra/topology/tpu_grid.h"

namespace dra::topology {

std::vector<Tiles> tiles_of(const TpuGrid& grid, const snapshot::Snapshot& snapshot);

}  // namespace dra::topology
