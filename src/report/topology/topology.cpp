// src/report/topology/topology.cpp: decides in which form each device is drawn: grids first, then
// boards, boxes and rows, each from the devices that are left; and writes the JSON.

#include "dra/report/topology/topology.h"

#include <algorithm>
#include <span>

#include "dra/base/text.h"
#include "dra/engine/facts/features.h"
#include "dra/report/phrases/device_words.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/reason_json.h"
#include "dra/report/phrases/words.h"
#include "dra/topology/coordinate_grids.h"
#include "src/report/topology/topology_environment.h"
#include "src/report/topology/topology_parts.h"

namespace dra::report {
namespace {

using topology::ChipGrid;
using topology::GridCell;
using topology::GridHost;

bool is_grid_chosen(const ChipGrid& grid, const Scene& scene, const TopologyChoice& choice) {
  const auto is_there = [&](std::size_t device) {
    return is_chosen(scene.inventory.devices()[device], scene, choice);
  };
  return std::ranges::any_of(
             grid.hosts, [&](const GridHost& host) { return choice.nodes.contains(host.node); }) ||
         std::ranges::any_of(
             grid.cells,
             [&](const GridCell& cell) { return cell.device && is_there(*cell.device); }) ||
         std::ranges::any_of(grid.unplaced, is_there);
}

std::set<std::size_t> chosen_devices(const Scene& scene,
                                     const std::optional<TopologyChoice>& choice) {
  std::set<std::size_t> chosen;
  const auto& devices = scene.inventory.devices();
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (!choice || is_chosen(devices[i], scene, *choice)) chosen.insert(chosen.end(), i);
  }
  return chosen;
}

template <class F>
void for_each_device(std::span<const ChipGrid> grids, F what) {
  for (const ChipGrid& grid : grids) {
    for (const GridCell& cell : grid.cells) {
      if (cell.device) what(*cell.device);
    }
    std::ranges::for_each(grid.unplaced, what);
  }
}

template <class F>
void for_each_device(std::span<const topology::Board> boards, F what) {
  for (const topology::Board& board : boards)
    std::ranges::for_each(board.devices, what);
}

template <class F>
void for_each_device(std::span<const topology::Box> boxes, F what) {
  for (const topology::Box& box : boxes) {
    for (const topology::GroupRow& row : box.rows)
      std::ranges::for_each(row.devices, what);
  }
}

// The selected part of the drawing.
Asked asked_of(const Topology& topology, const Scene& scene, const TopologyChoice& choice) {
  Asked asked{.claims = choice.claims};
  if (choice.pools.empty() && choice.claims.empty()) asked.nodes = choice.nodes;
  const auto& devices = scene.inventory.devices();
  const auto is_asked = [&](const engine::InventoryDevice& device) {
    if (choice.claims.empty()) {
      return choice.pools.empty() ? is_chosen(device, scene, choice)
                                  : choice.pools.contains(&scene.inventory.pools()[device.pool]);
    }
    return std::ranges::any_of(device.holders, [&choice](const engine::Holding& holding) {
      return choice.claims.contains(holding.claim);
    });
  };
  const auto look = [&](std::size_t number) {
    if (is_asked(devices[number])) {
      asked.devices.insert(number);
    } else {
      asked.is_all = false;
    }
  };
  for_each_device(std::span(topology.grids), look);
  for_each_device(std::span(topology.boards), look);
  for_each_device(std::span(topology.boxes), look);
  for (const TopologyRow& row : topology.rows)
    std::ranges::for_each(row.devices, look);
  return asked;
}

std::vector<std::size_t> numbers_of(const std::set<std::size_t>& devices) {
  return {devices.begin(), devices.end()};
}

// Chips of a grid are on no board, even if their driver publishes counters.
std::vector<topology::Board> boards_of_rest(const Scene& scene, const std::set<std::size_t>& left) {
  std::vector<topology::Board> boards = topology::boards_of(scene.snapshot, scene.inventory);
  for (topology::Board& board : boards)
    std::erase_if(board.devices, [&left](std::size_t device) { return !left.contains(device); });
  std::erase_if(boards, [](const topology::Board& board) { return board.devices.empty(); });
  return boards;
}

json::Value coord_json(const topology::Coord& at, int dimensions) {
  json::Value coord = json::Value::array();
  coord.push(at.x);
  coord.push(at.y);
  if (dimensions > 2) coord.push(at.z);
  return coord;
}

void set_device(json::Value& value, std::size_t number, const Scene& scene, const Asked& asked) {
  const engine::InventoryDevice& device = scene.inventory.devices()[number];
  value.set("id", engine::to_string(device.published.id()));
  if (asked.devices.contains(number)) value.set("asked", true);
  if (!device.holders.empty()) value.set("claims", strings_json(claims_of(device)));
  const auto users = users_of(device);
  if (!users.empty()) value.set("pods", strings_json(users));
  const auto taints = taint_texts(scene, device);
  if (!taints.empty()) value.set("taints", strings_json(taints));
}

json::Value host_json(const GridHost& host, int dimensions, const Asked& asked,
                      const std::optional<HostEnvironment>& environment) {
  json::Value value = json::Value::object();
  value.set("node", host.node.empty() ? json::Value() : json::Value(host.node));
  if (asked.has(host)) value.set("asked", true);
  value.set("worker", json_if_known(host.worker));
  value.set("coord", coord_json(host.at, dimensions));
  value.set("state", name_of(host.state));
  if (!host.why.empty()) value.set("why", host.why);
  value.set("ready", host.ready ? json::Value(*host.ready) : json::Value());
  value.set("chips", host.chips);
  value.set("published", host.published);
  if (environment) set_environment(value, *environment);
  return value;
}

// Admin access does not hold a device.
bool is_free_for_others(const GridCell& cell, const Scene& scene) {
  return cell.state == topology::CellState::Free && cell.device &&
         !scene.inventory.devices()[*cell.device].holders.empty();
}

json::Value cell_json(const ChipGrid& grid, std::size_t number, const Scene& scene,
                      const Asked& asked) {
  const GridCell& cell = grid.cells[number];
  json::Value value = json::Value::object();
  value.set("coord",
            coord_json(grid.shape.at(static_cast<std::int64_t>(number)), grid.shape.dimensions));
  value.set("host", cell.host);
  value.set("state", is_free_for_others(cell, scene) ? "admin" : name_of(cell.state));
  if (cell.device) set_device(value, *cell.device, scene, asked);
  return value;
}

json::Value grid_json(const ChipGrid& grid, const Scene& scene, const Asked& asked) {
  const int dimensions = grid.shape.dimensions;
  const GridEnvironments environments = environments_of(grid, scene);
  json::Value value = json::Value::object();
  value.set("name", grid.name);
  value.set("driver", grid.driver);
  value.set("generation", grid.generation);
  value.set("shape", to_string(grid.shape));
  value.set("hostShape", to_string(grid.host));
  json::Value& wraps = value.set("wrap", grid.wraps ? json::Value::array() : json::Value());
  for (int i = 0; i < dimensions && grid.wraps; ++i)
    wraps.push((*grid.wraps)[static_cast<std::size_t>(i)]);
  value.set("placement", name_of(grid.placement));
  if (!grid.note.empty()) value.set("note", grid.note);
  json::Value& hosts = value.set("hosts", json::Value::array());
  for (std::size_t i = 0; i < grid.hosts.size(); ++i)
    hosts.push(host_json(grid.hosts[i], dimensions, asked, environments[i]));
  json::Value& cells = value.set("cells", json::Value::array());
  for (std::size_t i = 0; i < grid.cells.size(); ++i)
    cells.push(cell_json(grid, i, scene, asked));
  json::Value& tiles = value.set("tiles", json::Value::array());
  for (const topology::Tiles& one : grid.tiles) {
    json::Value& tile = tiles.push(json::Value::object());
    tile.set("shape", to_string(one.shape));
    tile.set("total", one.total);
    tile.set("free", json_if_known(one.placeable));
    tile.set("freeByGeometry", json_if_known(one.by_geometry));
  }
  if (grid.fragmentation) {
    json::Value& fragmentation = value.set("fragmentation", json::Value::object());
    fragmentation.set("freeChips", grid.fragmentation->free);
    fragmentation.set("largestPart", grid.fragmentation->largest);
    fragmentation.set("percent", grid.fragmentation->percent());
  }
  if (!grid.sets.empty()) value.set("sets", sets_json(grid.sets));
  value.set("unplaced", devices_json(grid.unplaced, scene, asked));
  return value;
}

}  // namespace

