// src/engine/scheduler/rules/counters.cpp: a device of a partitioned machine consumes counters that
// it shares with others, and what allocated devices leave of each must suffice. The ledger keeps
// what is left; the search takes from it for each device that it picks (Ledger::covers). Until the
// gate is on, no such device is given at all.

#include <algorithm>
#include <set>
#include <vector>

#include "dra/base/text.h"
#include "dra/engine/cluster/counters.h"
#include "src/engine/scheduler/rules/device_rule.h"

namespace dra::engine::rules {
namespace {

using diag::LedgerEvidence;

bool are_off(DeviceCheck& check) {
  return !check.device.published.device->consumes.empty() &&
         !check.input.on(Gate::DRAPartitionableDevices);
}

bool are_used_up(DeviceCheck& check) {
  const SeenDevice& device = check.device;
  if (!device.draws_counters(check.input)) return false;
  return !check.problem.ledgers[device.ledger].covers(*device.published.device);
}

std::string gate_words(const Rejection& rejection) {
  return base::format("{} with shared counters, and {} is off", rejection.count(),
                      name_of(Gate::DRAPartitionableDevices));
}

std::string left_words(const base::Quantity& left) {
  const std::string text = left.to_string();
  return base::format("{} {}", text, text == "1" ? "is" : "are");
}

// "pods a/b and a/c". Empty: nothing that is allocated uses the counter.
std::string users_of(const Rejection& rejection, std::string_view set, std::string_view counter) {
  constexpr std::size_t most = 3;
  const DeviceId first = rejection.first().id();
  const Usage& usage = rejection.input.inventory.usage();
  const Pool* pool = rejection.input.inventory.find_pool(first.driver, first.pool);
  if (pool == nullptr) return {};
  std::set<std::string> pods;
  const Counters counters(*pool, usage);
  for (const CounterState* state : counters.of(set)) {
    if (state->name != counter) continue;
    for (const PoolDevice* consumer : state->consumers) {
      for (const Holding& holding : usage.holders(consumer->id())) {
        if (holding.admin()) continue;
        for (std::string& pod : pods_of(*holding.claim))
          pods.insert(std::move(pod));
      }
    }
  }
  if (pods.empty()) return {};
  return base::format("{} {}", pods.size() == 1 ? "pod" : "pods",
                      base::join_first(std::vector(pods.begin(), pods.end()), most));
}

// ": pods a/b and a/c have the rest".
std::string and_what(std::string_view users, std::string_view one_does,
                     std::string_view several_do) {
  if (users.empty()) return {};
  const bool several = users.starts_with("pods ") || users.starts_with("claims ");
  return base::format(": {} {}", users, several ? several_do : one_does);
}

// The device of the first one's pool that is short of the fewest counters.
const SeenDevice& nearest_device(const Rejection& rejection) {
  const DeviceId first = rejection.first().id();
  const Pool* pool = rejection.input.inventory.find_pool(first.driver, first.pool);
  if (pool == nullptr) return rejection.first();
  const Counters counters(*pool, rejection.input.inventory.usage());
  const SeenDevice* nearest = nullptr;
  std::size_t least = 0;
  for (const std::size_t index : rejection.devices) {
    const SeenDevice& device = rejection.problem.devices[index];
    if (device.id().driver != first.driver || device.id().pool != first.pool) continue;
    const std::size_t missing = counters.short_for(*device.published.device).size();
    if (nearest != nullptr && missing >= least) continue;
    nearest = &device;
    least = missing;
  }
  return nearest == nullptr ? rejection.first() : *nearest;
}

// The device takes all that there is of each counter of the set, as a whole GPU does.
bool takes_all(const Rejection& rejection, const SeenDevice& device, std::string_view set) {
  const DeviceId id = device.id();
  const Pool* pool = rejection.input.inventory.find_pool(id.driver, id.pool);
  if (pool == nullptr) return false;
  const Counters counters(*pool, rejection.input.inventory.usage());
  return std::ranges::all_of(counters.of(set), [&device](const CounterState* state) {
    return state->total <= demand_of(*device.published.device, *state);
  });
}

// "pod a/b", who uses the device itself: the allocator takes its counters once more. Empty: none
// is known.
std::string own_user_of(const Rejection& rejection, const SeenDevice& device) {
  for (const Holding& holding : rejection.input.inventory.usage().holders(device.id())) {
    const std::vector<std::string> pods = pods_of(*holding.claim);
    if (!holding.admin() && !pods.empty()) return base::format("pod {}", pods.front());
  }
  return {};
}

std::string counters_words(const Rejection& rejection) {
  const SeenDevice& seen = nearest_device(rejection);
  const auto missing = rejection.problem.ledgers[seen.ledger].missing(*seen.published.device);
  if (!missing)
    return base::format("{} for which devices of the same pod leave too little of the counters",
                        rejection.count());
  if (missing->left.sign() < 0)
    return base::format(
        "counter {} of {} is overdrawn{}, and until that ends no device of the pool with "
        "counters can be allocated",
        missing->counter, missing->set,
        and_what(users_of(rejection, missing->set, missing->counter), "holds more than there is",
                 "hold more than there is"));
  const std::string own_user = own_user_of(rejection, seen);
  if (!own_user.empty())
    return base::format("{}, which {} uses, needs {} {} ({}) once more, and {} left",
                        seen.published.device->name, own_user, missing->wanted.to_string(),
                        missing->counter, missing->set, left_words(missing->left));
  const std::string users = users_of(rejection, missing->set, missing->counter);
  const std::string_view name = seen.published.device->name;
  const std::string needs =
      !users.empty() && takes_all(rejection, seen, missing->set)
          ? base::format("{} is partitioned, in use by {}", name, users)
          : base::format("{} needs {} {} ({}), and {} left{}", name, missing->wanted.to_string(),
                         missing->counter, missing->set, left_words(missing->left),
                         and_what(users, "has the rest", "have the rest"));
  return rejection.devices.size() == 1
             ? needs
             : base::format("shared counters are exhausted for {}: {}", rejection.count(), needs);
}

LedgerEvidence::Counter of_counter(const Usage& usage, const CounterState& state,
                                   const api::Device& candidate) {
  const base::Quantity takes = demand_of(candidate, state);
  LedgerEvidence::Counter counter{.set = std::string(state.set),
                                  .name = std::string(state.name),
                                  .total = state.total.to_string(),
                                  .used = state.used.to_string(),
                                  .left = state.left.to_string(),
                                  .takes = takes.to_string(),
                                  .enough = takes <= state.left,
                                  .consumers = {}};
  for (const PoolDevice* consumer : state.consumers) {
    for (const Holding& holding : usage.holders(consumer->id())) {
      if (holding.admin()) continue;
      const api::ObjectMeta& meta = holding.claim->meta;
      counter.consumers.push_back({to_string(consumer->id()),
                                   demand_of(*consumer->device, state).to_string(),
                                   base::format("{}/{}", meta.namespace_, meta.name),
                                   base::join(pods_of(*holding.claim), ",")});
    }
  }
  return counter;
}

// Of the devices of the first one's pool the figures are those of the one with the fewest counters
// that are short.
void add_ledger(const Rejection& rejection, diag::Evidence& evidence) {
  const DeviceId first = rejection.first().id();
  const Usage& usage = rejection.input.inventory.usage();
  const Pool* pool = rejection.input.inventory.find_pool(first.driver, first.pool);
  if (pool == nullptr) return;
  const Counters counters(*pool, usage);
  const SeenDevice* candidate = &nearest_device(rejection);
  LedgerEvidence ledger{.candidate = to_string(candidate->id()), .counters = {}};
  const api::Device& published = *candidate->published.device;
  for (const CounterState& state : counters.all()) {
    const bool drawn = std::ranges::any_of(published.consumes, [&state](const auto& consumption) {
      return consumption.counter_set == state.set;
    });
    if (drawn) ledger.counters.push_back(of_counter(usage, state, published));
  }
  evidence.ledger = std::move(ledger);
}

}  // namespace

constinit const DeviceRule kCountersOff = {.rejects = are_off, .words = gate_words};
constinit const DeviceRule kCounters = {
    .rejects = are_used_up, .words = counters_words, .evidence = add_ledger};
constinit const DeviceRule kCountersHere = {.words = counters_words, .evidence = add_ledger};

}  // namespace dra::engine::rules
