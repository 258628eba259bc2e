// src/report/topology/topology_title.cpp: counts what is drawn, by states.

#include "src/report/topology/topology_title.h"

#include <algorithm>

#include "dra/base/text.h"

namespace dra::report {
namespace {

using topology::CellState;

struct Counts {
  std::int64_t all = 0;
  std::int64_t in_use = 0;
  std::int64_t missing = 0;
  std::int64_t unknown = 0;

  void add(CellState state) {
    ++all;
    in_use += state == CellState::Allocated || state == CellState::HeldTwice ||
              state == CellState::Shared;
    missing += state == CellState::Missing || state == CellState::HostMissing;
    unknown += state == CellState::Unknown;
  }
};

// The state that says most of an accelerator: one of its partitions is in use, or may be.
CellState state_of(const topology::Board& board, const Scene& scene) {
  const auto has = [&](CellState state) {
    return std::ranges::any_of(board.devices, [&](std::size_t device) {
      return topology::state_of(scene.inventory.devices()[device]) == state;
    });
  };
  for (const CellState state :
       {CellState::HeldTwice, CellState::Allocated, CellState::Shared, CellState::Unknown}) {
    if (has(state)) return state;
  }
  return CellState::Free;
}

}  // namespace

std::string title_of(const Topology& topology, const Scene& scene) {
  Counts counts;
  const auto add_devices = [&](const std::vector<std::size_t>& devices) {
    for (const std::size_t device : devices)
      counts.add(topology::state_of(scene.inventory.devices()[device]));
  };
  for (const topology::ChipGrid& grid : topology.grids) {
    for (const topology::GridCell& cell : grid.cells)
      counts.add(cell.state);
  }
  for (const topology::Board& board : topology.boards)
    counts.add(state_of(board, scene));
  for (const topology::Box& box : topology.boxes) {
    for (const topology::GroupRow& row : box.rows)
      add_devices(row.devices);
  }
  for (const TopologyRow& row : topology.rows)
    add_devices(row.devices);
  if (counts.all == 0) return {};
  std::string title =
      base::format("{} of {} in use", counts.in_use, base::plural(counts.all, "device"));
  if (counts.missing > 0) title += base::format(", {} missing", counts.missing);
  if (counts.unknown > 0) title += base::format(", {} not known", counts.unknown);
  return title;
}

}  // namespace dra::report
