// src/topology/tiles.h
//
// Which parts of a slice are free as a whole. Parts are aligned: a shape tiles the slice in steps
// of its own sides. Where nodes are labelled with the parts that they belong to, these say it.

#pragma once

#include <vector>

#include "dra/topology/chip_grid.h"

namespace dra::topology {

// Of a grid whose tiles are counted. No value: no tile of it can be placed for certain, or nothing
// is free.
std::optional<Fragmentation> fragmentation_of(const ChipGrid& grid);

std::vector<Tiles> tiles_of(const ChipGrid& grid, const snapshot::Snapshot& snapshot);

}  // namespace dra::topology
