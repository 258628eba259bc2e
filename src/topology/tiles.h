// src/topology/tiles.h
//
// The parts of a slice that are free as a whole. Parts are aligned: a shape tiles the slice in
// steps of its own sides. Labels of nodes that name their parts take precedence.

#pragma once

#include <vector>

#include "dra/topology/chip_grid.h"

namespace dra::topology {

// Needs the grid's tiles. No value: no tile can certainly be placed, or nothing is free.
std::optional<Fragmentation> fragmentation_of(const ChipGrid& grid);

std::vector<Tiles> tiles_of(const ChipGrid& grid, const snapshot::Snapshot& snapshot);

}  // namespace dra::topology
