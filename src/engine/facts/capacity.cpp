// src/engine/facts/capacity.cpp: rounds a requested amount up to what the policy allows: the next
// listed value, or the next step of a range. Upstream counts steps in whole units, or in
// thousandths where that loses nothing.

#include "dra/engine/facts/capacity.h"

#include <algorithm>
#include <optional>

#include "dra/engine/facts/amount.h"

namespace dra::engine {
namespace {

using base::Quantity;

// The amount in thousandths; no value if that is not exact.
std::optional<std::int64_t> exact_milli(const Quantity& amount) {
  const auto milli = amount.milli_value();
  if (!milli || Quantity::milli(*milli, amount.format()) != amount) return std::nullopt;
  return milli;
}

// A range that counts in steps from its least amount.
struct Steps {
  Quantity min;
  std::optional<Quantity> max;
  std::optional<Quantity> step;
  bool in_milli = false;
  bool bounded = true;
};

Steps steps_of(const api::ValidRange& range, const CapacityRules& rules) {
  Steps steps{.bounded = rules.bounded};
  if (range.min) steps.min = amount_or(*range.min);
  if (range.max) steps.max = amount_or(*range.max);
  if (range.step) steps.step = amount_or(*range.step);
  const auto fits = [](const Quantity& amount) { return exact_milli(amount).has_value(); };
  steps.in_milli = rules.fractional && fits(steps.min) && (!steps.max || fits(*steps.max)) &&
                   (!steps.step || exact_milli(*steps.step).value_or(0) >= 1);
  return steps;
}

std::optional<std::int64_t> count(const Steps& steps, const Quantity& amount) {
  if (!steps.bounded) return amount.wrapped_value();
  return steps.in_milli ? exact_milli(amount) : amount.value();
}

// The smallest step at or above the request; no value if the range ends before it.
std::optional<Quantity> round_up(const Quantity& asked, const Steps& steps) {
  if (asked < steps.min) return steps.min;
  if (!steps.step) return asked;
  const auto wanted = count(steps, asked);
  const auto least = count(steps, steps.min);
  const auto step = count(steps, *steps.step);
  if (!wanted || !least || !step || *step <= 0) return std::nullopt;
  std::int64_t above = 0;
  std::int64_t rounded = 0;
  bool wraps = __builtin_sub_overflow(*wanted, *least, &above);
  const std::int64_t steps_up = above / *step + (above % *step != 0 ? 1 : 0);
  wraps |= __builtin_mul_overflow(steps_up, *step, &rounded);
  wraps |= __builtin_add_overflow(rounded, *least, &rounded);
  if (wraps && steps.bounded) return std::nullopt;
  const Quantity::Format format = steps.bounded ? steps.step->format() : Quantity::Format::BinarySI;
  return steps.in_milli ? Quantity::milli(rounded, format) : Quantity(rounded, format);
}

bool in_steps(const Quantity& amount, const Steps& steps) {
  if (steps.max && amount > *steps.max) return false;
  if (!steps.step) return true;
  const auto given = count(steps, amount);
  const auto least = count(steps, steps.min);
  const auto step = count(steps, *steps.step);
  if (!given || !least || !step || *step <= 0) return false;
  std::int64_t above = 0;
  const bool wraps = __builtin_sub_overflow(*given, *least, &above);
  return !(wraps && steps.bounded) && above % *step == 0;
}

// No value: the amount cannot be computed.
std::optional<Quantity> part_of(const api::Quantity* asked, const api::DeviceCapacity& capacity,
                                const CapacityRules& rules) {
  const auto& policy = capacity.policy;
  if (asked == nullptr)
    return amount_or(policy && policy->default_value ? *policy->default_value : capacity.value);
  const Quantity amount = amount_or(*asked);
  if (!policy) return amount;
  if (policy->valid_range && policy->valid_range->min)
    return round_up(amount, steps_of(*policy->valid_range, rules));
  for (const api::Quantity& valid : policy->valid_values) {
    const Quantity value = amount_or(valid);
    if (amount <= value) return value;
  }
  return amount;
}

bool allowed(const Quantity& amount, const api::Rare<api::CapacityPolicy>& policy,
             const CapacityRules& rules) {
  if (!policy) return true;
  if (policy->default_value && amount == amount_or(*policy->default_value)) return true;
  if (policy->valid_range) return in_steps(amount, steps_of(*policy->valid_range, rules));
  if (policy->valid_values.empty()) return true;
  return std::ranges::any_of(policy->valid_values, [&amount](const api::Quantity& valid) {
    return amount == amount_or(valid);
  });
}

const api::Quantity* asked_of(const api::DeviceDemand& demand, std::string_view name) {
  return demand.capacity ? api::find(demand.capacity->requests, name) : nullptr;
}

void note(CapacityDraw& draw, CapacityFlaw flaw, std::string_view name) {
  if (draw.flaw != CapacityFlaw::None) return;
  draw.flaw = flaw;
  draw.name = name;
}

}  // namespace

// An amount that cannot be computed is fatal whatever else is wrong, so it is looked for first.
CapacityDraw draw_of(const api::DeviceDemand& demand, const api::Device& device,
                     const CapacityRules& rules) {
  CapacityDraw draw;
  if (demand.capacity) {
    for (const auto& asked : demand.capacity->requests) {
      if (api::find(device.capacity, asked.key) == nullptr)
        return {.flaw = CapacityFlaw::Missing, .name = asked.key};
    }
  }
  for (const auto& capacity : device.capacity) {
    auto part = part_of(asked_of(demand, capacity.key), capacity.value, rules);
    if (!part) return {.flaw = CapacityFlaw::Overflow, .name = capacity.key};
    if (part->sign() < 0 && rules.bounded)
      return {.flaw = CapacityFlaw::Negative, .name = capacity.key};
    draw.parts.push_back({capacity.key, amount_or(capacity.value.value), *std::move(part)});
  }
  for (std::size_t i = 0; i < draw.parts.size(); ++i) {
    const CapacityPart& part = draw.parts[i];
    if (!allowed(part.part, device.capacity[i].value.policy, rules))
      note(draw, CapacityFlaw::Policy, part.name);
    if (part.part > part.total) note(draw, CapacityFlaw::Short, part.name);
  }
  return draw;
}

Quantity& CapacityUse::at(std::string_view name) {
  const auto known = std::ranges::find(used_, name, &std::pair<std::string_view, Quantity>::first);
  return known != used_.end() ? known->second : used_.emplace_back(name, Quantity()).second;
}

void CapacityUse::add(std::string_view name, const Quantity& amount) { at(name).add(amount); }

void CapacityUse::add(const std::vector<CapacityPart>& parts) {
  for (const CapacityPart& part : parts)
    at(part.name).add(part.part);
}

void CapacityUse::sub(const std::vector<CapacityPart>& parts) {
  for (const CapacityPart& part : parts)
    at(part.name).sub(part.part);
}

const Quantity* CapacityUse::of(std::string_view name) const {
  const auto known = std::ranges::find(used_, name, &std::pair<std::string_view, Quantity>::first);
  return known == used_.end() ? nullptr : &known->second;
}

bool CapacityUse::is_zero() const {
  return std::ranges::all_of(used_, [](const auto& use) { return use.second.is_zero(); });
}

const CapacityPart* short_of(const std::vector<CapacityPart>& parts, const CapacityUse& taken) {
  const auto is_short = [&taken](const CapacityPart& part) {
    const Quantity* used = taken.of(part.name);
    if (used == nullptr) return part.part > part.total;
    Quantity sum = *used;
    sum.add(part.part);
    return sum > part.total;
  };
  const auto found = std::ranges::find_if(parts, is_short);
  return found == parts.end() ? nullptr : &*found;
}

}  // namespace dra::engine
