// src/topology/tiles.cpp: counts the aligned parts of each shape, by labels of nodes if they exist,
// else by the grid.

#include "src/topology/tiles.h"

#include <algorithm>
#include <map>

#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "dra/topology/tpu_shapes.h"
#include "src/topology/labels.h"

namespace dra::topology {
namespace {

// Ordered: a part has the least state of its chips.
enum class Is { Taken, Unknown, Free };

Is what_is(const GridCell& cell) {
  if (cell.state == CellState::Unknown || cell.state == CellState::ChipNotKnown ||
      cell.state == CellState::HostNotKnown)
    return Is::Unknown;
  return cell.state == CellState::Free ? Is::Free : Is::Taken;
}

// Counts free parts. No value as soon as one is unknown.
void count_in(Is one, std::optional<std::int64_t>& count) {
  if (one == Is::Unknown) count.reset();
  if (one == Is::Free && count) ++*count;
}

class Counter {
 public:
  Counter(const ChipGrid& grid, const snapshot::Snapshot& snapshot)
      : grid_(grid), snapshot_(snapshot), free_hosts_(grid.hosts.size(), Is::Free) {
    for (const GridCell& cell : grid.cells)
      free_hosts_[cell.host] = std::min(free_hosts_[cell.host], what_is(cell));
    for (std::size_t i = 0; i < grid.hosts.size(); ++i) {
      if (!grid.hosts[i].takes_pods()) free_hosts_[i] = Is::Taken;
    }
  }

  Tiles count(const Shape& shape) const {
    Tiles tiles{.shape = shape};
    const auto times = divided(grid_.shape, shape);
    if (!times) return tiles;
    tiles.total = times->size();
    const bool whole_hosts = divided(shape, grid_.host).has_value();
    if (whole_hosts && shape.size() > grid_.host.size() && shape.size() < grid_.shape.size()) {
      if (const auto labelled = from_labels(shape)) {
        tiles.placeable = tiles.by_geometry = *labelled;
        return tiles;
      }
    }
    // The order of hosts does not matter for parts within one host, and for the whole.
    const bool anywhere = shape.size() <= grid_.host.size() || shape == grid_.shape;
    if (grid_.placement == Placement::Assumed && !anywhere) return tiles;
    std::optional<std::int64_t> placeable = 0;
    std::optional<std::int64_t> by_geometry = 0;
    for (std::int64_t i = 0; i < tiles.total; ++i) {
      const Coord tile = times->at(i);
      const Coord first{tile.x * shape.x, tile.y * shape.y, tile.z * shape.z};
      count_in(least(first, shape, what_is), by_geometry);
      const auto state_of_host = [this](const GridCell& cell) { return free_hosts_[cell.host]; };
      count_in(least(first, shape, state_of_host), placeable);
    }
    tiles.by_geometry = by_geometry;
    if (whole_hosts) tiles.placeable = placeable;
    return tiles;
  }

 private:
  template <class F>
  Is least(const Coord& first, const Shape& shape, F state) const {
    Is all = Is::Free;
    for (std::int64_t i = 0; i < shape.size() && all != Is::Taken; ++i) {
      const Coord in = shape.at(i);
      const Coord at{first.x + in.x, first.y + in.y, first.z + in.z};
      all = std::min(all, state(grid_.cells[static_cast<std::size_t>(grid_.shape.number_of(at))]));
    }
    return all;
  }

  // In the newest generation a part has a state of its own, and links only in a good state.
  static bool is_usable(std::string_view state, const Shape& shape) {
    return state.empty() || state == "HEALTHY" ||
           (state == "DEGRADED" && shape == Shape{4, 4, 4, 3});
  }

  // The outer value is missing if nodes have no such labels, the inner one if the number of free
  // parts is not known.
  std::optional<std::optional<std::int64_t>> from_labels(const Shape& shape) const {
    for (const std::string_view kind : {"slice", "partition"}) {
      const std::string key =
          base::format("cloud.google.com/gke-tpu-{}-{}", kind, to_string(shape));
      std::map<std::string_view, std::pair<std::int64_t, Is>> parts;  // hosts, and what is of all
      for (std::size_t i = 0; i < grid_.hosts.size(); ++i) {
        const api::Node* node = snapshot_.find<api::Node>(grid_.hosts[i].node);
        if (node == nullptr) continue;
        const std::string_view part = label_of(node->meta, key + "-id");
        if (part.empty()) continue;
        auto& [hosts, state] = parts.try_emplace(part, 0, Is::Free).first->second;
        ++hosts;
        state = std::min(state, free_hosts_[i]);
        if (!is_usable(label_of(node->meta, key + "-state"), shape)) state = Is::Taken;
      }
      if (parts.empty()) continue;
      const std::int64_t wanted = shape.size() / grid_.host.size();
      std::optional<std::int64_t> free = 0;
      for (const auto& [part, hosts] : parts) {
        if (hosts.first == wanted) count_in(hosts.second, free);
      }
      return free;
    }
    return std::nullopt;
  }

  const ChipGrid& grid_;
  const snapshot::Snapshot& snapshot_;
  std::vector<Is> free_hosts_;
};

}  // namespace

std::optional<Fragmentation> fragmentation_of(const ChipGrid& grid) {
  Fragmentation out;
  for (const GridCell& cell : grid.cells)
    out.free += cell.state == CellState::Free && grid.hosts[cell.host].takes_pods() ? 1 : 0;
  bool known = false;
  for (const Tiles& one : grid.tiles) {
    known = known || one.placeable.has_value();
    if (one.placeable.value_or(0) > 0) out.largest = std::max(out.largest, one.shape.size());
  }
  if (!known || out.free == 0 || grid.hosts.size() < 2) return std::nullopt;
  // While the state of larger parts is not known, the largest free one is not, either.
  const bool open = std::ranges::any_of(grid.tiles, [&](const Tiles& one) {
    return !one.placeable && divided(one.shape, grid.host) && one.shape.size() > out.largest &&
           one.shape.size() <= out.free;
  });
  if (open) return std::nullopt;
  return out;
}

std::vector<Tiles> tiles_of(const ChipGrid& grid, const snapshot::Snapshot& snapshot) {
  const Counter counter(grid, snapshot);
  std::vector<Tiles> tiles;
  for (const Shape& shape : shapes_within(engine::tpu_generation_of(grid.generation), grid.shape)) {
    Tiles one = counter.count(shape);
    if (one.total > 0) tiles.push_back(one);
  }
  return tiles;
}

}  // namespace dra::topology
