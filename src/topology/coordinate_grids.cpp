// src/topology/coordinate_grids.cpp: see coordinate_grids.h.

#include "dra/topology/coordinate_grids.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "dra/base/text.h"
#include "dra/engine/facts/device_attribute.h"
#include "src/topology/alignments.h"

namespace dra::topology {
namespace {

using engine::InventoryDevice;

constexpr std::int64_t kMaxSide = 64;  // a node has no more devices in a row
constexpr std::string_view kNeuron = "neuron.aws.com";
constexpr std::int64_t kTorusSide = 4;  // machines with sixteen Neuron devices are a torus

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

// No value: the device does not publish it.
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

// Rows and columns. If they are the machine's, unpublished devices are missing.
struct Extent {
  Shape shape{.dimensions = 2};
  bool known = false;
};

// No value: there are gaps, and it is not known if they ever had a device.
std::optional<Extent> extent_of(const engine::Inventory& inventory,
                                const std::vector<std::size_t>& devices) {
  Extent extent;
  Shape& shape = extent.shape;
  std::set<std::pair<std::int64_t, std::int64_t>> places;
  for (const std::size_t number : devices) {
    if (const auto at = place_of(inventory.devices()[number])) {
      shape.x = std::max(shape.x, at->x + 1);
      shape.y = std::max(shape.y, at->y + 1);
      places.emplace(at->x, at->y);
    }
  }
  const InventoryDevice& first = inventory.devices()[devices.front()];
  const std::string_view type = instance_of(first);
  const bool largest = type.ends_with(".32xlarge") || type.ends_with(".48xlarge");
  const bool sixteen = (type.starts_with("trn") && largest) ||
                       (type.empty() && shape.x == kTorusSide && shape.y == kTorusSide);
  extent.known = first.published.slice->spec.driver == kNeuron && sixteen &&
                 std::max(shape.x, shape.y) <= kTorusSide;
  if (extent.known) shape.x = shape.y = kTorusSide;
  if (!extent.known && std::ssize(places) != shape.size()) return std::nullopt;
  return extent;
}

GridHost host_of(const snapshot::Snapshot& snapshot, const InventoryDevice& device,
                 std::int64_t chips, std::int64_t published) {
  GridHost host{.node = only_node_of(device.published), .chips = chips, .published = published};
  std::vector<std::string> causes;
  const std::string_view idle = look_at_node(snapshot, host);
  if (!idle.empty()) causes.push_back(base::format("the node is {}", idle));
  if (published < chips) {
    host.state = HostState::Degraded;
    causes.push_back(base::format("{} of {} published", published, base::plural(chips, "device")));
  }
  host.why = base::join(causes, "; ");
  return host;
}

ChipGrid grid_of(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                 const std::vector<std::size_t>& devices, const Extent& extent) {
  const InventoryDevice& first = inventory.devices()[devices.front()];
  const std::string_view node = only_node_of(first.published);
  const Shape& shape = extent.shape;
  ChipGrid grid{.name = std::string(node),
                .driver = first.published.slice->spec.driver,
                .generation = instance_of(first),
                .shape = shape,
                .host = shape,
                .placement = Placement::Exact,
                .axes = "yxz"};
  if (extent.known) grid.wraps = {true, true, false};
  grid.cells.assign(static_cast<std::size_t>(shape.size()), {.state = CellState::Missing});
  for (const std::size_t number : devices) {
    const InventoryDevice& device = inventory.devices()[number];
    const auto at = place_of(device);
    GridCell* cell = at ? &grid.cells[static_cast<std::size_t>(shape.number_of(*at))] : nullptr;
    if (cell == nullptr || cell->device) {
      grid.unplaced.push_back(number);
      continue;
    }
    *cell = {.state = state_of(device),
             .chip = std::string(device.published.device->name),
             .device = number};
  }
  if (!grid.unplaced.empty()) {
    for (GridCell& cell : grid.cells)
      if (!cell.device) cell.state = CellState::ChipNotKnown;
  }
  const std::int64_t published = std::min<std::int64_t>(std::ssize(devices), shape.size());
  grid.hosts.push_back(host_of(snapshot, first, shape.size(), published));
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
    if (!placed || std::get<1>(host).empty()) continue;
    if (const auto extent = extent_of(inventory, members))
      grids.push_back(grid_of(snapshot, inventory, members, *extent));
  }
  return grids;
}

}  // namespace dra::topology
