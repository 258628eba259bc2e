// src/engine/cluster/held_twice.cpp: compares what held devices say of themselves: their identity,
// that of their parent, and their PCI address.

#include "dra/engine/cluster/held_twice.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "dra/base/text.h"
#include "dra/engine/cluster/counters.h"
#include "dra/engine/facts/device_attribute.h"

namespace dra::engine {
namespace {

struct Held {
  const Holding* holding;
  std::string node;
  std::string uuid;
  std::string parent;  // uuid of the device that it is a part of
  std::string pci;     // address
  std::string type;
  bool takes_counters = false;
};

std::string lower_id(std::string_view attribute) {
  return base::lower(attribute.substr(attribute.rfind('/') + 1));
}

Held held_of(const InventoryDevice& device, const Holding& holding) {
  Held held{.holding = &holding,
            .node = std::string(only_node_of(device.published)),
            .takes_counters = !device.published.device->consumes.empty()};
  constexpr std::array<std::string_view, 4> addresses = {"pciaddr", "pciaddress", "pcibusid",
                                                         "pcibusaddress"};
  for (const auto& attribute : device.published.device->attributes) {
    const std::string id = lower_id(attribute.key);
    std::string value = base::lower(attribute_text(attribute.value));
    if (id == "uuid")
      held.uuid = std::move(value);
    else if (id == "parentuuid")
      held.parent = std::move(value);
    else if (id == "type")
      held.type = std::move(value);
    else if (std::ranges::find(addresses, id) != addresses.end())
      held.pci = std::move(value);
  }
  return held;
}

// The devices of nodes that claims hold as a whole, by node.
std::vector<Held> all_held(const Inventory& inventory) {
  std::vector<Held> all;
  for (const InventoryDevice& device : inventory.devices()) {
    for (const Holding& holding : device.holders) {
      if (holding.takes != Occupancy::Entirely || only_node_of(device.published).empty()) continue;
      all.push_back(held_of(device, holding));
    }
  }
  return all;
}

// Why the two are one piece of hardware; empty: they are not, or it is not known.
std::string why_same(const Held& a, const Held& b) {
  if (a.node != b.node || a.holding->claim == b.holding->claim || a.holding->id == b.holding->id)
    return {};
  const auto part_of = [](const Held& part, const Held& whole) {
    return !part.parent.empty() && part.parent == whole.uuid;
  };
  if (part_of(a, b))
    return base::format("{} is a part of {}", a.holding->id.device, b.holding->id.device);
  if (part_of(b, a))
    return base::format("{} is a part of {}", b.holding->id.device, a.holding->id.device);
  if (!a.uuid.empty() && a.uuid == b.uuid) return base::format("both have uuid {}", a.uuid);
  // Parts of one card share its address, and so do functions that the driver tells apart.
  const bool parts = a.takes_counters || b.takes_counters || !a.parent.empty() || !b.parent.empty();
  const bool kinds = a.holding->id.driver != b.holding->id.driver || a.type != b.type;
  if (a.pci.empty() || a.pci != b.pci || parts || !kinds) return {};
  return base::format("both have PCI address {}", a.pci);
}

void add_by_attributes(const Inventory& inventory, std::vector<HeldTwice>& twice) {
  const std::vector<Held> all = all_held(inventory);
  std::multimap<std::pair<std::string_view, std::string_view>, const Held*> seen;
  for (const Held& one : all) {
    std::set<const Held*> others;
    for (const std::string* key : {&one.uuid, &one.parent, &one.pci}) {
      if (key->empty()) continue;
      const auto [first, end] = seen.equal_range({one.node, *key});
      for (auto at = first; at != end; ++at)
        others.insert(at->second);
    }
    for (const Held* other : others) {
      std::string why = why_same(*other, one);
      if (!why.empty()) twice.push_back({other->holding, one.holding, std::move(why)});
    }
    for (const std::string* key : {&one.uuid, &one.parent, &one.pci}) {
      if (!key->empty())
        seen.emplace(std::pair<std::string_view, std::string_view>(one.node, *key), &one);
    }
  }
}

bool takes_counters(const Pool& pool) {
  return std::ranges::any_of(
      pool.devices, [](const PoolDevice& device) { return !device.device->consumes.empty(); });
}

const Holding* whole_holder(const Usage& usage, const PoolDevice& device) {
  const Holders holders = usage.holders(device.id());
  const auto found = std::ranges::find_if(holders, [](const Holding& one) { return !one.admin(); });
  return found == holders.end() ? nullptr : &*found;
}

void add_by_counters(const Inventory& inventory, std::vector<HeldTwice>& twice) {
  const Usage& usage = inventory.usage();
  for (const Pool& pool : inventory.pools()) {
    if (!takes_counters(pool)) continue;
    const Counters counters(pool, usage);
    std::set<std::string_view> sets;
    for (const CounterState& state : counters.all()) {
      if (state.left.sign() >= 0 || state.consumers.size() < 2 || !sets.insert(state.set).second)
        continue;
      const Holding* one = whole_holder(usage, *state.consumers[0]);
      const Holding* other = whole_holder(usage, *state.consumers[1]);
      if (one == nullptr || other == nullptr) continue;
      twice.push_back({one, other,
                       base::format("counter {} of {} has {}, and they take {}", state.name,
                                    state.set, state.total.to_string(), state.used.to_string()),
                       true});
    }
  }
}

}  // namespace

std::vector<HeldTwice> held_twice(const Inventory& inventory) {
  std::vector<HeldTwice> twice;
  add_by_counters(inventory, twice);
  std::vector<HeldTwice> more;
  add_by_attributes(inventory, more);
  for (HeldTwice& pair : more) {
    const bool known = std::ranges::any_of(twice, [&pair](const HeldTwice& one) {
      return std::pair(one.one->id, one.other->id) == std::pair(pair.one->id, pair.other->id) ||
             std::pair(one.other->id, one.one->id) == std::pair(pair.one->id, pair.other->id);
    });
    if (!known) twice.push_back(std::move(pair));
  }
  return twice;
}

}  // namespace dra::engine
