// src/engine/cluster/pool.cpp: groups slices by pool, finds each pool's newest generation, and
// checks completeness and validity as GatherPools does. A pool that looks the same from every node
// is assembled once; the others are assembled for each node that sees some of their slices.

#include "dra/engine/cluster/pool.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "dra/base/fetch.h"
#include "dra/base/text.h"
#include "dra/engine/facts/node_match.h"

namespace dra::engine {
namespace {

using Slices = std::span<const api::ResourceSlice* const>;

// A slice with a model has no device with any of what is asked about here.
template <class F>
bool any_device(const api::ResourceSlice& slice, F has) {
  if (slice.spec.model != nullptr) return false;
  return std::ranges::any_of(slice.spec.devices, has);
}

bool uses_compatibility_groups(const api::ResourceSlice& slice) {
  return any_device(slice, [](const api::Device& device) {
    return std::ranges::any_of(device.consumes, [](const api::CounterConsumption& consumption) {
      return !consumption.compatibility_groups.empty();
    });
  });
}

// A node's name, all nodes, or a selector: the first that is set decides. None set: no node.
struct NodeChoice {
  std::string_view node_name;
  bool all_nodes;
  const api::Rare<api::NodeSelector>& selector;
};

Result<bool> chooses(const NodeChoice& choice, const api::Node& node) {
  if (!choice.node_name.empty()) return choice.node_name == node.meta.name;
  if (choice.all_nodes) return true;
  if (choice.selector) return matches(*choice.selector, node);
  return false;
}

NodeChoice choice_of(const api::SliceSpec& spec) {
  return {spec.node_name, spec.all_nodes, spec.node_selector};
}
NodeChoice choice_of(const api::Device& device) {
  return {device.node_name, device.all_nodes, device.node_selector};
}

bool chooses_as_a_whole(const api::SliceSpec& spec) {
  return !spec.node_name.empty() || spec.all_nodes || spec.node_selector.has_value();
}

// The devices of a slice that the node can use; no value if the slice is not for the node.
Result<std::optional<std::vector<PoolDevice>>> devices_for(const api::ResourceSlice& slice,
                                                           const api::Node& node) {
  std::vector<PoolDevice> devices;
  if (chooses_as_a_whole(slice.spec)) {
    if (!DRA_TRY(chooses(choice_of(slice.spec), node)))
      return std::optional<std::vector<PoolDevice>>();
    for (const api::Device& device : slice.spec.devices)
      devices.push_back({&slice, &device});
    return std::optional(std::move(devices));
  }
  // Neither: a way of a later release, by which no node can use it.
  if (!slice.spec.per_device_node_selection) return std::optional<std::vector<PoolDevice>>();
  for (const api::Device& device : slice.spec.devices) {
    if (DRA_TRY(chooses(choice_of(device), node))) devices.push_back({&slice, &device});
  }
  if (devices.empty()) return std::optional<std::vector<PoolDevice>>();
  return std::optional(std::move(devices));
}

std::string duplicate_device(Slices slices) {
  const auto name_of = [](const api::Device& device) { return device.name; };
  const auto not_less = std::ranges::greater_equal();
  if (slices.size() == 1) {
    const api::SliceSpec& spec = slices.front()->spec;
    if (spec.names_as_model && spec.model->names_ascend) return {};
    const auto& devices = spec.devices;
    if (std::ranges::adjacent_find(devices, not_less, name_of) == devices.end()) return {};
  }
  std::vector<std::string_view> sorted;
  for (const api::ResourceSlice* slice : slices)
    std::ranges::transform(slice->spec.devices, std::back_inserter(sorted), name_of);
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) == sorted.end()) return {};
  // Upstream reports the first one.
  std::set<std::string_view> names;
  for (const api::ResourceSlice* slice : slices) {
    for (const api::Device& device : slice->spec.devices) {
      if (!names.insert(device.name).second) {
        return base::format("duplicate device name {}", device.name);
      }
    }
  }
  return {};
}

using CounterSets = std::map<std::string_view, const api::CounterSet*>;

