// src/report/top/top.cpp: computes the rows. Devices are added to the row of their
// driver, class, node or node pool in one pass; then each row gets its shared amounts and the
// largest request that fits.

#include "dra/report/top/top.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "dra/api/cluster_objects.h"
#include "dra/api/device_class.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/allocated_device.h"
#include "dra/engine/cluster/counter_headroom.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/tpu_hosts.h"
#include "dra/engine/selectors/class_counts.h"
#include "dra/report/phrases/words.h"
#include "dra/topology/accelerators.h"
#include "dra/topology/missing_devices.h"
#include "src/report/top/shared_amounts.h"
#include "src/report/top/top_workloads.h"

namespace dra::report {
namespace {

using engine::InventoryDevice;
using engine::MaxRequests;

constexpr std::size_t kMostReasons = 3;  // why nothing fits

// `least`: the driver refuses smaller requests on that node.
void add_fit(Fit& best, std::string_view node, const engine::MaxRequest& fit, std::int64_t least) {
  best.known = best.known && fit.known;
  if (fit.count > 0 && fit.count < least) best.whole_hosts = true;
  if (fit.count < least || fit.count == 0) return;
  if (fit.count > best.count) best.nodes.clear();
  best.count = std::max(best.count, fit.count);
  if (fit.count == best.count) best.nodes.push_back(node);
}

std::string_view driver_of(const InventoryDevice& device) {
  return device.published.slice->spec.driver;
}

// The sums of one row.
struct Sum {
  engine::DeviceCounts devices;
  SharedAmounts shared;
  // By index of the pool in the inventory, the counter sets that these devices consume.
  std::map<std::size_t, std::set<std::string_view>> pools = {};
  std::map<std::size_t, std::vector<std::size_t>> accelerators = {};  // of all: their devices
  std::map<std::string_view, engine::DeviceCounts> partitions = {};   // by model
  std::set<std::string_view> nodes = {};  // of the devices that only one node can use
  std::vector<const InventoryDevice*> free = {};
};

// "node n1 is cordoned".
std::string why_no_pods(const api::Node& node) {
  return base::format("node {} is {}", node.meta.name,
                      engine::is_ready(node) ? "cordoned" : "not ready");
}

bool can_use(const api::Node& node, const std::vector<const InventoryDevice*>& devices) {
  return std::ranges::any_of(devices, [&node](const InventoryDevice* device) {
    const auto usable = engine::is_for(device->published, node);
    return usable.ok() && usable.value();
  });
}

// The nodes that can use one of the devices. Those of one slice are for the same nodes, as a rule.
std::vector<const api::Node*> users_of(const std::vector<const InventoryDevice*>& devices,
                                       std::span<const api::Node> all,
                                       const snapshot::Snapshot& snapshot) {
  std::set<std::string_view> own;
  std::vector<const InventoryDevice*> of_several;
  std::set<const api::ResourceSlice*> slices;
  for (const InventoryDevice* device : devices) {
    const std::string_view only = only_node_of(device->published);
    const api::ResourceSlice* slice = device->published.slice;
    if (!only.empty())
      own.insert(only);
    else if (slices.insert(slice).second || slice->spec.per_device_node_selection)
      of_several.push_back(device);
  }
  std::vector<const api::Node*> users;
  if (of_several.empty()) {
    for (const std::string_view name : own) {
      if (const auto* node = snapshot.find<api::Node>(name)) users.push_back(node);
    }
    return users;
  }
  for (const api::Node& node : all) {
    if (own.contains(node.meta.name) || can_use(node, of_several)) users.push_back(&node);
  }
  return users;
}

class TopMaker {
 public:
  TopMaker(const Scene& scene, TopBy by)
      : scene_(scene),
        by_(by),
        saw_claims_(scene.snapshot.coverage().saw(api::Kind::Claim)),
        nodes_(engine::nodes_of(scene.snapshot)),
        headroom_(scene.inventory),
        accelerators_(topology::accelerators_of(scene.inventory)),
        missing_(topology::missing_devices(scene.snapshot, scene.inventory)) {}

  Top make() {
    top_.by = by_;
    top_.coverage = scene_.snapshot.coverage();
    switch (by_) {
      case TopBy::Drivers:
        add_by([](const InventoryDevice&) { return std::string_view(); });
        for (TopRow& row : top_.rows)
          row.name = std::exchange(row.driver, {});
        break;
      case TopBy::Classes:
        add_classes();
        break;
      case TopBy::Nodes:
        add_by([](const InventoryDevice& device) { return only_node_of(device.published); });
        break;
      case TopBy::NodePools:
        find_node_pools();
        add_by([this](const InventoryDevice& device) {
          return node_pool(only_node_of(device.published));
        });
        break;
      case TopBy::Namespaces:
        add_namespaces();
        break;
      case TopBy::Workloads:
        top_.workloads = workloads_of(scene_);
        break;
    }
    return std::move(top_);
  }

