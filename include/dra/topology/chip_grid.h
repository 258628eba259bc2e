// include/dra/topology/chip_grid.h
//
// Chips in a grid: what is at each place, as far as it can be known, and how it is known.

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
  Exact,        // devices say where they are
  FromIndex,    // chips by their numbers; there is one host
  FromWorkers,  // and hosts by those of the pods that use them
  Assumed,
};

enum class HostState {
  Whole,
  Degraded,  // it publishes fewer chips than it has
  Lost,      // it publishes none
  Absent,    // there is not even a node
  NotKnown,  // it is one of those that have no place, as nothing tells which
};

enum class CellState {
  Free,
  Allocated,
  HeldTwice,  // by claims that cannot share it
  Tainted,
  Unusable,      // its pool is incomplete or invalid
  Unknown,       // who has it could not be read
  Missing,       // the chip is not published any more
  ChipNotKnown,  // nothing, or one of the devices of its host whose place nothing tells
  HostMissing,   // nor is any other of its host
  HostNotKnown   // which host has its place is not known
};
// Of a device that is there.
CellState state_of(const engine::Inventory& inventory, const engine::InventoryDevice& device);
std::string_view name_of(CellState state);  // "free", "hostMissing"
std::string_view name_of(HostState state);
std::string_view name_of(Placement placement);  // "fromIndex", "assumed"

struct GridHost {
  std::string_view node;                    // empty: Absent or NotKnown
  std::optional<std::int64_t> worker = {};  // its number in the slice, if that is known
  Coord at = {};                            // in the grid of hosts
  HostState state = HostState::Whole;
  std::string why = {};  // it is not whole, or takes no pods
  std::int64_t chips = 0;
  std::int64_t published = 0;
  std::optional<bool> ready = {};  // and not cordoned; no value: no object tells

  bool takes_pods() const { return ready.value_or(true); }
};
// Takes over whether the node of the host takes pods, where the snapshot tells that. Why it does
// not: "not ready and cordoned", "gone"; empty if it does, or nothing tells.
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
  // That the driver could hand out now: it hands out whole hosts. No value: where hosts are is
  // assumed, hosts are larger than the shape, or who has chips is not known.
  std::optional<std::int64_t> placeable = {};
  // Whose chips are all free, whatever the driver does with them; no value as above.
  std::optional<std::int64_t> by_geometry = {};
};

// How broken up it is what is free.
struct Fragmentation {
  std::int64_t free = 0;     // chips, of hosts that take pods
  std::int64_t largest = 0;  // chips of the largest part that the driver could hand out
  std::int64_t percent() const { return (free - largest) * 100 / free; }
};

struct ChipGrid {
  std::string name;  // of the node pool, the slice or the node
  std::string_view driver;
  std::string_view generation;  // as published or labelled: "v5p"; empty: not known
  Shape shape;
  Shape host;                      // chips of one
  std::optional<Axes> wraps = {};  // whether links lead from one end to the other, if it is known
  Placement placement = Placement::FromIndex;
  std::string note = {};                   // what is not known, in words
  std::vector<GridHost> hosts;             // by place
  std::vector<GridCell> cells;             // by place: shape.at(i)
  std::vector<std::size_t> unplaced = {};  // of Inventory::devices(): they have no place here
  std::vector<Tiles> tiles = {};           // from the smallest to the whole
  std::optional<Fragmentation> fragmentation = {};  // none: nothing is free, or it is not known
  std::vector<DeviceSets> sets = {};                // that the driver publishes
  std::string_view axes = "xyz";                    // how it calls columns, rows, planes
};

}  // namespace dra::topology
