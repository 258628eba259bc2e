// src/engine/cluster/inventory.cpp: joins pools, claims and taints into facts by device. Holders
// are sorted by device within their pool, so each slice is merged with them in one pass; the names
// of a model serve all slices that share it.

#include "dra/engine/cluster/inventory.h"

#include <algorithm>
#include <tuple>

#include "dra/base/fetch.h"
#include "dra/engine/cluster/counters.h"

namespace dra::engine {
namespace {

constexpr std::size_t kFewDevices = 32;  // are looked through faster than an index is made

// What is true of a device, besides its holders.
struct Circumstances {
  bool usable;
  bool blocked;
  bool tainted;
  bool saw_all;
};

// Not visible is not absent: if some claims or taint rules could not be read, no device is free.
DeviceState state_of(Occupancy occupancy, const Circumstances& is) {
  if (occupancy == Occupancy::Entirely) return DeviceState::Allocated;
  if (occupancy == Occupancy::Shared) {
    const bool open = is.usable && !is.tainted && is.saw_all;
    return open ? DeviceState::Shared : DeviceState::Allocated;
  }
  if (!is.usable) return DeviceState::Unusable;
  if (is.blocked) return DeviceState::Blocked;
  if (is.tainted) return DeviceState::Tainted;
  return is.saw_all ? DeviceState::Free : DeviceState::Unknown;
}

bool shares_counters(const Pool& pool) {
  return std::ranges::any_of(pool.slices, [](const api::ResourceSlice* slice) {
    return !slice->spec.shared_counters.empty();
  });
}

void fetch_names(Holders holders) {
  for (const Holding& holding : holders)
    base::fetch(holding.id.device.data());
}

}  // namespace

std::string_view name_of(DeviceState state) {
  switch (state) {
    case DeviceState::Free:
      return "free";
    case DeviceState::Shared:
      return "shared";
    case DeviceState::Allocated:
      return "allocated";
    case DeviceState::Blocked:
      return "blocked";
    case DeviceState::Tainted:
      return "tainted";
    case DeviceState::Unusable:
      return "unusable";
    case DeviceState::Missing:
      return "missing";
    case DeviceState::Unknown:
      return "unknown";
  }
  return "";
}

std::string_view words_of(DeviceState state) {
  return state == DeviceState::Allocated ? "in use" : name_of(state);
}

Inventory::Inventory(const snapshot::Snapshot& snapshot, const Overrides& overrides)
    : pools_(snapshot, features_of(snapshot.server()), overrides),
      usage_(snapshot, features_of(snapshot.server()), overrides),
      taints_(snapshot, features_of(snapshot.server()), overrides),
      numbers_(snapshot),
      saw_all_(snapshot.coverage().saw(api::Kind::Claim) &&
               snapshot.coverage().saw(api::Kind::TaintRule)) {
  find_facts(snapshot);
  if (!overrides.withheld.empty()) withhold(snapshot, overrides.withheld);
}

const std::vector<InventoryDevice>& Inventory::devices() const {
  return devices_.get([this] { return all_devices(); });
}

std::vector<InventoryDevice> Inventory::all_devices() const {
  std::vector<InventoryDevice> devices;
  devices.reserve(facts_.size());
  for (std::size_t i = 0; i < pools().size(); ++i) {
    const Pool& pool = pools()[i];
    for (const PoolDevice& device : pool.devices) {
      const DeviceFacts& known = facts(device);
      const bool usable = pool.state == PoolState::Complete && !pools_.hides(*device.slice);
      devices.push_back({.published = device,
                         .pool = i,
                         .state = state_of(known.occupancy, {.usable = usable,
                                                             .blocked = is_blocked(device),
                                                             .tainted = !known.taints.empty(),
                                                             .saw_all = saw_all_}),
                         .holders = known.holders,
                         .taints = known.taints});
    }
  }
  return devices;
}

const std::vector<bool>& Inventory::blocked() const {
  return blocked_.get([this] { return find_blocked(); });
}

// A share of a device takes its counters as a whole, so a device in use needs no more of them.
std::vector<bool> Inventory::find_blocked() const {
  std::vector<bool> blocked(facts_.size());
  for (const Pool& pool : pools()) {
    if (!shares_counters(pool)) continue;
    const Counters counters(pool, usage_);
    for (const PoolDevice& device : pool.devices) {
      if (device.device->consumes.empty()) continue;
      const std::size_t number = numbers_.of(device);
      blocked[number] = facts_[number].occupancy == Occupancy::None &&
                        !counters.short_for(*device.device).empty();
    }
  }
  return blocked;
}

void Inventory::find_facts(const snapshot::Snapshot& snapshot) {
  facts_.resize(numbers_.size());
  std::span<DeviceFacts> left(facts_);
  const auto& slices = snapshot.all<api::ResourceSlice>();
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const api::ResourceSlice& slice = slices[i];
    if (i + base::kAhead < slices.size())
      fetch_names(usage_.holders_in(slices[i + base::kAhead].spec.pool.number));
    const auto& devices = slice.spec.devices;
    const auto facts = left.first(devices.size());
    left = left.subspan(devices.size());
    find_holders(slice, facts);
    if (!taints_.may_be_on(slice)) continue;
    for (std::size_t j = 0; j < devices.size(); ++j) {
      auto taints = taints_.blocking(PoolDevice{&slice, &devices[j]}.id(), devices[j]);
      if (!taints.empty()) facts[j].taints = taints_of_device_.emplace_back(std::move(taints));
    }
  }
}

