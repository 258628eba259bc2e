// src/engine/scheduler/ledger.cpp: sums of counters, and the intersection of compatibility groups
// after each device.

#include "src/engine/scheduler/ledger.h"

#include <algorithm>

#include "dra/engine/facts/amount.h"

namespace dra::engine {

template <class F>
void Ledger::each_part(const api::Device& device, F on_part) {
  for (const api::CounterConsumption& consumption : device.consumes) {
    for (const auto& counter : consumption.counters)
      on_part(Name(consumption.counter_set, counter.key), amount_or(counter.value.value));
  }
}

Ledger::Ledger(const Pool& pool, const Usage& usage, Rules rules) : rules_(rules) {
  for (const Slices slices : {pool.slices.all(), Slices(pool.elsewhere)}) {
    for (const api::ResourceSlice* slice : slices) {
      for (const api::CounterSet& set : slice->spec.shared_counters) {
        for (const auto& counter : set.counters)
          left_.emplace(Name(set.name, counter.key), amount_or(counter.value.value));
      }
    }
  }
  count_allocated(pool.slices.all(), usage);
  count_allocated(pool.elsewhere, usage);
  for (const auto& [name, left] : left_) {
    if (left.sign() < 0 && !overdrawn_) overdrawn_ = {name.first, name.second, left, {}};
  }
}

void Ledger::count_allocated(Slices slices, const Usage& usage) {
  for (const api::ResourceSlice* slice : slices) {
    for (const api::Device& device : slice->spec.devices) {
      if (device.consumes.empty()) continue;
      const Holders in_pool = usage.holders_in(slice->spec.pool.number);
      const auto holders = Usage::holders_of(device.name, in_pool);
      const bool taken = std::ranges::any_of(holders, [&](const Holding& holding) {
        const Occupancy by = holding.takes;
        return by == Occupancy::Entirely || (by == Occupancy::Shared && rules_.shares);
      });
      if (taken) take(device);
    }
  }
}

bool Ledger::Groups::admits(const std::vector<std::string_view>& groups) const {
  if (!any) return true;
  if (groups.empty() || without) return groups.empty() && without;
  return std::ranges::any_of(groups, [this](std::string_view group) {
    return std::ranges::find(common, group) != common.end();
  });
}

Ledger::Groups Ledger::Groups::with(const std::vector<std::string_view>& groups) const {
  if (!any) return {true, groups.empty(), groups};
  if (without || groups.empty()) return *this;  // only if a slice has changed since the allocation
  Groups both{.any = true};
  std::ranges::copy_if(common, std::back_inserter(both.common), [&groups](std::string_view group) {
    return std::ranges::find(groups, group) != groups.end();
  });
  return both;
}

bool Ledger::admits(const api::Device& device) const {
  if (!rules_.groups) return true;
  return std::ranges::all_of(device.consumes, [this](const api::CounterConsumption& consumption) {
    const auto known = groups_.find(consumption.counter_set);
    return known == groups_.end() || known->second.empty() ||
           known->second.back().admits(consumption.compatibility_groups);
  });
}

std::optional<Ledger::Shortage> Ledger::missing(const api::Device& device) const {
  if (device.consumes.empty()) return std::nullopt;
  if (overdrawn_) return overdrawn_;
  std::map<Name, base::Quantity> parts;
  each_part(device, [&parts](const Name& name, const base::Quantity& part) {
    const auto [known, is_new] = parts.emplace(name, part);
    if (!is_new) known->second.add(part);
  });
  for (const auto& [name, part] : parts) {
    const auto left = left_.find(name);
    if (left != left_.end() && left->second < part)
      return Shortage{name.first, name.second, left->second, part};
  }
  return std::nullopt;
}

void Ledger::add_groups(const api::Device& device) {
  for (const api::CounterConsumption& consumption : device.consumes) {
    auto& states = groups_[consumption.counter_set];
    states.push_back(
        (states.empty() ? Groups{} : states.back()).with(consumption.compatibility_groups));
  }
}

void Ledger::take(const api::Device& device) {
  each_part(device, [this](const Name& name, const base::Quantity& part) {
    const auto left = left_.find(name);
    if (left != left_.end()) left->second.sub(part);
  });
  if (rules_.groups) add_groups(device);
}

void Ledger::give_back(const api::Device& device) {
  each_part(device, [this](const Name& name, const base::Quantity& part) {
    const auto left = left_.find(name);
    if (left != left_.end()) left->second.add(part);
  });
  if (!rules_.groups) return;
  for (const api::CounterConsumption& consumption : device.consumes)
    groups_[consumption.counter_set].pop_back();
}

}  // namespace dra::engine