 private:
  using NameOf = std::function<std::string_view(const InventoryDevice&)>;

  // True for devices that no node can use alone.
  bool is_of_several(const InventoryDevice& device) const {
    return by_ != TopBy::Drivers && only_node_of(device.published).empty();
  }

  // Adds a row for each name and driver.
  void add_by(const NameOf& name_of) {
    std::map<std::tuple<bool, std::string_view, std::string_view>, Sum> sums;
    for (const InventoryDevice& device : scene_.inventory.devices()) {
      const bool several = is_of_several(device);
      Sum& sum = sums[{several, several ? std::string_view() : name_of(device), driver_of(device)}];
      add(device, sum);
      note_counters(device, several, sum);
      kinds_[driver_of(device)][several ? 1 : 0] = true;
    }
    for (const engine::MissingDevice& device : missing_) {
      const auto name = name_of_missing(device);
      if (name) sums[{false, *name, device.driver}].devices.add(engine::DeviceState::Missing);
    }
    for (auto& [key, sum] : sums) {
      const auto& [several, name, driver] = key;
      TopRow row{.name = name, .several = several, .driver = driver};
      add_counters(row, sum);
      finish(row, sum);
      row.fit = fit_of(row);
      row.fit.why_none = why_none(row, sum);
      if (by_ == TopBy::NodePools && !row.several) row.nodes = nodes_in_pool_[row.name];
      row.nodes_with_devices = std::ssize(sum.nodes);
      top_.rows.push_back(std::move(row));
    }
  }

  // No value: it was on no known node.
  std::optional<std::string_view> name_of_missing(const engine::MissingDevice& device) const {
    if (by_ == TopBy::Drivers) return std::string_view();
    if (by_ == TopBy::Nodes) return device.node.empty() ? std::nullopt : std::optional(device.node);
    if (!device.node.empty()) return node_pool(device.node);
    if (!device.like) return std::nullopt;
    return node_pool(only_node_of(scene_.inventory.devices()[*device.like].published));
  }

  void note_counters(const InventoryDevice& device, bool several, Sum& sum) {
    const auto [pool, is_new] = sum.pools.try_emplace(device.pool);
    rows_of_pool_[device.pool] += is_new ? 1 : 0;
    for (const api::CounterConsumption& consumption : device.published.device->consumes) {
      pool->second.insert(consumption.counter_set);
      if (!several) sets_of_nodes_[device.pool].insert(consumption.counter_set);
    }
  }

  // A pool with devices of several nodes is in several rows. Each row has the counter sets of its
  // own devices; the row of devices of several nodes has the sets that no single node uses.
  void add_counters(const TopRow& row, Sum& sum) {
    for (auto& [pool, sets] : sum.pools) {
      const bool all = rows_of_pool_[pool] == 1;
      if (!all && row.several) {
        for (const std::string_view set : sets_of_nodes_[pool])
          sets.erase(set);
      }
      sum.shared.add(scene_.inventory.pools()[pool], headroom_.counters_of(pool),
                     all ? nullptr : &sets);
    }
  }

  void add(const InventoryDevice& device, Sum& sum) {
    sum.devices.add(device);
    sum.shared.add(device);
    if (device.state == engine::DeviceState::Free) sum.free.push_back(&device);
    if (const std::string_view only = only_node_of(device.published); !only.empty())
      sum.nodes.insert(only);
    const auto number = static_cast<std::size_t>(&device - scene_.inventory.devices().data());
    for (const std::size_t index : accelerators_.of_device[number])
      sum.accelerators[index].push_back(number);
    if (!device.published.device->consumes.empty())
      sum.partitions[accelerators_.all[accelerators_.of_device[number].front()].model].add(device);
  }

