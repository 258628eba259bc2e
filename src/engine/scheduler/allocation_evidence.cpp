// src/engine/scheduler/allocation_evidence.cpp: see allocation_evidence.h.

#include "src/engine/scheduler/allocation_evidence.h"

#include <algorithm>
#include <map>

#include "dra/base/text.h"
#include "dra/engine/cluster/counters.h"

namespace dra::engine {
namespace {

using diag::CapacityEvidence;
using diag::ConstraintEvidence;
using diag::LedgerEvidence;

constexpr std::size_t kMaxDevices = 3;  // whose capacity is told

// What a device has of an attribute: one value, or every item of a list.
std::vector<std::string> values_of(const api::DeviceAttribute& attribute) {
  using Kind = api::DeviceAttribute::Kind;
  if (attribute.kind() == Kind::Int) return {std::to_string(attribute.as_int())};
  if (attribute.kind() == Kind::Bool) return {attribute.as_bool() ? "true" : "false"};
  if (!attribute.is_list()) return {std::string(attribute.text())};
  std::vector<std::string> values;
  const api::DeviceAttribute::Lists& lists = attribute.lists();
  for (const std::int64_t item : lists.ints)
    values.push_back(std::to_string(item));
  for (const bool item : lists.bools)
    values.emplace_back(item ? "true" : "false");
  for (const auto* texts : {&lists.strings, &lists.versions})
    values.insert(values.end(), texts->begin(), texts->end());
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// Numbers in their order, other text in its own.
bool comes_before(const std::string& a, const std::string& b) {
  const auto is_number = [](const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  };
  if (is_number(a) && is_number(b) && a.size() != b.size()) return a.size() < b.size();
  return a < b;
}

bool usable_but_for_attributes(const Judgement& judged) {
  Rules others = judged.against;
  others.remove(Rule::AttributeMissing);
  return judged.fault == Fault::None && others.none();
}

ConstraintEvidence of_constraint(const Problem& problem, std::size_t claim, std::size_t index) {
  const ClaimHere& here = problem.claims[claim];
  const ConstraintState& constraint = here.constraints[index];
  ConstraintEvidence evidence{.index = index,
                              .matching = constraint.matching(),
                              .attribute = std::string(constraint.attribute()),
                              .requests = {},
                              .values = {}};
  std::map<std::string, std::vector<std::int64_t>, decltype(&comes_before)> values(&comes_before);
  std::size_t number = 0;
  for (const DemandHere& demand : problem.demands) {
    const bool meant = std::ranges::find(demand.constraints, index) != demand.constraints.end();
    if (demand.claim != claim || !meant) continue;
    ConstraintEvidence::Asked asked{.request = demand.name, .wanted = demand.count};
    for (std::size_t device = 0; device < demand.judged.size(); ++device) {
      const Judgement& judged = demand.judged[device];
      const api::DeviceAttribute* attribute = here.attributes[index][device];
      if (attribute == nullptr && usable_but_for_attributes(judged)) ++asked.without;
      if (attribute == nullptr || !judged.usable()) continue;
      for (std::string& value : values_of(*attribute)) {
        auto& counts = values[std::move(value)];
        counts.resize(number + 1);
        ++counts[number];
      }
    }
    evidence.requests.push_back(std::move(asked));
    ++number;
  }
  for (auto& [value, counts] : values) {
    counts.resize(number);
    evidence.values.push_back({value, std::move(counts)});
  }
  return evidence;
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

// Of these the one that lacks the fewest counters.
std::optional<LedgerEvidence> of_ledger(const AllocationInput& input, const Problem& problem,
                                        const std::vector<std::size_t>& devices) {
  const DeviceId first = problem.devices[devices.front()].id();
  const Pool* pool = input.inventory.find_pool(first.driver, first.pool);
  if (pool == nullptr) return std::nullopt;
  const Counters counters(*pool, input.inventory.usage());
  const SeenDevice* candidate = nullptr;
  std::size_t least = 0;
  for (const std::size_t index : devices) {
    const SeenDevice& device = problem.devices[index];
    if (device.id().driver != first.driver || device.id().pool != first.pool) continue;
    const std::size_t lacks = counters.short_for(*device.published.device).size();
    if (candidate != nullptr && lacks >= least) continue;
    candidate = &device;
    least = lacks;
  }
  LedgerEvidence evidence{.candidate = to_string(candidate->id()), .counters = {}};
  const api::Device& published = *candidate->published.device;
  for (const CounterState& state : counters.all()) {
    const bool drawn = std::ranges::any_of(published.consumes, [&state](const auto& consumption) {
      return consumption.counter_set == state.set;
    });
    if (drawn) evidence.counters.push_back(of_counter(input.inventory.usage(), state, published));
  }
  return evidence;
}

void add_capacity(const DemandHere& demand, const SeenDevice& device, const CapacityDraw* draw,
                  std::vector<CapacityEvidence>& all) {
  const auto& requests = demand.demand->capacity;
  const auto asked_of = [&requests](std::string_view name) {
    const api::Quantity* asked = requests ? api::find(requests->requests, name) : nullptr;
    return asked == nullptr ? std::optional<std::string>() : std::string(asked->text);
  };
  const bool computed = draw != nullptr && !draw->parts.empty();
  if (!computed) {
    if (draw == nullptr || draw->name.empty()) return;
    all.push_back({.device = to_string(device.id()),
                   .capacity = std::string(draw->name),
                   .asked = asked_of(draw->name)});
    return;
  }
  for (const CapacityPart& part : draw->parts) {
    const base::Quantity* used = device.used.of(part.name);
    base::Quantity sum = part.part;
    base::Quantity left = part.total;
    if (used != nullptr) {
      sum.add(*used);
      left.sub(*used);
    }
    // The flaw, and whatever else there is too little of.
    if (part.name != draw->name && sum <= part.total) continue;
    all.push_back({.device = to_string(device.id()),
                   .capacity = std::string(part.name),
                   .asked = asked_of(part.name),
                   .takes = part.part.to_string(),
                   .used = used == nullptr ? "0" : used->to_string(),
                   .left = left.to_string(),
                   .total = part.total.to_string()});
  }
}

}  // namespace

std::vector<std::size_t> constraints_of(const Problem& problem, std::size_t demand, Rule rule,
                                        std::size_t device) {
  const DemandHere& here = problem.demands[demand];
  const ClaimHere& claim = problem.claims[here.claim];
  std::vector<std::size_t> all;
  std::ranges::copy_if(here.constraints, std::back_inserter(all), [&](std::size_t index) {
    return rule == Rule::AttributeMissing
               ? claim.attributes[index][device] == nullptr
               : claim.constraints[index].matching() == (rule == Rule::ValueDiffers);
  });
  return all;
}

std::shared_ptr<const diag::Evidence> evidence_of(const AllocationInput& input,
                                                  const Problem& problem, std::size_t demand,
                                                  Rule rule,
                                                  const std::vector<std::size_t>& devices) {
  diag::Evidence evidence;
  const DemandHere& here = problem.demands[demand];
  switch (rule) {
    case Rule::AttributeMissing:
    case Rule::ValueDiffers:
    case Rule::NotDistinct:
      for (const std::size_t index : constraints_of(problem, demand, rule, devices.front()))
        evidence.constraints.push_back(of_constraint(problem, here.claim, index));
      break;
    case Rule::Counters:
    case Rule::CountersHere:
      evidence.ledger = of_ledger(input, problem, devices);
      break;
    case Rule::CapacityMissing:
    case Rule::CapacityPolicy:
    case Rule::CapacityShort:
    case Rule::CapacityHere:
      for (std::size_t i = 0; i < std::min(devices.size(), kMaxDevices); ++i)
        add_capacity(here, problem.devices[devices[i]], here.draw_for(devices[i]),
                     evidence.capacity);
      break;
    default:
      return nullptr;
  }
  return std::make_shared<const diag::Evidence>(std::move(evidence));
}

}  // namespace dra::engine