void Inventory::withhold(const snapshot::Snapshot& snapshot, const std::set<DeviceId>& devices) {
  for (const api::ResourceSlice& slice : snapshot.all<api::ResourceSlice>()) {
    for (const api::Device& device : slice.spec.devices) {
      const PoolDevice published{&slice, &device};
      if (!devices.contains(published.id())) continue;
      DeviceFacts& facts = facts_[numbers_.of(published)];
      facts.occupancy = Occupancy::Entirely;
      facts.held = true;
    }
  }
}

void Inventory::find_holders(const api::ResourceSlice& slice, std::span<DeviceFacts> facts) const {
  const Holders in_pool = usage_.holders_in(slice.spec.pool.number);
  if (in_pool.empty()) return;
  const auto note = [&](std::size_t place, Holders holders) {
    facts[place].holders = holders;
    facts[place].occupancy = occupancy(holders, slice.spec.devices[place]);
    facts[place].held = held_as_a_whole(holders);
  };
  const bool as_model = slice.spec.names_as_model && slice.spec.model->names_ascend;
  if (!as_model) {
    for (std::size_t i = 0; i < facts.size(); ++i) {
      const Holders holders = Usage::holders_of(slice.spec.devices[i].name, in_pool);
      if (!holders.empty()) note(i, holders);
    }
    return;
  }
  // The model's names are in the processor's cache, those of each slice's devices are not.
  const auto& named = slice.spec.model->devices;
  for (Holders left = in_pool; !left.empty();) {
    const std::string_view name = left.front().id.device;
    const auto end = std::ranges::find_if(
        left, [name](const Holding& holding) { return holding.id.device != name; });
    const auto found = std::ranges::lower_bound(named, name, {}, &api::Device::name);
    if (found != named.end() && found->name == name)
      note(static_cast<std::size_t>(found - named.begin()), {left.begin(), end});
    left = {end, left.end()};
  }
}

const PoolDevice* Inventory::find(const DeviceId& id) const {
  const Pool* pool = find_pool(id.driver, id.pool);
  if (pool == nullptr) return nullptr;
  const auto name_of = [](const PoolDevice& device) { return device.device->name; };
  if (pool->devices.size() <= kFewDevices) {
    const auto* const found = std::ranges::find(pool->devices, id.device, name_of);
    return found == pool->devices.end() ? nullptr : found;
  }
  const auto& index = index_.get([this] { return index_devices(); });
  const ByName& by_name = index[static_cast<std::size_t>(pool - pools().data())];
  const auto found = std::ranges::lower_bound(
      by_name, id.device, {}, [&](const PoolDevice* device) { return name_of(*device); });
  return found == by_name.end() || name_of(**found) != id.device ? nullptr : *found;
}

// Of several devices with one name the first is found, as in a small pool.
std::vector<Inventory::ByName> Inventory::index_devices() const {
  std::vector<ByName> index(pools().size());
  for (std::size_t i = 0; i < index.size(); ++i) {
    const auto& devices = pools()[i].devices;
    if (devices.size() <= kFewDevices) continue;
    for (const PoolDevice& device : devices)
      index[i].push_back(&device);
    std::ranges::stable_sort(index[i], {},
                             [](const PoolDevice* device) { return device->device->name; });
  }
  return index;
}

const Pool* Inventory::find_pool(std::string_view driver, std::string_view name) const {
  const auto key = [](const Pool& pool) { return std::make_tuple(pool.driver, pool.name); };
  const auto found = std::ranges::lower_bound(pools(), std::make_tuple(driver, name), {}, key);
  return found == pools().end() || key(*found) != std::make_tuple(driver, name) ? nullptr : &*found;
}

}  // namespace dra::engine