  // Counts the accelerators that the devices of a row are parts of.
  void add_accelerators(TopRow& row, const Sum& sum) const {
    std::map<std::string_view, PartitionedModel> models;
    double used = 0;
    for (const auto& [index, devices] : sum.accelerators) {
      const topology::Accelerator& one = accelerators_.all[index];
      row.accelerators.add(state_for(scene_.inventory, one, devices));
      used += one.used;
      if (!one.partitioned) continue;
      PartitionedModel& model = models[one.model];
      ++model.accelerators;
      model.used = model.used.value_or(0) + one.used;
      model.slots += one.slots;
      *model.slots_used += one.slots_used;
    }
    row.accelerators.missing = sum.devices.missing;
    for (auto& [name, model] : models) {
      model.name = name;
      *model.used /= static_cast<double>(model.accelerators);
      if (!saw_claims_) {
        model.slots_used.reset();
        model.used.reset();
      }
      const auto partitions = sum.partitions.find(name);
      if (partitions != sum.partitions.end()) model.partitions = partitions->second;
      row.partitioned.push_back(std::move(model));
    }
    if (row.allocated && row.accelerators.devices > 0)
      row.used = used / static_cast<double>(row.accelerators.devices);
  }

  void finish(TopRow& row, Sum& sum) const {
    row.devices = sum.devices;
    row.allocated = row.devices.known_allocated(scene_.snapshot.coverage());
    row.free = row.devices.known_free();
    add_accelerators(row, sum);
    row.shared = sum.shared.take(saw_claims_);
  }

  // The largest fit of the row, computed for all rows of its driver together.
  Fit fit_of(const TopRow& row) {
    const bool wherever = by_ == TopBy::Drivers || row.several;
    const auto [known, is_new] = fits_.try_emplace({row.several, row.driver});
    if (is_new) {
      for (const auto& [node, fit] : max_requests_of(row)) {
        const std::string_view name = by_ == TopBy::Nodes ? node : node_pool(node);
        add_fit(known->second[wherever ? std::string_view() : name], node, fit,
                least_on(node, row.driver));
      }
    }
    return known->second[wherever ? std::string_view() : row.name];
  }

  // A free device fits alone, so what is in the way is its nodes or the size of a host.
  std::string why_none(const TopRow& row, const Sum& sum) const {
    if (row.fit.count > 0 || !row.fit.known || sum.free.empty() || nodes_.assumed) return {};
    if (row.fit.whole_hosts)
      return "the driver prepares whole hosts only, and no host has all of its chips free";
    std::vector<std::string> reasons;
    for (const api::Node* node : users_of(sum.free, nodes_.nodes, scene_.snapshot)) {
      if (engine::is_ready(*node) && !node->spec.unschedulable) return {};
      reasons.push_back(why_no_pods(*node));
    }
    if (reasons.empty()) return "no node can use what is free";
    return base::join_first(reasons, kMostReasons);
  }

  // If a driver has devices of one node and of several nodes, a row counts only its own kind.
  MaxRequests max_requests_of(const TopRow& row) {
    std::string text;
    const api::DeviceClass of_driver = engine::class_of_driver(row.driver, text);
    const std::array<bool, 2>& kinds = kinds_[row.driver];
    if (!(kinds[0] && kinds[1]))
      return engine::max_requests(scene_.snapshot, scene_.inventory, nodes_, of_driver);
    engine::Overrides otherwise;
    for (const InventoryDevice& device : scene_.inventory.devices()) {
      if (driver_of(device) == row.driver && is_of_several(device) != row.several)
        otherwise.withheld.insert(device.published.id());
    }
    const engine::Inventory inventory(scene_.snapshot, otherwise);
    return engine::max_requests(scene_.snapshot, inventory, nodes_, of_driver);
  }

  void add_classes() {
    engine::Answers answers = engine::answers_for(scene_.inventory, scene_.snapshot.server());
    for (const api::DeviceClass& device_class : scene_.snapshot.all<api::DeviceClass>()) {
      TopRow row{.name = device_class.meta.name};
      const engine::Selection selection = engine::choose(answers, device_class.spec.selectors);
      row.failed = !selection.compiles();
      Sum sum;
      std::set<std::string_view> drivers;
      for (std::size_t i = 0; i < selection.devices.size() && !row.failed; ++i) {
        if (selection.devices[i] != engine::Outcome::Chosen) continue;
        add(scene_.inventory.devices()[i], sum);
        drivers.insert(driver_of(scene_.inventory.devices()[i]));
      }
      if (!row.failed) add_missing(device_class, selection, sum);
      finish(row, sum);
      if (!row.failed && row.devices.devices > 0) {
        for (const auto& [node, fit] :
             engine::max_requests(scene_.snapshot, scene_.inventory, nodes_, device_class))
          add_fit(row.fit, node, fit, drivers.size() == 1 ? least_on(node, *drivers.begin()) : 0);
        row.fit.why_none = why_none(row, sum);
      }
      top_.rows.push_back(std::move(row));
    }
  }

  void add_missing(const api::DeviceClass& device_class, const engine::Selection& selection,
                   Sum& sum) const {
    for (const engine::MissingDevice& device : missing_) {
      if (engine::would_choose(selection, device_class, device))
        sum.devices.add(engine::DeviceState::Missing);
    }
  }

