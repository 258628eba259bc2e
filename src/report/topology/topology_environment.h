// src/report/topology/topology_environment.h
//
// The environment variables that the TPU driver sets in the pods that hold the hosts of a grid,
// once for hosts with the same values.

#pragma once

#include "dra/json/value.h"
#include "dra/report/topology/topology.h"
#include "dra/topology/tpu_environment.h"

namespace dra::report {

// The driver's variables for the claim that holds a host, and the containers that override them.
struct HostEnvironment {
  topology::TpuEnvironment environment;
  std::vector<topology::TpuOverride> overrides = {};
};
// One for each host of a grid. No value: no claim holds the host, or the driver sets nothing.
using GridEnvironments = std::vector<std::optional<HostEnvironment>>;

GridEnvironments environments_of(const topology::ChipGrid& grid, const Scene& scene);

// Adds the members `environment` and `overrides` of a host.
void set_environment(json::Value& host, const HostEnvironment& environment);

// Adds a line for each environment, and for each group of containers that overrides it.
void add_environments(const topology::ChipGrid& grid, const Scene& scene, view::Document& document);

}  // namespace dra::report
