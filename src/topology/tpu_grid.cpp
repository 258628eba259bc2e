// src/topology/tpu_grid.cpp: for each group of hosts: its shape, the places of hosts, the places of
// chips on each host, then the states of hosts and cells.

#include "dra/topology/tpu_grid.h"

#include <algorithm>
#include <map>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/tpu_hosts.h"
#include "dra/topology/host_groups.h"
#include "dra/topology/tpu_shapes.h"
#include "dra/topology/worker_index.h"
#include "src/topology/labels.h"
#include "src/topology/tiles.h"

namespace dra::topology {
namespace {

using engine::Inventory;
using engine::InventoryDevice;

// Devices of a host: numbers of Inventory::devices().
using Devices = std::vector<std::size_t>;
using DevicesOf = std::map<const engine::Pool*, Devices>;

// The place of each device on its host. The number in the name takes precedence over the driver's
// index, which for ten chips or more is in the order of texts. No value: the place is not known.
class ChipPlaces {
 public:
  ChipPlaces(const Inventory& inventory, const Devices& devices, std::int64_t chips)
      : inventory_(inventory), devices_(devices), chips_(chips) {}

  using Places = std::vector<std::optional<std::int64_t>>;

  Places find() const {
    Places names =
        collect([](const api::Device& device) { return split_number(device.name).number; });
    if (are_places(names)) return names;
    // If no device is missing, the order suffices.
    if (std::ssize(devices_) == chips_ && are_different(names)) return ranks(names);
    Places indices = collect([](const api::Device& device) -> std::optional<std::int64_t> {
      const api::DeviceAttribute* index = api::find(device.attributes, "index");
      const bool number = index != nullptr && index->kind() == api::DeviceAttribute::Kind::Int;
      return number ? std::optional(index->as_int()) : std::nullopt;
    });
    if (are_places(indices)) return indices;
    return Places(devices_.size());
  }

 private:
  template <class F>
  Places collect(F number_of) const {
    Places places;
    places.reserve(devices_.size());
    for (const std::size_t device : devices_)
      places.push_back(number_of(*inventory_.devices()[device].published.device));
    return places;
  }

  static bool are_different(Places places) {
    std::ranges::sort(places);
    return std::ranges::adjacent_find(places) == places.end() &&
           (places.empty() || places.front().has_value());
  }

  bool are_places(const Places& places) const {
    return are_different(places) && std::ranges::all_of(places, [this](const auto& place) {
             return *place >= 0 && *place < chips_;
           });
  }

  static Places ranks(const Places& numbers) {
    Places sorted = numbers;
    std::ranges::sort(sorted);
    Places places;
    places.reserve(numbers.size());
    for (const auto& number : numbers)
      places.emplace_back(std::ranges::lower_bound(sorted, number) - sorted.begin());
    return places;
  }

  const Inventory& inventory_;
  const Devices& devices_;
  std::int64_t chips_;
};

class GridMaker {
 public:
  GridMaker(const snapshot::Snapshot& snapshot, const Inventory& inventory, const Workers& workers,
            const DevicesOf& devices, const HostGroup& group)
      : snapshot_(snapshot),
        inventory_(inventory),
        workers_(workers),
        devices_(devices),
        group_(group) {}

  ChipGrid make() {
    grid_ = {.name = std::string(group_.name), .driver = group_.driver, .generation = {}};
    for (const HostFacts& host : group_.hosts) {
      if (grid_.generation.empty()) grid_.generation = host.generation;
    }
    // The driver's word for it, where only nodes are labelled.
    if (const engine::TpuGeneration* known = engine::tpu_generation_of(grid_.generation))
      grid_.generation = known->name;
    grid_.note = group_.apart;
    shape();
    place_hosts();
    grid_.cells.resize(static_cast<std::size_t>(grid_.shape.size()));
    for (std::size_t i = 0; i < grid_.hosts.size(); ++i)
      fill(i);
    grid_.tiles = tiles_of(grid_, snapshot_);
    grid_.fragmentation = fragmentation_of(grid_);
    return std::move(grid_);
  }

