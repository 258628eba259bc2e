// include/dra/report/topology/topology.h
//
// `kubectl dra topology`: where the chips are, who has them, which are missing. TPUs as grids
// (dra/topology), accelerators in partitions by what these take, devices of one machine by NUMA
// node and PCIe root; the rest in rows, by pool. Each device is in one of these.

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

// What is looked at. What was asked for are the devices of the claims; without claims those of the
// pools; without both those of the nodes.
struct TopologyChoice {
  std::set<std::string_view> nodes = {};
  std::set<const engine::Pool*> pools = {};
  std::set<const api::ResourceClaim*> claims = {};
};

// What of the drawing was asked for, where a slice is drawn as a whole for one of its hosts.
struct Asked {
  std::set<std::size_t> devices = {};  // of Inventory::devices()
  std::set<std::string_view> nodes = {};
  std::set<const api::ResourceClaim*> claims = {};
  bool is_all = true;  // of what is drawn: there is nothing to tell apart

  bool has(const topology::GridHost& host) const { return nodes.contains(host.node); }
};

// Devices that a claim holds and nobody publishes any more, of one pool.
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
  std::vector<TopologyRow> rows = {};  // of what is nowhere else
  std::vector<GoneDevices> gone = {};
  Asked asked = {};

  bool empty() const {
    return grids.empty() && boards.empty() && boxes.empty() && rows.empty() && gone.empty();
  }
};

// Without a choice all there is. A grid is there as a whole if one of its hosts was chosen.
Topology topology_of(const Scene& scene, const std::optional<TopologyChoice>& choice);

// All that was chosen in rows by the values of attributes, whatever it is.
Topology grouped(const Scene& scene, const std::optional<TopologyChoice>& choice,
                 std::vector<topology::Level> levels);

// Numbers of Inventory::devices(), which is sorted by pool.
std::vector<TopologyRow> rows_by_pool(const std::set<std::size_t>& devices, const Scene& scene);

json::Value to_json(const Topology& topology, const Scene& scene);

struct TopologyView {
  bool wide = false;     // nothing folded
  bool details = false;  // what is at each place, for pages on which one can point at it
};
view::Document to_view(const Topology& topology, const Scene& scene, const TopologyView& options);

}  // namespace dra::report
