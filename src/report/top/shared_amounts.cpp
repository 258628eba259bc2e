// src/report/top/shared_amounts.cpp: sums by name; numbered counters, such as memory-slice-3, are
// summed as one family.

#include "src/report/top/shared_amounts.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "dra/base/text.h"
#include "dra/engine/cluster/shares.h"

namespace dra::report {
namespace {

using base::Quantity;

Quantity amount_of(const api::Quantity& written) {
  const auto amount = Quantity::parse(written.text);
  return amount.ok() ? amount.value() : Quantity();
}

void note_left(SharedAmount& amount, const Quantity& left, const std::string& where) {
  if (amount.largest_left && left <= *amount.largest_left) return;
  amount.largest_left = left;
  amount.where = where;
}

// "memory-slice-3" -> "memory-slice-*"; empty for a name that does not end with a number.
std::string family_of(std::string_view name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  return digits == name.size() ? std::string() : base::format("{}*", name.substr(0, digits));
}

}  // namespace

SharedAmount& SharedAmounts::at(std::string name, bool counter) {
  const auto known = std::ranges::find_if(amounts_, [&](const SharedAmount& one) {
    return one.counter == counter && one.name == name;
  });
  if (known != amounts_.end()) return *known;
  return amounts_.emplace_back(SharedAmount{.name = std::move(name), .counter = counter});
}

void SharedAmounts::add(const engine::InventoryDevice& device) {
  const api::Device& published = *device.published.device;
  if (!published.allow_multiple_allocations) return;
  for (const auto& [name, capacity] : published.capacity) {
    const Quantity total = amount_of(capacity.value);
    const Quantity taken = engine::taken_of(device.holders, name).value_or(total);
    Quantity left = total;
    left.sub(taken);
    SharedAmount& amount = at(std::string(name), false);
    amount.total.add(total);
    amount.used->add(taken);
    // Nothing is left of a device that no claim can get.
    const bool usable = device.state != engine::DeviceState::Tainted &&
                        device.state != engine::DeviceState::Unusable;
    if (usable) note_left(amount, left, engine::to_string(device.published.id()));
  }
}

void SharedAmounts::add(const engine::Pool& pool, const engine::Counters& counters,
                        const std::set<std::string_view>* sets) {
  for (const engine::CounterState& counter : counters.all()) {
    if (sets != nullptr && !sets->contains(counter.set)) continue;
    const std::string family = family_of(counter.name);
    SharedAmount& amount = at(family.empty() ? std::string(counter.name) : family, true);
    amount.total.add(counter.total);
    amount.used->add(counter.used);
    if (family.empty())
      note_left(amount, counter.left,
                base::format("{}/{}/{}", pool.driver, pool.name, counter.set));
  }
}

std::vector<SharedAmount> SharedAmounts::take(bool known) {
  for (SharedAmount& amount : amounts_) {
    if (known) break;
    amount.used.reset();
    amount.largest_left.reset();
    amount.where.clear();
  }
  std::ranges::sort(amounts_, {}, [](const SharedAmount& one) {
    return std::tuple(one.counter, std::string_view(one.name));
  });
  return std::exchange(amounts_, {});
}

}  // namespace dra::report
