// src/report/topology/host_names.h
//
// Hosts of a slice beside its picture: their nodes have long names that differ in a few letters.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "dra/topology/chip_grid.h"

namespace dra::report {

struct HostNames {
  std::string around;            // what all nodes share: "gke-pool-1f2e-*"; empty: nothing
  std::vector<std::string> own;  // what they do not; "w3 x9pb" if its number is known
};

// What is shared ends with a `-`, or begins with the first `.`.
HostNames host_names(std::span<const topology::GridHost> hosts);

// What stands beside each row of the grid, for hosts that are no planes of their own: a row of
// hosts in its first line, or in as many as that takes. Empty where they are too long for that.
std::vector<std::string> names_beside(const topology::ChipGrid& grid, const HostNames& names);

}  // namespace dra::report