std::string bad_consumption(const api::Device& device, const CounterSets& sets) {
  for (const api::CounterConsumption& consumption : device.consumes) {
    const auto set = sets.find(consumption.counter_set);
    if (set == sets.end()) return base::format("counter set {} not found", consumption.counter_set);
    for (const auto& counter : consumption.counters) {
      if (api::find(set->second->counters, counter.key) == nullptr) {
        return base::format("counter {} not found in counter set {}", counter.key, set->first);
      }
    }
  }
  return {};
}

std::string bad_counters(Slices slices) {
  const bool any = std::ranges::any_of(slices, [](const api::ResourceSlice* slice) {
    return !slice->spec.shared_counters.empty() ||
           any_device(*slice, [](const api::Device& device) { return !device.consumes.empty(); });
  });
  if (!any) return {};
  CounterSets sets;
  for (const api::ResourceSlice* slice : slices) {
    for (const api::CounterSet& set : slice->spec.shared_counters) {
      if (!sets.emplace(set.name, &set).second) {
        return base::format("duplicate counter set name {}", set.name);
      }
    }
  }
  for (const api::ResourceSlice* slice : slices) {
    for (const api::Device& device : slice->spec.devices) {
      if (auto problem = bad_consumption(device, sets); !problem.empty()) return problem;
    }
  }
  return {};
}

// The part of a pool that a node publishes.
Pool of_node(const Pool& pool, std::string_view node) {
  Pool own{.driver = pool.driver, .name = pool.name, .generation = pool.generation};
  for (const api::ResourceSlice* slice : pool.slices) {
    if (slice->spec.node_name == node) own.slices.add(slice);
  }
  own.slices_expected = own.slices.front()->spec.pool.slice_count;
  return own;
}

}  // namespace

std::string_view name_of(PoolState state) {
  switch (state) {
    case PoolState::Complete:
      return "Complete";
    case PoolState::Incomplete:
      return "Incomplete";
    case PoolState::Invalid:
      return "Invalid";
  }
  return "";
}

Pools::Pools(const snapshot::Snapshot& snapshot, const Features& features,
             const Overrides& overrides)
    : features_(features), overrides_(overrides), nodes_(snapshot.all<api::Node>()) {
  group_slices(snapshot);
  std::size_t devices = 0;
  for (const api::ResourceSlice* slice : slices_)
    devices += slice->spec.devices.size();
  devices_.reserve(devices);  // what points into it stays where it is
  by_node_.reserve(groups_.size());
  whole_.reserve(groups_.size());
  for (std::size_t i = 0; i < groups_.size(); ++i)
    look_at(i);
  sort_by_node();
}

// They are mostly in order already, so to see that is what takes time.
void Pools::sort_by_node() {
  bool sorted = true;
  for (std::size_t i = 1; i < by_node_.size() && sorted; ++i) {
    base::fetch_text(by_node_, i, &NodeGroup::node);
    sorted = by_node_[i - 1] <= by_node_[i];
  }
  if (!sorted) std::ranges::sort(by_node_);
  by_node_.erase(std::unique(by_node_.begin(), by_node_.end()), by_node_.end());
}

// By the pools' numbers; within a pool slices stay sorted by name.
void Pools::group_slices(const snapshot::Snapshot& snapshot) {
  const auto& slices = snapshot.all<api::ResourceSlice>();
  const auto& names = snapshot.pools().names();
  std::vector<std::size_t> count(names.size());
  for (const api::ResourceSlice& slice : slices)
    ++count[slice.spec.pool.number];
  slices_.resize(slices.size());
  group_of_.resize(names.size());
  std::vector<std::size_t> next(names.size());
  std::size_t first = 0;
  for (const std::uint32_t pool : snapshot.pools().sorted()) {
    if (count[pool] == 0) continue;
    group_of_[pool] = groups_.size();
    next[pool] = first;
    groups_.push_back({.driver = names[pool].driver,
                       .name = names[pool].pool,
                       .slices = Slices(slices_).subspan(first, count[pool])});
    first += count[pool];
  }
  for (const api::ResourceSlice& slice : slices)
    slices_[next[slice.spec.pool.number]++] = &slice;
}

