// src/report/topology/topology_hosts.h
//
// Slices of more chips than are drawn one by one: a place is a host, and says how many of its chips
// are free. Who has the others stands below.

#pragma once

#include "dra/report/topology/topology.h"

namespace dra::report {

void add_grid_of_hosts(const topology::ChipGrid& grid, const Asked& asked, const Scene& scene,
                       const TopologyView& options, view::Document& document);

}  // namespace dra::report
