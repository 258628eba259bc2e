// src/report/topology_environment.h
//
// What the TPU driver sets for those who hold the hosts of a grid: once for hosts where it is the
// same.

#pragma once

#include "dra/json/value.h"
#include "dra/report/topology.h"

namespace dra::report {

GridEnvironments environments_of(const topology::ChipGrid& grid, const Scene& scene);

// Adds the members `environment` and `overrides` of a host.
void set_environment(json::Value& host, const HostEnvironment& environment);

// A line for each environment, and for each kind of container that sets something else.
void add_environments(const topology::ChipGrid& grid, const GridEnvironments& environments,
                      view::Document& document);

}  // namespace dra::report