void Pools::look_at(std::size_t index) {
  Group& group = groups_[index];
  group.newest = std::ranges::max(group.slices, {}, [](const auto* slice) {
                   return slice->spec.pool.generation;
                 })->spec.pool.generation;
  const api::SliceSpec& first = group.slices.front()->spec;
  bool one_kind = true;
  for (const api::ResourceSlice* slice : group.slices) {
    const api::SliceSpec& spec = slice->spec;
    const bool everywhere = features_.counters_are_everywhere() && !spec.shared_counters.empty();
    if (spec.node_name.empty() || everywhere) group.beyond_one_node = true;
    if (!spec.node_name.empty()) by_node_.push_back({spec.node_name, index});
    const bool same_node = &spec == &first || spec.node_name == first.node_name;
    one_kind = one_kind && same_node && spec.pool.generation == group.newest && !ignored(*slice) &&
               !hides_devices(*slice, features_);
  }
  if (group.beyond_one_node) beyond_one_node_.push_back(index);
  group.undivided = !group.beyond_one_node && one_kind;
  put_together(group);
}

bool Pools::is_stale(const api::ResourceSlice& slice) const {
  return slice.spec.pool.generation < groups_[group_of_[slice.spec.pool.number]].newest;
}

// While the gate of compatibility groups is off, slices that use them do not count as slices of
// their pool, which makes it incomplete. Slices that are ignored for other reasons count.
bool Pools::counts(const api::ResourceSlice& slice) const {
  return features_.on(Gate::DRADeviceCompatibilityGroups) || !uses_compatibility_groups(slice);
}

bool hides_devices(const api::ResourceSlice& slice, const Features& features) {
  return !slice.spec.shared_counters.empty() && !slice.spec.devices.empty() &&
         features.on(Gate::DRAPartitionableDevices) && !features.counters_are_plain();
}

bool Pools::hides(const api::ResourceSlice& slice) const { return hides_devices(slice, features_); }

// The allocator skips the slice because a gate is off.
bool Pools::ignored(const api::ResourceSlice& slice) const {
  if (!counts(slice)) return true;
  return !features_.on(Gate::DRAPartitionableDevices) &&
         (slice.spec.per_device_node_selection ||
          (!features_.counters_are_plain() && !slice.spec.shared_counters.empty()));
}

// Fills in completeness and validity of a pool with its generation and slices.
void Pools::complete(Pool& pool, const Group& group) const {
  // Upstream looks at all devices of the slices that the node sees, even those for other nodes.
  pool.binding_conditions = std::ranges::any_of(
      pool.slices, [](const auto* slice) { return has_binding_conditions(*slice); });
  const auto is_counted = [this, &pool](const api::ResourceSlice* slice) {
    return slice->spec.pool.generation == pool.generation && counts(*slice);
  };
  // A pool that is assumed complete counts as one that expects exactly the slices that are there.
  if (pool.generation == group.newest && overrides_.completes({pool.driver, pool.name}))
    pool.slices_expected = features_.pools_as_in_34()
                               ? static_cast<std::int64_t>(pool.slices.size())
                               : std::ranges::count_if(group.slices, is_counted);
  const bool all_here = static_cast<std::int64_t>(pool.slices.size()) == pool.slices_expected;
  if (features_.pools_as_in_34()) {
    pool.slices_seen = static_cast<std::int64_t>(pool.slices.size());
    pool.problem = duplicate_device(pool.slices.all());
    pool.state = !pool.problem.empty() ? PoolState::Invalid
                 : all_here            ? PoolState::Complete
                                       : PoolState::Incomplete;
    return;
  }
  // The node's own slices are looked at first: if they are as many as expected, no others count.
  std::vector<const api::ResourceSlice*> everywhere;
  for (const api::ResourceSlice* slice : group.slices) {
    if (!all_here && is_counted(slice)) everywhere.push_back(slice);
  }
  const Slices counted = all_here ? pool.slices.all() : Slices(everywhere);
  pool.slices_seen = static_cast<std::int64_t>(counted.size());
  if (pool.slices_seen != pool.slices_expected) {
    pool.state = PoolState::Incomplete;
    if (features_.counters_are_plain()) pool.problem = duplicate_device(pool.slices.all());
    if (!pool.problem.empty()) pool.state = PoolState::Invalid;
    return;
  }
  pool.problem = duplicate_device(pool.slices.all());
  if (pool.problem.empty() && features_.on(Gate::DRAPartitionableDevices)) {
    pool.problem = bad_counters(counted);
  }
  if (!pool.problem.empty()) pool.state = PoolState::Invalid;
  if (all_here) return;
  std::ranges::set_difference(everywhere, pool.slices, std::back_inserter(pool.elsewhere));
}

