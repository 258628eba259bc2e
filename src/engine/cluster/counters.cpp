// src/engine/cluster/counters.cpp: starts from the counter sets of the pool's slices, and subtracts
// what each allocated device consumes.

#include "dra/engine/cluster/counters.h"

#include <algorithm>

#include "dra/engine/facts/amount.h"

namespace dra::engine {
namespace {

void sort_each_once(std::vector<std::size_t>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

Counters::Counters(const Pool& pool, const Usage& usage) {
  for (const api::ResourceSlice* slice : pool.slices) {
    for (const api::CounterSet& set : slice->spec.shared_counters) {
      for (const auto& counter : set.counters) {
        const base::Quantity total = amount_or(counter.value.value);
        of_set_[set.name].push_back(states_.size());
        states_.push_back({set.name, counter.key, total, {}, total});
      }
    }
  }
  for (const PoolDevice& device : pool.devices) {
    if (!device.device->consumes.empty() && in_use(usage.holders(device.id()))) consume(device);
  }
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (states_[i].left.sign() < 0) overdrawn_.push_back(i);
  }
}

std::vector<const CounterState*> Counters::of(std::string_view set) const {
  std::vector<const CounterState*> counters;
  const auto found = of_set_.find(set);
  if (found == of_set_.end()) return counters;
  for (const std::size_t number : found->second)
    counters.push_back(&states_[number]);
  return counters;
}

std::vector<std::size_t> Counters::drawn_on(const api::Device& device) const {
  std::vector<std::size_t> drawn;
  for (const api::CounterConsumption& consumption : device.consumes) {
    const auto set = of_set_.find(consumption.counter_set);
    if (set != of_set_.end()) drawn.insert(drawn.end(), set->second.begin(), set->second.end());
  }
  sort_each_once(drawn);
  return drawn;
}

void Counters::consume(const PoolDevice& device) {
  for (const std::size_t number : drawn_on(*device.device)) {
    CounterState& state = states_[number];
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
  std::vector<std::size_t> numbers = drawn_on(device);
  numbers.insert(numbers.end(), overdrawn_.begin(), overdrawn_.end());
  sort_each_once(numbers);
  for (const std::size_t number : numbers) {
    const CounterState& state = states_[number];
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
