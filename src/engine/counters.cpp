// src/engine/counters.cpp: see counters.h.

#include "dra/engine/counters.h"

#include <algorithm>

#include "src/engine/amount.h"

namespace dra::engine {
namespace {

bool is_allocated(const Usage& usage, const DeviceId& id) {
  const auto holders = usage.holders(id);
  return std::ranges::any_of(holders, [](const Holding& holding) { return !holding.admin(); });
}

}  // namespace

Counters::Counters(const Pool& pool, const Usage& usage) {
  for (const api::ResourceSlice* slice : pool.slices) {
    for (const api::CounterSet& set : slice->spec.shared_counters) {
      for (const auto& counter : set.counters) {
        const base::Quantity total = amount_or(counter.value.value);
        states_.push_back({set.name, counter.key, total, {}, total});
      }
    }
  }
  for (const PoolDevice& device : pool.devices) {
    if (!device.device->consumes.empty() && is_allocated(usage, device.id())) consume(device);
  }
}

void Counters::consume(const PoolDevice& device) {
  for (CounterState& state : states_) {
    const base::Quantity part = demand_of(*device.device, state);
    if (part.is_zero()) continue;
    state.used.add(part);
    state.left.sub(part);
    state.consumers.push_back(&device);
  }
}

std::vector<const CounterState*> Counters::short_for(const api::Device& device) const {
  std::vector<const CounterState*> missing;
  if (device.consumes.empty()) return missing;
  for (const CounterState& state : states_) {
    if (state.left < demand_of(device, state)) missing.push_back(&state);
  }
  return missing;
}

base::Quantity demand_of(const api::Device& device, const CounterState& counter) {
  base::Quantity demand;
  for (const api::CounterConsumption& consumption : device.consumes) {
    if (consumption.counter_set != counter.set) continue;
    const api::Counter* part = api::find(consumption.counters, counter.name);
    if (part != nullptr) demand.add(amount_or(part->value, counter.total));
  }
  return demand;
}

}  // namespace dra::engine