void Pools::put_together(const Group& group) {
  Pool& pool = whole_.emplace_back(
      Pool{.driver = group.driver, .name = group.name, .generation = group.newest});
  const std::size_t first = devices_.size();
  const auto counts_now = [&](const api::ResourceSlice* slice) {
    return slice->spec.pool.generation == group.newest && !ignored(*slice);
  };
  const bool all = group.undivided || std::ranges::all_of(group.slices, counts_now);
  if (all) pool.slices = Items(group.slices);
  for (const api::ResourceSlice* slice : group.slices) {
    if (!all && !counts_now(slice)) continue;
    if (!all) pool.slices.add(slice);
    for (const api::Device& device : slice->spec.devices)
      devices_.push_back({slice, &device});
  }
  const auto& says = pool.slices.empty() ? group.slices.front() : pool.slices.front();
  pool.slices_expected = says->spec.pool.slice_count;
  pool.devices = Items(std::span<const PoolDevice>(devices_).subspan(first));
  complete(pool, group);
  if (group.beyond_one_node || pool.state == PoolState::Complete) return;
  // The allocator counts slices and looks for duplicates among those of one node. Where several
  // nodes publish the pool, and each all of it, none of them sees what is wrong with the whole.
  const auto nodes = nodes_sharing_name(pool);
  std::int64_t slices = 0;
  for (const std::string_view node : nodes) {
    Pool own = of_node(pool, node);
    complete(own, group);
    if (own.state != PoolState::Complete) return;
    slices += own.slices_seen;
  }
  if (nodes.size() < 2) return;
  pool.state = PoolState::Complete;
  pool.problem.clear();
  pool.slices_seen = slices;
  pool.slices_expected = slices;
}

// Plans ask about all nodes for each kind of pod: what was found for a node of the snapshot is
// kept.
std::span<const Pools::NodeGroup> Pools::naming(const api::Node& node) const {
  const std::less<> before;
  const api::Node* first = nodes_.data();
  if (before(&node, first) || !before(&node, first + nodes_.size())) return look_up(node.meta.name);
  if (found_.empty()) found_.resize(nodes_.size());
  std::optional<std::span<const NodeGroup>>& found =
      found_[static_cast<std::size_t>(&node - first)];
  if (!found) found = look_up(node.meta.name);
  return *found;
}

std::span<const Pools::NodeGroup> Pools::look_up(std::string_view node) const {
  auto first = by_node_.begin() + static_cast<std::ptrdiff_t>(next_node_);
  if (first == by_node_.end() || first->node != node)
    first = std::ranges::lower_bound(by_node_, node, {}, &NodeGroup::node);
  auto last = first;
  while (last != by_node_.end() && last->node == node)
    ++last;
  next_node_ = static_cast<std::size_t>(last - by_node_.begin());
  base::fetch_text(by_node_, next_node_, &NodeGroup::node);
  return {first, last};
}