  // The number of chips of the node for a driver that allocates whole hosts only.
  std::int64_t least_on(std::string_view node, std::string_view driver) const {
    const engine::Pool* pool = scene_.inventory.find_pool(driver, node);
    const auto host = pool == nullptr ? std::nullopt : engine::tpu_host_of(scene_.snapshot, *pool);
    return host ? host->chips : 0;
  }

  void find_node_pools() {
    for (const api::Node& node : scene_.snapshot.all<api::Node>()) {
      const std::string_view pool = engine::node_pool_of(node);
      node_pools_.emplace(node.meta.name, pool);
      ++nodes_in_pool_[pool];
    }
  }

  std::string_view node_pool(std::string_view node) const {
    const auto known = node_pools_.find(node);
    return known == node_pools_.end() ? std::string_view() : known->second;
  }

  void add_namespaces() {
    std::map<std::string_view, NamespaceTop> rows;
    std::map<std::string_view, std::set<std::string>> pods;
    for (const api::ResourceClaim& claim : scene_.snapshot.all<api::ResourceClaim>()) {
      NamespaceTop& row = rows[claim.meta.namespace_];
      ++row.claims;
      row.pending += claim.allocated() ? 0 : 1;
      for (std::string& pod : engine::pods_of(claim))
        pods[claim.meta.namespace_].insert(std::move(pod));
    }
    const std::int64_t unseen = add_held(rows);
    for (const engine::QuotaState& state : engine::Quotas(scene_.snapshot).states())
      rows[state.namespace_].quotas.push_back(state);
    const auto devices = static_cast<std::int64_t>(scene_.inventory.devices().size());
    for (auto& [name, row] : rows) {
      row.name = name;
      row.known = scene_.snapshot.coverage().saw(api::Kind::Claim, name);
      row.of = devices + unseen;
      row.pods = static_cast<std::int64_t>(pods[name].size());
      if (row.claims > 0 || !row.quotas.empty()) top_.namespaces.push_back(std::move(row));
    }
  }

  // Counts held devices by namespace. Returns how many of them are not published, but may be in a
  // missing slice of an incomplete pool.
  std::int64_t add_held(std::map<std::string_view, NamespaceTop>& rows) const {
    std::set<engine::DeviceId> published;
    for (const InventoryDevice& device : scene_.inventory.devices())
      published.insert(device.published.id());
    std::set<engine::DeviceId> unseen;
    std::set<std::tuple<std::string_view, engine::DeviceId>> held;
    for (const engine::Holding& holding : scene_.inventory.usage().all()) {
      const std::string_view ns = holding.claim->meta.namespace_;
      if (holding.admin() || !held.emplace(ns, holding.id).second) continue;
      if (!published.contains(holding.id)) {
        if (engine::is_gone(scene_.inventory, holding.id)) {
          ++rows[ns].gone;
          continue;
        }
        unseen.insert(holding.id);
      }
      ++rows[ns].devices[holding.id.driver];
      ++rows[ns].held;
    }
    return static_cast<std::int64_t>(unseen.size());
  }

  const Scene& scene_;
  TopBy by_;
  bool saw_claims_;
  engine::Nodes nodes_;
  engine::CounterHeadroom headroom_;
  topology::Accelerators accelerators_;
  std::vector<engine::MissingDevice> missing_;
  Top top_;
  // By driver and `several`, then by the name of the row.
  std::map<std::pair<bool, std::string_view>, std::map<std::string_view, Fit>> fits_;
  std::map<std::string_view, std::array<bool, 2>> kinds_;  // by driver: of one node, of several
  std::map<std::size_t, std::int64_t> rows_of_pool_;       // number of rows with its devices
  std::map<std::size_t, std::set<std::string_view>> sets_of_nodes_;  // counter sets of single nodes
  std::map<std::string_view, std::string_view> node_pools_;          // by node
  std::map<std::string_view, std::int64_t> nodes_in_pool_;
};

}  // namespace

std::string_view name_of(TopBy by) {
  switch (by) {
    case TopBy::Drivers:
      return "drivers";
    case TopBy::Classes:
      return "classes";
    case TopBy::Nodes:
      return "nodes";
    case TopBy::NodePools:
      return "nodepools";
    case TopBy::Namespaces:
      return "namespaces";
    case TopBy::Workloads:
      return "workloads";
  }
  return "";
}

Top top_of(const Scene& scene, TopBy by) { return TopMaker(scene, by).make(); }

}  // namespace dra::report