 private:
  void shape() {
    const std::int64_t chips = std::ranges::max(group_.hosts, {}, &HostFacts::chips).chips;
    grid_.host = host_shape(chips);
    const engine::TpuGeneration* generation = engine::tpu_generation_of(grid_.generation);
    if (group_.slice && divided(*group_.slice, grid_.host)) {
      grid_.shape = *group_.slice;
    } else {
      // A single host is the whole slice, or a part of an unknown one.
      const auto said = parse_shape(group_.hosts.front().topology);
      const bool whole = said && said->size() == chips;
      grid_.shape = whole ? *said : grid_.host;
      if (!whole && generation != nullptr) grid_.shape.dimensions = generation->dimensions;
      if (whole) grid_.host = *said;
      if (!host_bounds(chips) && !whole) grid_.placement = Placement::Assumed;
    }
    grid_.host.dimensions = grid_.shape.dimensions;
    if (generation != nullptr) grid_.wraps = wraps_of(*generation, grid_.shape);
  }

  std::vector<const api::Pod*> pods_on(const HostFacts& host) const {
    std::vector<const api::Pod*> pods;
    const auto devices = devices_.find(host.pool);
    if (host.pool == nullptr || devices == devices_.end()) return pods;
    for (const std::size_t device : devices->second) {
      for (const engine::Holding& holding : inventory_.devices()[device].holders) {
        if (holding.admin()) continue;
        for (const api::Consumer& consumer : holding.claim->status.reserved_for) {
          const api::Pod* pod =
              consumer.is_pod()
                  ? snapshot_.find<api::Pod>(holding.claim->meta.namespace_, consumer.name)
                  : nullptr;
          const bool is_it = pod != nullptr && pod->meta.uid == consumer.uid;
          if (is_it && std::ranges::find(pods, pod) == pods.end()) pods.push_back(pod);
        }
      }
    }
    return pods;
  }

  void place_hosts() {
    const auto hosts = divided(grid_.shape, grid_.host);
    DRA_CHECK(hosts.has_value());
    std::vector<HostPods> used;
    for (const HostFacts& host : group_.hosts)
      used.push_back({host.name, pods_on(host)});
    std::map<std::string_view, std::int64_t> workers;
    if (hosts->size() > 1) workers = workers_.of(used, hosts->size());
    if (hosts->size() > 1)
      grid_.placement = workers.empty() ? Placement::Assumed : Placement::FromWorkers;
    std::vector<const HostFacts*> at(static_cast<std::size_t>(hosts->size()));
    DRA_CHECK(group_.hosts.size() <= at.size());
    for (const HostFacts& host : group_.hosts) {
      if (const auto worker = workers.find(host.name); worker != workers.end())
        at[static_cast<std::size_t>(worker->second)] = &host;
    }
    // If no host has a number, they are placed in the order of their names; else the hosts that are
    // left have no place.
    std::size_t next = 0;
    for (const HostFacts& host : group_.hosts) {
      if (workers.contains(host.name)) continue;
      if (!workers.empty()) {
        leave_out(host);
      } else {
        at[next++] = &host;
      }
    }
    for (std::size_t i = 0; i < at.size(); ++i)
      add_host(at[i], hosts->at(static_cast<std::int64_t>(i)),
               workers.empty() ? std::nullopt : std::optional(static_cast<std::int64_t>(i)));
  }

  void leave_out(const HostFacts& host) {
    const auto devices = devices_.find(host.pool);
    if (devices != devices_.end())
      grid_.unplaced.insert(grid_.unplaced.end(), devices->second.begin(), devices->second.end());
    left_out_ = true;
    if (grid_.note.empty()) grid_.note = "No pod tells which worker is on";
    grid_.note += base::format(" {}", host.name);
  }

  void add_host(const HostFacts* facts, const Coord& at, std::optional<std::int64_t> worker) {
    const HostState none = left_out_ ? HostState::NotKnown : HostState::Absent;
    GridHost host{.node = {}, .worker = worker, .at = at, .state = none};
    host.chips = grid_.host.size();
    host_facts_.push_back(facts);
    if (facts == nullptr) {
      host.why = left_out_ ? "no pod tells which node this is" : "there is no node for it";
    } else {
      host.node = facts->name;
      describe(*facts, host);
    }
    grid_.hosts.push_back(std::move(host));
  }

  // Unlike the other hosts of the group.
  bool lacks_label(const HostFacts& facts) const {
    const auto has = [this](const HostFacts& host) {
      return host.node != nullptr && driver_by_label(*host.node) == group_.driver;
    };
    return !has(facts) && std::ranges::any_of(group_.hosts, has);
  }