bool is_chosen(const engine::InventoryDevice& device, const Scene& scene,
               const TopologyChoice& choice) {
  return choice.pools.contains(&scene.inventory.pools()[device.pool]) ||
         choice.nodes.contains(only_node_of(device.published));
}

std::vector<std::string> nodes_of(const TopologyRow& row, const Scene& scene) {
  std::set<std::string> nodes;
  for (const std::size_t number : row.devices)
    nodes.insert(where_of(scene.inventory.devices()[number]));
  return {nodes.begin(), nodes.end()};
}

json::Value devices_json(const std::vector<std::size_t>& devices, const Scene& scene,
                         const Asked& asked) {
  json::Value list = json::Value::array();
  for (const std::size_t number : devices) {
    const engine::InventoryDevice& device = scene.inventory.devices()[number];
    json::Value value = json::Value::object();
    value.set("state", name_of(device.state));
    if (device.state == engine::DeviceState::Blocked) value.set("withoutRoom", true);
    if (engine::is_held_twice(device.holders)) value.set("heldTwice", true);
    set_device(value, number, scene, asked);
    list.push(std::move(value));
  }
  return list;
}

Topology topology_of(const Scene& scene, const std::optional<TopologyChoice>& choice) {
  Topology topology{.grids = topology::tpu_grids(scene.snapshot, scene.inventory)};
  std::set<std::size_t> left = chosen_devices(scene, std::nullopt);
  const auto take = [&left](std::size_t device) { left.erase(device); };
  for_each_device(std::span(topology.grids), take);
  topology.boards = boards_of_rest(scene, left);
  for_each_device(std::span(topology.boards), take);
  std::vector<ChipGrid> by_coordinates =
      topology::coordinate_grids(scene.snapshot, scene.inventory, numbers_of(left));
  for_each_device(std::span(by_coordinates), take);
  std::ranges::move(by_coordinates, std::back_inserter(topology.grids));
  if (choice) {
    std::erase_if(topology.grids,
                  [&](const ChipGrid& grid) { return !is_grid_chosen(grid, scene, *choice); });
    std::erase_if(topology.boards, [&](const topology::Board& board) {
      return std::ranges::none_of(board.devices, [&](std::size_t device) {
        return is_chosen(scene.inventory.devices()[device], scene, *choice);
      });
    });
    const std::set<std::size_t> chosen = chosen_devices(scene, choice);
    std::erase_if(left, [&chosen](std::size_t device) { return !chosen.contains(device); });
  }
  const bool lists =
      engine::features_of(scene.snapshot.server()).on(engine::Gate::DRAListTypeAttributes);
  topology.boxes =
      topology::machine_boxes(scene.snapshot, scene.inventory, numbers_of(left), lists);
  for_each_device(std::span(topology.boxes), take);
  topology.rows = rows_by_pool(left, scene);
  topology.gone = gone_devices(scene, choice);
  if (choice) topology.asked = asked_of(topology, scene, *choice);
  return topology;
}

