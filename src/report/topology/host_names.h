// src/report/topology/host_names.h
//
// Short names of the hosts of a slice, printed to the right of its grid: the long names of their
// nodes differ in a few letters.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "dra/topology/chip_grid.h"

namespace dra::report {

struct HostNames {
  std::string around;            // the common part: "gke-pool-1f2e-*"; empty if there is none
  std::vector<std::string> own;  // the rest of each name; "w3 x9pb" if the worker number is known
};

// The common part is a prefix up to a `-`, or a domain from the first `.`.
HostNames host_names(std::span<const topology::GridHost> hosts);

// The text to the right of each row of the grid, for grids with several hosts in a plane: the names
// of a row of hosts, in its first line or in several lines. Empty if the names are too long.
std::vector<std::string> names_beside(const topology::ChipGrid& grid, const HostNames& names);

}  // namespace dra::report
