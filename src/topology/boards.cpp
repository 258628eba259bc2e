// src/topology/boards.cpp: BoardMaker builds the board of one counter set: slots, their holders,
// then profiles.

#include "dra/topology/boards.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "dra/base/text.h"
#include "dra/engine/facts/device_attribute.h"
#include "src/topology/labels.h"
#include "src/topology/slots.h"

namespace dra::topology {
namespace {

using engine::Counters;
using engine::CounterState;
using engine::InventoryDevice;

// The name without the separator before its number.
std::string_view family_of(const NumberedName& name) {
  std::string_view family = name.name;
  while (!family.empty() && (family.back() == '-' || family.back() == '_'))
    family.remove_suffix(1);
  return family;
}

// A claim could get the device now. No value: that depends on objects that could not be read.
std::optional<bool> has_room(const InventoryDevice& device) {
  if (device.state == engine::DeviceState::Unknown) return std::nullopt;
  return device.state == engine::DeviceState::Free;
}

bool is_one(const base::Quantity& amount) { return amount == base::Quantity(1); }

std::string name_of_set(std::string_view set) {
  for (const std::string_view end : {"-counter-set", "-counters"}) {
    if (set.size() > end.size() && set.ends_with(end)) set.remove_suffix(end.size());
  }
  return std::string(set);
}

using DeviceNumbers = std::unordered_map<const api::Device*, std::size_t>;

// One set of counters and the devices that draw on it.
class BoardMaker {
 public:
  BoardMaker(const engine::Inventory& inventory, const DeviceNumbers& numbers,
             const Counters& counters, std::string_view set, bool saw_claims)
      : inventory_(inventory),
        numbers_(numbers),
        all_(counters),
        set_(set),
        saw_claims_(saw_claims),
        counters_(counters.of(set)),
        slots_(slots_among(counters_)) {}

  Board make(const engine::Pool& pool, std::vector<std::size_t> devices) {
    Board board{.pool = &pool, .set = set_, .name = name_of_set(set_)};
    board.saw_claims = saw_claims_;
    if (!slots_.empty()) board.slot_name = family_of(split_number(slots_.front()->name));
    for (const CounterState* slot : slots_)
      board.slots.push_back(slot_of(*slot));
    for (const CounterState* counter : counters_) {
      if (!is_slot(counter)) board.counters.push_back(*counter);
    }
    board.devices = std::move(devices);
    board.profiles = profiles_of(board.devices);
    return board;
  }

 private:
  bool is_slot(const CounterState* counter) const {
    return std::ranges::find(slots_, counter) != slots_.end();
  }

  Slot slot_of(const CounterState& counter) const {
    Slot slot{.counter = counter.name, .left = counter.left.sign() > 0};
    // A used slot is certain; an unused one only if all claims could be read.
    if (*slot.left && !saw_claims_) slot.left.reset();
    if (!counter.consumers.empty()) slot.holder = numbers_.at(counter.consumers.front()->device);
    return slot;
  }

  // The device's slots, by number.
  std::vector<std::size_t> slots_taken(const api::Device& device) const {
    std::vector<std::size_t> taken;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (!demand_of(device, *slots_[i]).is_zero()) taken.push_back(i);
    }
    return taken;
  }

  // Partitions of one profile have one key: the driver's name of it, the number of slots, and all
  // other amounts.
  using Kind = std::tuple<std::size_t, std::string, std::string>;
  Kind kind_of(const InventoryDevice& device) const {
    const api::Device& published = *device.published.device;
    const std::string_view driver = device.published.slice->spec.driver;
    const auto* profile = engine::own_attribute(published, driver, "profile");
    std::string rest;
    for (const CounterState* counter : counters_) {
      const base::Quantity part = demand_of(published, *counter);
      if (!is_slot(counter) && !part.is_zero())
        rest += base::format("{}={};", counter->name, part.to_string());
    }
    return {slots_taken(published).size(),
            profile == nullptr ? std::string() : engine::attribute_text(*profile), rest};
  }

  std::vector<Profile> profiles_of(const std::vector<std::size_t>& devices) const {
    std::map<Kind, std::vector<const InventoryDevice*>> kinds;
    for (const std::size_t number : devices) {
      const InventoryDevice& device = inventory_.devices()[number];
      kinds[kind_of(device)].push_back(&device);
    }
    std::vector<Profile> profiles;
    profiles.reserve(kinds.size());
    for (const auto& [kind, members] : kinds)
      profiles.push_back(profile_of(kind, members));
    return profiles;
  }