Topology grouped(const Scene& scene, const std::optional<TopologyChoice>& choice,
                 std::vector<topology::Level> levels) {
  const std::set<std::size_t> chosen = chosen_devices(scene, choice);
  Topology topology;
  if (chosen.empty()) return topology;
  topology.boxes.push_back(
      topology::box_of(scene.inventory, numbers_of(chosen), std::move(levels)));
  if (choice) topology.asked = asked_of(topology, scene, *choice);
  return topology;
}

std::vector<TopologyRow> rows_by_pool(const std::set<std::size_t>& devices, const Scene& scene) {
  std::vector<TopologyRow> rows;
  for (const std::size_t number : devices) {
    const engine::Pool& pool = scene.inventory.pools()[scene.inventory.devices()[number].pool];
    if (rows.empty() || rows.back().pool != &pool) rows.push_back({&pool, {}});
    rows.back().devices.push_back(number);
  }
  return rows;
}

json::Value to_json(const Topology& topology, const Scene& scene) {
  json::Value value = report_object("Topology");
  json::Value& grids = value.set("grids", json::Value::array());
  for (const ChipGrid& grid : topology.grids)
    grids.push(grid_json(grid, scene, topology.asked));
  json::Value& boards = value.set("boards", json::Value::array());
  for (const topology::Board& board : topology.boards)
    boards.push(board_json(board, scene, topology.asked));
  json::Value& boxes = value.set("groups", json::Value::array());
  for (const topology::Box& box : topology.boxes)
    boxes.push(box_json(box, scene, topology.asked));
  json::Value& rows = value.set("rows", json::Value::array());
  for (const TopologyRow& row : topology.rows) {
    json::Value& one = rows.push(json::Value::object());
    one.set("driver", row.pool->driver);
    one.set("pool", row.pool->name);
    one.set("nodes", strings_json(nodes_of(row, scene)));
    one.set("devices", devices_json(row.devices, scene, topology.asked));
  }
  value.set("gone", gone_json(topology.gone));
  add_coverage(value, scene.snapshot.coverage());
  return value;
}

}  // namespace dra::report
