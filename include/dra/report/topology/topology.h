// include/dra/report/topology/topology.h
//
// `kubectl dra topology`: the position, holders and state of devices. TPU chips are grids
// (dra/topology), partitionable accelerators are boards, devices of one machine are boxes by NUMA
// node and PCIe root, all others are rows by pool. Each device is in one of these.

#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dra/json/value.h"
#include "dra/report/phrases/scene.h"
#include "dra/topology/boards.h"
#include "dra/topology/groups.h"
#include "dra/topology/tpu_grid.h"
#include "dra/view/document.h"

namespace dra::report {

// The arguments of the command, resolved. They select the devices of the claims; without claims
// those of the pools; without both those of the nodes.
struct TopologyChoice {
  std::set<std::string_view> nodes = {};
  std::set<const engine::Pool*> pools = {};
  std::set<const api::ResourceClaim*> claims = {};
};

// The selected part of the drawing: a slice is drawn as a whole even if one of its hosts is
// selected.
struct Asked {
  std::set<std::size_t> devices = {};  // of Inventory::devices()
  std::set<std::string_view> nodes = {};
  std::set<const api::ResourceClaim*> claims = {};
  bool is_all = true;  // everything that is drawn is selected

  bool has(const topology::GridHost& host) const { return nodes.contains(host.node); }
};

// Devices of one pool that a claim holds although they are no longer published.
struct GoneDevices {
  const api::ResourceClaim* claim;
  std::vector<engine::DeviceId> devices;
};

// Devices of one pool.
struct TopologyRow {
  const engine::Pool* pool;
  std::vector<std::size_t> devices;  // of Inventory::devices()
};

struct Topology {
  std::vector<topology::ChipGrid> grids = {};
  std::vector<topology::Board> boards = {};
  std::vector<topology::Box> boxes = {};
  std::vector<TopologyRow> rows = {};  // of devices that are in none of the above
  std::vector<GoneDevices> gone = {};
  Asked asked = {};

  bool empty() const {
    return grids.empty() && boards.empty() && boxes.empty() && rows.empty() && gone.empty();
  }
};

// Without a choice: all devices. A grid is complete if one of its hosts is chosen.
Topology topology_of(const Scene& scene, const std::optional<TopologyChoice>& choice);

// All chosen devices as boxes, grouped by the values of attributes.
Topology grouped(const Scene& scene, const std::optional<TopologyChoice>& choice,
                 std::vector<topology::Level> levels);

// `devices` are indices of Inventory::devices(), which is sorted by pool.
std::vector<TopologyRow> rows_by_pool(const std::set<std::size_t>& devices, const Scene& scene);

json::Value to_json(const Topology& topology, const Scene& scene);

struct TopologyView {
  bool wide = false;     // nothing is folded
  bool details = false;  // adds facts to each place, for HTML
};
view::Document to_view(const Topology& topology, const Scene& scene, const TopologyView& options);

}  // namespace dra::report
