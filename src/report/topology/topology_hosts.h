// src/report/topology/topology_hosts.h
//
// Draws slices with too many chips for a place each: a place is a host, with the number of its free
// chips. The holders of the other chips are listed below the grid.

#pragma once

#include "dra/report/topology/topology.h"

namespace dra::report {

void add_grid_of_hosts(const topology::ChipGrid& grid, const Asked& asked, const Scene& scene,
                       const TopologyView& options, view::Document& document);

}  // namespace dra::report
