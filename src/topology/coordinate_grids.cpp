// src/topology/coordinate_grids.cpp: see coordinate_grids.h.

#include "dra/topology/coordinate_grids.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "dra/base/text.h"
#include "dra/engine/device_attribute.h"
#include "src/topology/alignments.h"

namespace dra::topology {
namespace {

using engine::InventoryDevice;

constexpr std::int64_t kMaxSide = 64;   // a node has no more devices in a row
constexpr std::int64_t kTorusSide = 4;  // devices of a node in four rows of four are a torus

const api::DeviceAttribute* own_attribute(const InventoryDevice& device, std::string_view name) {
  return engine::own_attribute(*device.published.device, device.published.slice->spec.driver, name);
}

std::optional<std::int64_t> coordinate(const InventoryDevice& device, std::string_view name) {
  const api::DeviceAttribute* attribute = own_attribute(device, name);
  const bool number = attribute != nullptr &&
                      attribute->kind() == api::DeviceAttribute::Kind::Int &&
                      attribute->as_int() >= 0 && attribute->as_int() < kMaxSide;
  return number ? std::optional(attribute->as_int()) : std::nullopt;
}

// No value: it does not say.
std::optional<Coord> place_of(const InventoryDevice& device) {
  const auto row = coordinate(device, "topology_x");
  const auto column = coordinate(device, "topology_y");
  if (!row || !column) return std::nullopt;
  return Coord{*column, *row, 0};
}

std::string_view instance_of(const InventoryDevice& device) {
  const api::DeviceAttribute* type = own_attribute(device, "instanceType");
  const bool text = type != nullptr && type->kind() == api::DeviceAttribute::Kind::String;
  return text ? type->text() : std::string_view();
}

ChipGrid grid_of(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                 const std::vector<std::size_t>& devices) {
  const InventoryDevice& first = inventory.devices()[devices.front()];
  const std::string_view node = only_node_of(first.published);
  Shape shape{.dimensions = 2};
  for (const std::size_t number : devices) {
    if (const auto at = place_of(inventory.devices()[number])) {
      shape.x = std::max(shape.x, at->x + 1);
      shape.y = std::max(shape.y, at->y + 1);
    }
  }
  ChipGrid grid{.name = std::string(node),
                .driver = first.published.slice->spec.driver,
                .generation = instance_of(first),
                .shape = shape,
                .host = shape,
                .placement = Placement::Exact,
                .axes = "yxz"};
  const bool torus = shape.x == kTorusSide && shape.y == kTorusSide;
  grid.wraps = {torus, torus, false};
  grid.cells.assign(static_cast<std::size_t>(shape.size()), {.state = CellState::Missing});
  for (const std::size_t number : devices) {
    const InventoryDevice& device = inventory.devices()[number];
    const auto at = place_of(device);
    GridCell* cell = at ? &grid.cells[static_cast<std::size_t>(shape.number_of(*at))] : nullptr;
    if (cell == nullptr || cell->device) {
      grid.unplaced.push_back(number);
      continue;
    }
    *cell = {.state = state_of(device.state),
             .chip = std::string(device.published.device->name),
             .device = number};
  }
  GridHost host{
      .node = node, .chips = shape.size(), .published = static_cast<std::int64_t>(devices.size())};
  const std::string_view idle = look_at_node(snapshot.find<api::Node>(node), host);
  if (!idle.empty()) host.why = base::format("the node is {}", idle);
  grid.hosts.push_back(std::move(host));
  grid.sets = sets_of(inventory, devices);
  return grid;
}

}  // namespace

std::vector<ChipGrid> coordinate_grids(const snapshot::Snapshot& snapshot,
                                       const engine::Inventory& inventory,
                                       std::span<const std::size_t> devices) {
  std::map<std::tuple<std::string_view, std::string_view>, std::vector<std::size_t>> hosts;
  for (const std::size_t number : devices) {
    const engine::PoolDevice& device = inventory.devices()[number].published;
    hosts[{device.slice->spec.driver, only_node_of(device)}].push_back(number);
  }
  std::vector<ChipGrid> grids;
  for (const auto& [host, members] : hosts) {
    const bool placed = std::ranges::any_of(members, [&](std::size_t number) {
      return place_of(inventory.devices()[number]).has_value();
    });
    if (placed && !std::get<1>(host).empty())
      grids.push_back(grid_of(snapshot, inventory, members));
  }
  return grids;
}

}  // namespace dra::topology
