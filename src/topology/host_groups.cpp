// src/topology/host_groups.cpp: collects hosts, then groups them by labels, then the rest by what
// they are.

#include "dra/topology/host_groups.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/tpu_hosts.h"
#include "dra/engine/facts/driver_knowledge.h"
#include "dra/topology/tpu_shapes.h"
#include "src/topology/labels.h"

namespace dra::topology {
namespace {

constexpr std::string_view kLabelledDriver = "tpu.google.com";

// An attribute of the pool's first chip, if it is a string.
std::string_view text_of(const engine::Pool& pool, std::string_view name) {
  const api::DeviceAttribute* found = engine::chip_attribute(pool, name);
  const bool text = found != nullptr && found->kind() == api::DeviceAttribute::Kind::String;
  return text ? found->text() : std::string_view();
}

engine::TpuLabels labels_of(const HostFacts& host) {
  return host.node == nullptr ? engine::TpuLabels() : engine::tpu_labels_of(*host.node);
}

// Hosts of one slice have one key.
using Key = std::tuple<std::string_view, std::string_view>;  // generation and topology

class Grouper {
 public:
  Grouper(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
          std::string_view driver)
      : snapshot_(snapshot), inventory_(inventory), driver_(driver) {}

  std::vector<HostGroup> run() {
    find_hosts();
    std::map<std::string_view, std::vector<HostFacts>> together;
    std::map<Key, std::vector<HostFacts>> alike;  // without such labels
    for (const HostFacts& host : hosts_) {
      const std::string_view slice = labels_of(host).slice_or_pool();
      if (!slice.empty()) {
        together[slice].push_back(host);
      } else {
        // Drivers and labels call one generation by different names.
        const engine::TpuGeneration* known = engine::tpu_generation_of(host.generation);
        alike[{known == nullptr ? host.generation : known->name, host.topology}].push_back(host);
      }
    }
    for (auto& [name, hosts] : together)
      add(name, std::move(hosts), false);
    for (auto& [key, hosts] : alike)
      add({}, std::move(hosts), true);
    std::ranges::stable_sort(groups_, {}, &HostGroup::name);
    return std::move(groups_);
  }

 private:
  // Finds hosts with published chips, and nodes with the labels of such hosts.
  void find_hosts() {
    std::set<std::string_view> seen;
    std::set<std::string_view> node_pools;
    for (const engine::Pool& pool : inventory_.pools()) {
      if (pool.driver != driver_ || engine::host_of(pool).empty()) continue;
      if (!seen.insert(engine::host_of(pool)).second) continue;
      hosts_.push_back(host_facts(snapshot_, engine::host_of(pool), &pool));
      if (const api::Node* node = hosts_.back().node)
        node_pools.insert(engine::tpu_labels_of(*node).node_pool);
    }
    node_pools.erase(std::string_view());
    for (const api::Node& node : snapshot_.all<api::Node>()) {
      const bool like = node_pools.contains(engine::tpu_labels_of(node).node_pool) ||
                        driver_by_label(node) == driver_;
      if (like && !seen.contains(node.meta.name))
        hosts_.push_back(host_facts(snapshot_, node.meta.name, nullptr));
    }
    std::ranges::sort(hosts_, {}, &HostFacts::name);
  }

  // `exactly`: they are a slice only if their number is that of a slice.
  void add(std::string_view name, std::vector<HostFacts> hosts, bool exactly) {
    const auto slice = parse_shape(hosts.front().topology);
    const std::int64_t chips = std::ranges::max(hosts, {}, &HostFacts::chips).chips;
    const std::int64_t there = std::ssize(hosts);
    const bool several = slice && chips > 0 && slice->size() > chips;
    if (!several) return add_alone(hosts, {});
    if (!divided(*slice, host_shape(chips)))
      return add_alone(hosts, base::format("Hosts of {} chips do not make up a slice of {}", chips,
                                           to_string(*slice)));
    const std::int64_t wanted = slice->size() / chips;
    if (there > wanted)
      return add_alone(
          hosts, base::format("Which {} hosts of these {} form a slice of {} is not known", wanted,
                              there, to_string(*slice)));
    if (exactly && there < wanted)
      return add_alone(hosts,
                       base::format("A slice of {} has {} hosts, and of such hosts here {} {}",
                                    to_string(*slice), wanted, there == 1 ? "is" : "are", there));
    if (name.empty()) name = hosts.front().name;
    groups_.push_back({driver_, name, slice, std::move(hosts)});
  }

  void add_alone(const std::vector<HostFacts>& hosts, const std::string& apart) {
    for (const HostFacts& host : hosts) {
      if (host.pool == nullptr && host.chips == 0) continue;  // it is not known to have chips
      HostGroup group{
          .driver = driver_, .name = host.name, .slice = {}, .hosts = {}, .apart = apart};
      group.hosts.push_back(host);
      groups_.push_back(std::move(group));
    }
  }

  const snapshot::Snapshot& snapshot_;
  const engine::Inventory& inventory_;
  std::string_view driver_;
  std::vector<HostFacts> hosts_;
  std::vector<HostGroup> groups_;
};

}  // namespace

std::string_view driver_by_label(const api::Node& node) {
  return label_of(node.meta, kTpuDriverLabel) == "true" ? kLabelledDriver : std::string_view();
}

HostFacts host_facts(const snapshot::Snapshot& snapshot, std::string_view node,
                     const engine::Pool* pool) {
  HostFacts host{.name = node, .node = snapshot.find<api::Node>(node), .pool = pool};
  const engine::TpuLabels labels = labels_of(host);
  host.topology = labels.topology;
  host.generation = labels.accelerator;
  host.accelerator = labels.accelerator;
  host.chips = labels.chips;
  if (pool == nullptr) return host;
  if (const auto text = text_of(*pool, "topology"); !text.empty()) host.topology = text;
  if (const auto text = text_of(*pool, "tpuGen"); !text.empty()) host.generation = text;
  if (const auto text = text_of(*pool, "accelerator"); !text.empty()) host.accelerator = text;
  if (const auto known = engine::tpu_host_of(snapshot, *pool)) host.chips = known->chips;
  return host;
}

std::vector<HostGroup> host_groups(const snapshot::Snapshot& snapshot,
                                   const engine::Inventory& inventory) {
  std::set<std::string_view> drivers;
  for (const engine::Pool& pool : inventory.pools()) {
    if (engine::hands_out_hosts(pool.driver)) drivers.insert(pool.driver);
  }
  for (const api::Node& node : snapshot.all<api::Node>()) {
    if (const auto driver = driver_by_label(node); !driver.empty()) drivers.insert(driver);
  }
  std::vector<HostGroup> groups;
  for (const std::string_view driver : drivers)
    std::ranges::move(Grouper(snapshot, inventory, driver).run(), std::back_inserter(groups));
  return groups;
}

}  // namespace dra::topology