  // The reason why a host publishes nothing.
  std::string why_lost(const HostFacts& facts, std::string_view idle) const {
    if (facts.node == nullptr)
      return base::format("{}it publishes no chips", idle.empty() ? "" : "the node is gone, and ");
    if (!engine::is_ready(*facts.node))
      return base::format("the node is {}, and publishes no chips", idle);
    return base::format(
        "the node is ready{}, and publishes no chips: {}",
        idle.empty() ? "" : base::format(" but {}", idle),
        lacks_label(facts)
            ? base::format("it is missing the label {}=true that its neighbours have",
                           kTpuDriverLabel)
            : "its driver does not run, or has none");
  }

  // Describes all faults of a host, causes before their effects.
  void describe(const HostFacts& facts, GridHost& host) const {
    const std::string_view idle = look_at_node(snapshot_, host);
    const auto devices = devices_.find(facts.pool);
    host.published = devices == devices_.end() ? 0 : std::ssize(devices->second);
    std::vector<std::string> causes;
    if (host.published == 0) {
      host.state = HostState::Lost;
      causes.push_back(why_lost(facts, idle));
    } else {
      host.state = host.published < host.chips ? HostState::Degraded : HostState::Whole;
      if (!idle.empty()) causes.push_back(base::format("the node is {}", idle));
      if (host.state == HostState::Degraded)
        causes.push_back(
            base::format("{} of {} published", host.published, base::plural(host.chips, "chip")));
    }
    if (facts.pool != nullptr && facts.pool->state != engine::PoolState::Complete)
      causes.push_back(base::format("its pool is {}", base::lower(name_of(facts.pool->state))));
    host.why = base::join(causes, "; ");
  }

  GridCell& cell(const GridHost& host, std::int64_t chip) {
    const Coord in = grid_.host.at(chip);
    const Coord at{host.at.x * grid_.host.x + in.x, host.at.y * grid_.host.y + in.y,
                   host.at.z * grid_.host.z + in.z};
    return grid_.cells[static_cast<std::size_t>(grid_.shape.number_of(at))];
  }

  void fill_empty(std::size_t number, CellState state) {
    for (std::int64_t chip = 0; chip < grid_.host.size(); ++chip) {
      GridCell& one = cell(grid_.hosts[number], chip);
      one.host = number;
      one.state = state;
    }
  }

  void fill(std::size_t number) {
    const GridHost& host = grid_.hosts[number];
    const HostFacts* facts = host_facts_[number];
    if (host.state != HostState::Whole && host.state != HostState::Degraded) {
      fill_empty(number, host.state == HostState::NotKnown ? CellState::HostNotKnown
                                                           : CellState::HostMissing);
      return;
    }
    const Devices& devices = devices_.at(facts->pool);
    const auto places = ChipPlaces(inventory_, devices, grid_.host.size()).find();
    const bool all_placed =
        std::ranges::all_of(places, [](const auto& at) { return at.has_value(); });
    fill_empty(number, all_placed ? CellState::Missing : CellState::ChipNotKnown);
    for (std::size_t i = 0; i < devices.size(); ++i) {
      if (!places[i]) {
        grid_.unplaced.push_back(devices[i]);
        continue;
      }
      const InventoryDevice& device = inventory_.devices()[devices[i]];
      GridCell& one = cell(host, *places[i]);
      one.state = state_of(device);
      one.chip = device.published.device->name;
      one.device = devices[i];
    }
  }

  const snapshot::Snapshot& snapshot_;
  const Inventory& inventory_;
  const Workers& workers_;
  const DevicesOf& devices_;
  const HostGroup& group_;
  std::vector<const HostFacts*> host_facts_;  // by place
  bool left_out_ = false;                     // hosts without a place
  ChipGrid grid_;
};

}  // namespace

std::vector<ChipGrid> tpu_grids(const snapshot::Snapshot& snapshot, const Inventory& inventory) {
  DevicesOf devices;
  const auto& pools = inventory.pools();
  const std::vector<HostGroup> groups = host_groups(snapshot, inventory);
  if (groups.empty()) return {};
  for (const HostGroup& group : groups) {
    for (const HostFacts& host : group.hosts) {
      if (host.pool != nullptr) devices[host.pool];
    }
  }
  for (std::size_t i = 0; i < inventory.devices().size(); ++i) {
    const auto pool = devices.find(&pools[inventory.devices()[i].pool]);
    if (pool != devices.end()) pool->second.push_back(i);
  }
  const Workers workers(snapshot);
  std::vector<ChipGrid> grids;
  grids.reserve(groups.size());
  for (const HostGroup& group : groups)
    grids.push_back(GridMaker(snapshot, inventory, workers, devices, group).make());
  return grids;
}

}  // namespace dra::topology