std::vector<std::size_t> Pools::candidates(const api::Node& node) const {
  std::vector<std::size_t> found = beyond_one_node_;
  for (const NodeGroup& named : naming(node))
    found.push_back(named.group);
  if (beyond_one_node_.empty()) return found;
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// No value if the node sees no slice of it, or only a generation that a newer one replaces.
Result<std::optional<Pool>> Pools::seen(const Group& group, const api::Node& node) const {
  Pool pool{.driver = group.driver, .name = group.name};
  for (const api::ResourceSlice* slice : group.slices) {
    if (ignored(*slice)) continue;
    const bool everywhere =
        features_.counters_are_everywhere() && !slice->spec.shared_counters.empty();
    auto devices =
        everywhere ? std::optional(std::vector<PoolDevice>()) : DRA_TRY(devices_for(*slice, node));
    if (devices && hides_devices(*slice, features_)) devices->clear();
    const std::int64_t generation = slice->spec.pool.generation;
    if (!devices || (!pool.slices.empty() && generation < pool.generation)) continue;
    if (pool.slices.empty() || generation > pool.generation) {
      pool.generation = generation;
      pool.slices_expected = slice->spec.pool.slice_count;
      pool.slices.clear();
      pool.devices.clear();
    }
    pool.slices.add(slice);
    pool.devices.add(*devices);
  }
  if (pool.slices.empty()) return std::optional<Pool>();
  const bool looks_complete = static_cast<std::int64_t>(pool.slices.size()) == pool.slices_expected;
  // A newer generation, even if it is for other nodes, makes this one obsolete unless this one
  // looks complete.
  if (!looks_complete && pool.generation < group.newest && !features_.pools_as_in_34())
    return std::optional<Pool>();
  complete(pool, group);
  return std::optional(std::move(pool));
}

Result<SeenPools> Pools::seen_from(const api::Node& node) const {
  SeenPools pools;
  for (const std::size_t index : candidates(node)) {
    const Group& group = groups_[index];
    if (group.undivided) {
      pools.add(whole_[index]);
    } else if (auto pool = DRA_TRY(seen(group, node))) {
      pools.add(*std::move(pool));
    }
  }
  // 1.34 also uses pools that are not complete.
  const bool any_state = features_.pools_as_in_34();
  pools.put_last([any_state](const Pool& pool) {
    return pool.binding_conditions && (any_state || pool.state == PoolState::Complete);
  });
  return pools;
}

bool has_binding_conditions(const api::ResourceSlice& slice) {
  return any_device(slice,
                    [](const api::Device& device) { return !device.binding_conditions.empty(); });
}

std::string describe_nodes(const api::ResourceSlice& slice) {
  if (!slice.spec.node_name.empty()) return std::string(slice.spec.node_name);
  if (slice.spec.all_nodes) return "<all>";
  if (slice.spec.node_selector) return describe(*slice.spec.node_selector);
  return slice.spec.per_device_node_selection ? "<per device>" : "<none>";
}

std::vector<std::string_view> nodes_sharing_name(const Pool& pool) {
  std::map<std::string_view, std::int64_t> missing;  // slices, by node
  for (const api::ResourceSlice* slice : pool.slices) {
    const auto [entry, is_first] = missing.try_emplace(slice->spec.node_name);
    if (is_first) entry->second = slice->spec.pool.slice_count;
    --entry->second;
  }
  std::vector<std::string_view> nodes;
  for (const auto& [node, count] : missing) {
    if (node.empty() || count != 0) return {};
    nodes.push_back(node);
  }
  return nodes;
}

std::string_view only_node_of(const PoolDevice& device) {
  const api::SliceSpec& spec = device.slice->spec;
  const NodeChoice choice = chooses_as_a_whole(spec) ? choice_of(spec) : choice_of(*device.device);
  if (!choice.node_name.empty() || choice.all_nodes || !choice.selector) return choice.node_name;
  return only_node(*choice.selector);
}

Result<bool> is_for(const PoolDevice& device, const api::Node& node) {
  const api::SliceSpec& spec = device.slice->spec;
  if (chooses_as_a_whole(spec)) return chooses(choice_of(spec), node);
  return chooses(choice_of(*device.device), node);
}

}  // namespace dra::engine
