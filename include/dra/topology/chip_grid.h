// include/dra/topology/chip_grid.h
//
// Chips in a grid: the device at each place, as far as it can be known, and how it is known.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/inventory.h"
#include "dra/topology/groups.h"
#include "dra/topology/shape.h"

namespace dra::topology {

enum class Placement {
  Exact,        // from coordinates that devices publish
  FromIndex,    // chips by their numbers, on one host
  FromWorkers,  // hosts by the worker numbers of their pods as well
  Assumed,
};

enum class HostState {
  Whole,
  Degraded,  // it publishes fewer chips than it has
  Lost,      // it publishes none
  Absent,    // there is not even a node
  NotKnown,  // one of the hosts without a place, and it cannot be known which
};

enum class CellState {
  Free,
  Shared,  // in part, with room for more
  Allocated,
  HeldTwice,  // by claims that cannot share it
  Blocked,    // its shared counters are taken by other devices
  Tainted,
  Unusable,      // its pool is incomplete or invalid
  Unknown,       // its holders could not be read
  Missing,       // the chip is not published any more
  ChipNotKnown,  // no device, or one of its host's devices without a known place
  HostMissing,   // neither it nor any other chip of its host is published
  HostNotKnown   // the host at its place is not known
};
// The state of a published device.
CellState state_of(const engine::InventoryDevice& device);
std::string_view name_of(CellState state);  // "free", "hostMissing"
std::string_view name_of(HostState state);
std::string_view name_of(Placement placement);  // "fromIndex", "assumed"

struct GridHost {
  std::string_view node;                    // empty: Absent or NotKnown
  std::optional<std::int64_t> worker = {};  // its number in the slice, if that is known
  Coord at = {};                            // in the grid of hosts
  HostState state = HostState::Whole;
  std::string why = {};  // the reason if it is not whole, or takes no pods
  std::int64_t chips = 0;
  std::int64_t published = 0;
  std::optional<bool> ready = {};  // and not cordoned; no value: there is no Node

  bool takes_pods() const { return ready.value_or(true); }
};
// Sets the host's `ready` from its Node, if there is one. Returns the reason why it takes no pods:
// "not ready and cordoned", "gone"; empty if it takes pods, or that is not known.
std::string_view look_at_node(const snapshot::Snapshot& snapshot, GridHost& host);

struct GridCell {
  std::size_t host = 0;  // of ChipGrid::hosts
  CellState state = CellState::Free;
  std::string chip = {};                   // name of the device; of one that is missing, if known
  std::optional<std::size_t> device = {};  // of Inventory::devices()
};

// Aligned parts of a slice that have one shape.
struct Tiles {
  Shape shape;
  std::int64_t total = 0;
  // Tiles that the driver could allocate now: it allocates whole hosts. No value: the places of
  // hosts are assumed, hosts are larger than the shape, or the holders of chips are not known.
  std::optional<std::int64_t> placeable = {};
  // Tiles whose chips are all free, without regard to the driver. No value as above.
  std::optional<std::int64_t> by_geometry = {};
};

// The fragmentation of the free chips.
struct Fragmentation {
  std::int64_t free = 0;     // chips, of hosts that take pods
  std::int64_t largest = 0;  // chips of the largest part that the driver could allocate
  std::int64_t percent() const { return (free - largest) * 100 / free; }
};

struct ChipGrid {
  std::string name;  // of the node pool, the slice or the node
  std::string_view driver;
  std::string_view generation;  // as published or labelled: "v5p"; empty: not known
  Shape shape;
  Shape host;                      // chips of one
  std::optional<Axes> wraps = {};  // links between both ends; no value: not known
  Placement placement = Placement::FromIndex;
  std::string note = {};                            // the gaps in our knowledge, in words
  std::vector<GridHost> hosts;                      // by place
  std::vector<GridCell> cells;                      // by place: shape.at(i)
  std::vector<std::size_t> unplaced = {};           // of Inventory::devices(), without a place
  std::vector<Tiles> tiles = {};                    // from the smallest to the whole
  std::optional<Fragmentation> fragmentation = {};  // no value: nothing is free, or it is not known
  std::vector<DeviceSets> sets = {};                // that the driver publishes
  std::string_view axes = "xyz";                    // names of columns, rows and planes
};

}  // namespace dra::topology
