// src/report/topology/topology_environment.h
//
// What the TPU driver sets for those who hold the hosts of a grid: once for hosts where it is the
// same.

#pragma once

#include "dra/json/value.h"
#include "dra/report/topology/topology.h"
#include "dra/topology/tpu_environment.h"

namespace dra::report {

// What the driver sets for whoever holds a host, and what containers set themselves.
struct HostEnvironment {
  topology::TpuEnvironment environment;
  std::vector<topology::TpuOverride> overrides = {};
};
// Of each host of a grid. No value: nobody holds it, or whoever does gets nothing.
using GridEnvironments = std::vector<std::optional<HostEnvironment>>;

GridEnvironments environments_of(const topology::ChipGrid& grid, const Scene& scene);

// Adds the members `environment` and `overrides` of a host.
void set_environment(json::Value& host, const HostEnvironment& environment);

// A line for each environment, and for each kind of container that sets something else.
void add_environments(const topology::ChipGrid& grid, const Scene& scene, view::Document& document);

}  // namespace dra::report
