// src/topology/accelerators.cpp: collects the devices of each counter set, then their common state.

#include "dra/topology/accelerators.h"

#include <algorithm>
#include <map>
#include <utility>

#include "dra/engine/cluster/counter_headroom.h"
#include "dra/engine/facts/device_attribute.h"
#include "src/topology/slots.h"

namespace dra::topology {
namespace {

using engine::CounterState;
using engine::DeviceState;
using engine::InventoryDevice;

// "H100 80GB HBM3": the product's name without its maker.
std::string model_of(const InventoryDevice& device) {
  constexpr std::string_view maker = "NVIDIA ";
  const std::string_view driver = device.published.slice->spec.driver;
  const api::DeviceAttribute* name =
      engine::own_attribute(*device.published.device, driver, "productName");
  if (name == nullptr || name->kind() != api::DeviceAttribute::Kind::String) return {};
  std::string_view text = name->text();
  if (text.starts_with(maker)) text.remove_prefix(maker.size());
  return std::string(text);
}

bool is_held(DeviceState state) {
  return state == DeviceState::Allocated || state == DeviceState::Shared;
}

double part_of(const base::Quantity& used, const base::Quantity& total) {
  if (total.sign() <= 0) return 0;
  return std::clamp(used.approximate() / total.approximate(), 0.0, 1.0);
}

// How much of the counters of a set is taken.
void measure(const std::vector<const CounterState*>& counters, Accelerator& accelerator) {
  const std::vector<const CounterState*> slots = slots_among(counters);
  accelerator.slots = std::ssize(slots);
  accelerator.slots_used =
      std::ranges::count_if(slots, [](const CounterState* slot) { return slot->left.sign() <= 0; });
  if (!slots.empty()) {
    accelerator.slot_name = slot_name(*slots.front());
    accelerator.used =
        static_cast<double>(accelerator.slots_used) / static_cast<double>(accelerator.slots);
    return;
  }
  for (const CounterState* counter : counters)
    accelerator.used = std::max(accelerator.used, part_of(counter->used, counter->total));
}

class AcceleratorFinder {
 public:
  explicit AcceleratorFinder(const engine::Inventory& inventory)
      : inventory_(inventory), counters_(inventory) {}

  Accelerators find() {
    const auto& devices = inventory_.devices();
    found_.of_device.resize(devices.size());
    for (std::size_t i = 0; i < devices.size(); ++i)
      add(i, devices[i]);
    for (Accelerator& one : found_.all) {
      one.state = state_for(inventory_, one, one.parts);
    }
    return std::move(found_);
  }

 private:
  void add(std::size_t number, const InventoryDevice& device) {
    const api::Device& published = *device.published.device;
    if (published.consumes.empty()) {
      found_.of_device[number].push_back(found_.all.size());
      found_.all.push_back({.state = device.state,
                            .model = model_of(device),
                            .used = is_held(device.state) ? 1.0 : 0.0,
                            .parts = {number}});
      return;
    }
    for (const api::CounterConsumption& consumption : published.consumes) {
      const std::size_t index = index_of(device.pool, consumption.counter_set);
      Accelerator& one = found_.all[index];
      if (one.model.empty()) one.model = model_of(device);
      if (!one.parts.empty() && one.parts.back() == number) continue;
      one.parts.push_back(number);
      found_.of_device[number].push_back(index);
    }
  }

  std::size_t index_of(std::size_t pool, std::string_view set) {
    const auto [known, is_new] = sets_.try_emplace({pool, set}, found_.all.size());
    if (!is_new) return known->second;
    Accelerator& one = found_.all.emplace_back();
    one.partitioned = true;
    measure(counters_.counters_of(pool).of(set), one);
    return known->second;
  }

  const engine::Inventory& inventory_;
  engine::CounterHeadroom counters_;
  std::map<std::pair<std::size_t, std::string_view>, std::size_t> sets_;  // by pool
  Accelerators found_;
};

}  // namespace

DeviceState state_for(const engine::Inventory& inventory, const Accelerator& accelerator,
                      std::span<const std::size_t> devices) {
  const auto has = [&](DeviceState state) {
    return std::ranges::any_of(
        devices, [&](std::size_t number) { return inventory.devices()[number].state == state; });
  };
  const bool open = has(DeviceState::Free) || has(DeviceState::Shared);
  const bool held = has(DeviceState::Allocated) || has(DeviceState::Shared);
  if (held) return open ? DeviceState::Shared : DeviceState::Allocated;
  if (open) return accelerator.used > 0 ? DeviceState::Shared : DeviceState::Free;
  for (const DeviceState state :
       {DeviceState::Unknown, DeviceState::Tainted, DeviceState::Blocked}) {
    if (has(state)) return state;
  }
  return DeviceState::Unusable;
}

Accelerators accelerators_of(const engine::Inventory& inventory) {
  return AcceleratorFinder(inventory).find();
}

}  // namespace dra::topology
