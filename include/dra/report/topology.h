// include/dra/report/topology.h
//
// `kubectl dra topology`: where the chips are, who has them, which are missing. TPUs as grids
// (dra/topology); the devices of other drivers in rows, by pool.

#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dra/json/value.h"
#include "dra/report/describe.h"
#include "dra/topology/tpu_grid.h"
#include "dra/view/document.h"

namespace dra::report {

// What is looked at: hosts by their nodes, and grids by their names.
struct TopologyChoice {
  std::set<std::string_view> nodes = {};
  std::set<std::string_view> grids = {};
};

// Devices of one pool that are in no grid.
struct TopologyRow {
  const engine::Pool* pool;
  std::vector<std::size_t> devices;  // of Inventory::devices()
};

struct Topology {
  std::vector<topology::TpuGrid> grids;
  std::vector<TopologyRow> rows;
};

// Without a choice all there is. A grid is there as a whole if one of its hosts was chosen.
Topology topology_of(const Scene& scene, const std::optional<TopologyChoice>& choice);

json::Value to_json(const Topology& topology, const Scene& scene);

struct TopologyView {
  bool wide = false;     // nothing folded
  bool details = false;  // what is at each place, for pages on which one can point at it
};
view::Document to_view(const Topology& topology, const Scene& scene, const TopologyView& options);

}  // namespace dra::report