  Profile profile_of(const Kind& kind, const std::vector<const InventoryDevice*>& members) const {
    const auto& [slots, called, rest] = kind;
    Profile profile{.name = called, .slots = static_cast<std::int64_t>(slots)};
    if (called.empty()) profile.name = members.front()->published.device->name;
    bool known = true;
    for (const InventoryDevice* device : members) {
      ++profile.total;
      const std::vector<std::size_t> taken = slots_taken(*device->published.device);
      const std::optional<bool> room = has_room(*device);
      known = known && room.has_value();
      if (room.value_or(false)) {
        ++*profile.placeable_count;
        if (!taken.empty()) profile.placeable.push_back(static_cast<std::int64_t>(taken.front()));
      } else if (device->state == engine::DeviceState::Blocked) {
        add_shortage(*device, taken, profile);
      }
    }
    std::ranges::sort(profile.placeable);
    if (*profile.placeable_count > 0) profile.short_of.clear();
    if (!known) profile.placeable_count.reset();
    return profile;
  }

  // Adds the other counters that are exceeded by a device whose slots are left.
  void add_shortage(const InventoryDevice& device, const std::vector<std::size_t>& taken,
                    Profile& profile) const {
    const bool left = std::ranges::all_of(
        taken, [this](std::size_t slot) { return slots_[slot]->left.sign() > 0; });
    if (!left) return;
    for (const CounterState* counter : all_.short_for(*device.published.device)) {
      if (std::ranges::find(profile.short_of, counter->name) == profile.short_of.end())
        profile.short_of.emplace_back(counter->name);
    }
  }

  const engine::Inventory& inventory_;
  const DeviceNumbers& numbers_;
  const Counters& all_;
  std::string_view set_;
  bool saw_claims_;
  std::vector<const CounterState*> counters_;  // of the set
  std::vector<const CounterState*> slots_;     // among them
};

bool has_counters(const engine::Pool& pool) {
  return std::ranges::any_of(pool.slices, [](const api::ResourceSlice* slice) {
    return !slice->spec.shared_counters.empty();
  });
}

// The devices of the pool by the counter set that they consume from, in the order of sets in
// slices.
std::vector<std::pair<std::string_view, std::vector<std::size_t>>> devices_by_set(
    const engine::Pool& pool, const DeviceNumbers& numbers) {
  std::vector<std::pair<std::string_view, std::vector<std::size_t>>> sets;
  std::map<std::string_view, std::size_t> places;
  for (const api::ResourceSlice* slice : pool.slices) {
    for (const api::CounterSet& set : slice->spec.shared_counters) {
      places.emplace(set.name, sets.size());
      sets.emplace_back(set.name, std::vector<std::size_t>());
    }
  }
  for (const engine::PoolDevice& device : pool.devices) {
    if (device.device->consumes.empty()) continue;
    const auto place = places.find(device.device->consumes.front().counter_set);
    if (place != places.end()) sets[place->second].second.push_back(numbers.at(device.device));
  }
  return sets;
}

}  // namespace

std::vector<const CounterState*> slots_among(const std::vector<const CounterState*>& counters) {
  std::map<std::string_view, std::map<std::int64_t, const CounterState*>> families;
  for (const CounterState* counter : counters) {
    const NumberedName name = split_number(counter->name);
    if (name.number && is_one(counter->total))
      families[family_of(name)].emplace(*name.number, counter);
  }
  std::vector<const CounterState*> slots;
  for (const auto& [family, members] : families) {
    const bool all =
        members.begin()->first == 0 && members.rbegin()->first == std::ssize(members) - 1;
    if (!all || members.size() < 2 || members.size() <= slots.size()) continue;
    slots.clear();
    for (const auto& [number, counter] : members)
      slots.push_back(counter);
  }
  return slots;
}

std::string_view slot_name(const CounterState& slot) { return family_of(split_number(slot.name)); }

std::vector<Board> boards_of(const snapshot::Snapshot& snapshot,
                             const engine::Inventory& inventory) {
  std::vector<Board> boards;
  if (std::ranges::none_of(inventory.pools(), has_counters)) return boards;
  DeviceNumbers numbers;
  for (std::size_t i = 0; i < inventory.devices().size(); ++i)
    numbers.emplace(inventory.devices()[i].published.device, i);
  const bool saw_claims = snapshot.coverage().saw(api::Kind::Claim);
  for (const engine::Pool& pool : inventory.pools()) {
    if (!has_counters(pool)) continue;
    const Counters counters(pool, inventory.usage());
    for (auto& [set, devices] : devices_by_set(pool, numbers)) {
      if (devices.empty()) continue;
      boards.push_back(
          BoardMaker(inventory, numbers, counters, set, saw_claims).make(pool, std::move(devices)));
    }
  }
  return boards;
}

}  // namespace dra::topology
