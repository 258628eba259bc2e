// src/topology/missing_devices.cpp: counts the empty places of each grid by host; then finds the
// devices that claims hold and no slice publishes, which are among these places where the names or
// the pools agree.

#include "dra/topology/missing_devices.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "dra/engine/cluster/allocated_device.h"
#include "dra/engine/cluster/tpu_hosts.h"
#include "dra/engine/facts/device_attribute.h"
#include "dra/engine/facts/node_match.h"
#include "dra/topology/coordinate_grids.h"
#include "dra/topology/tpu_grid.h"

namespace dra::topology {
namespace {

using engine::Inventory;
using engine::InventoryDevice;
using engine::MissingDevice;

class MissingFinder {
 public:
  MissingFinder(const snapshot::Snapshot& snapshot, const Inventory& inventory)
      : snapshot_(snapshot), inventory_(inventory) {}

  std::vector<MissingDevice> find() {
    const std::vector<ChipGrid> tpus = tpu_grids(snapshot_, inventory_);
    for (const ChipGrid& grid : tpus)
      add_places(grid);
    for (const ChipGrid& grid :
         coordinate_grids(snapshot_, inventory_, devices_with_coordinates(tpus)))
      add_places(grid);
    add_held();
    std::ranges::sort(missing_, {}, [](const MissingDevice& one) {
      return std::tuple(one.driver, one.pool, one.node, std::string_view(one.device));
    });
    return std::move(missing_);
  }

 private:
  using PoolKey = std::pair<std::string_view, std::string_view>;  // driver and pool

  // Those of drivers that publish coordinates, without the chips of grids and without partitions.
  std::vector<std::size_t> devices_with_coordinates(const std::vector<ChipGrid>& drawn) const {
    std::set<std::string_view> of_grids;
    for (const ChipGrid& grid : drawn)
      of_grids.insert(grid.driver);
    std::vector<std::size_t> devices;
    for (std::size_t i = 0; i < inventory_.devices().size(); ++i) {
      const engine::PoolDevice& device = inventory_.devices()[i].published;
      const std::string_view driver = device.slice->spec.driver;
      if (of_grids.contains(driver) || !device.device->consumes.empty()) continue;
      if (engine::own_attribute(*device.device, driver, "topology_x") != nullptr)
        devices.push_back(i);
    }
    return devices;
  }

  // A published device of the host, or of the grid.
  std::optional<std::size_t> like(const ChipGrid& grid, std::string_view node) const {
    std::optional<std::size_t> any;
    const auto look = [&](std::size_t number) {
      const bool here = only_node_of(inventory_.devices()[number].published) == node;
      if (!any || here) any = number;
      return here;
    };
    for (const GridCell& cell : grid.cells) {
      if (cell.device && look(*cell.device)) return any;
    }
    for (const std::size_t number : grid.unplaced) {
      if (look(number)) return any;
    }
    return any;
  }

  // A device without a place is in one of the places that look empty.
  void add_places(const ChipGrid& grid) {
    std::int64_t left =
        std::ranges::count_if(grid.cells, [](const GridCell& cell) { return !cell.device; }) -
        std::ssize(grid.unplaced);
    for (const GridHost& host : grid.hosts) {
      if (host.state != HostState::Degraded && host.state != HostState::Lost) continue;
      const std::int64_t chips = std::clamp<std::int64_t>(host.chips - host.published, 0, left);
      add_of_host(grid, host, chips);
      left -= chips;
    }
    // Those of hosts without a node, or which nothing tells apart.
    for (std::int64_t i = 0; i < left; ++i)
      missing_.push_back({.driver = grid.driver, .like = like(grid, {})});
  }

  void add_of_host(const ChipGrid& grid, const GridHost& host, std::int64_t chips) {
    if (chips == 0) return;
    MissingDevice device{.driver = grid.driver, .pool = host.node, .node = host.node};
    device.like = like(grid, host.node);
    std::vector<std::string> names;
    if (host.state == HostState::Degraded && device.like) {
      const engine::Pool& pool = inventory_.pools()[inventory_.devices()[*device.like].pool];
      device.pool = pool.name;
      if (auto known = engine::tpu_host_of(snapshot_, pool)) names = std::move(known->missing);
    }
    names.resize(static_cast<std::size_t>(chips));
    for (std::string& name : names) {
      device.device = std::move(name);
      missing_.push_back(device);
    }
  }

  // The place that the held device most likely had; nullptr: none.
  MissingDevice* place_of(const engine::DeviceId& id) {
    MissingDevice* nameless = nullptr;
    for (const std::size_t index : of_pool_[{id.driver, id.pool}]) {
      MissingDevice& one = missing_[index];
      if (one.device == id.device) return &one;
      if (one.device.empty() && nameless == nullptr) nameless = &one;
    }
    return nameless;
  }

  std::string_view node_of(const engine::Holding& holding) const {
    const auto& selector = holding.claim->status.allocation->node_selector;
    return selector ? engine::only_node(*selector) : std::string_view();
  }

  void add_held() {
    std::size_t published = 0;
    for (const InventoryDevice& device : inventory_.devices())
      published += device.holders.size();
    const auto& all = inventory_.usage().all();
    if (published == all.size()) return;
    std::set<engine::DeviceId> known;
    std::map<PoolKey, std::size_t> first_of_pool;
    for (std::size_t i = 0; i < inventory_.devices().size(); ++i) {
      const InventoryDevice& device = inventory_.devices()[i];
      if (!device.holders.empty()) known.insert(device.published.id());
      const engine::Pool& pool = inventory_.pools()[device.pool];
      first_of_pool.try_emplace({pool.driver, pool.name}, i);
    }
    for (std::size_t i = 0; i < missing_.size(); ++i)
      of_pool_[{missing_[i].driver, missing_[i].pool}].push_back(i);
    for (const engine::Holding& holding : all) {
      const engine::DeviceId& id = holding.id;
      if (!known.insert(id).second || !engine::is_gone(inventory_, id)) continue;
      MissingDevice* place = place_of(id);
      if (place == nullptr) {
        of_pool_[{id.driver, id.pool}].push_back(missing_.size());
        place = &missing_.emplace_back(
            MissingDevice{.driver = id.driver, .pool = id.pool, .node = node_of(holding)});
        const auto sibling = first_of_pool.find({id.driver, id.pool});
        if (sibling != first_of_pool.end()) place->like = sibling->second;
      }
      place->device = id.device;
      place->holders = inventory_.usage().holders(id);
    }
  }

  const snapshot::Snapshot& snapshot_;
  const Inventory& inventory_;
  std::vector<MissingDevice> missing_;
  std::map<PoolKey, std::vector<std::size_t>> of_pool_;  // of missing_
};

}  // namespace

std::vector<MissingDevice> missing_devices(const snapshot::Snapshot& snapshot,
                                           const Inventory& inventory) {
  if (!snapshot.coverage().saw(api::Kind::Slice)) return {};
  return MissingFinder(snapshot, inventory).find();
}

}  // namespace dra::topology
