// src/engine/scheduler/rules/capacity.cpp: a request may ask for amounts of a device's capacity. Of
// a device that allows several allocations it gets a share: the amounts must exist, be allowed by
// the capacity's policy, and be left beside the shares of others. Of any other device the same
// amounts are only a filter.
//
// The search asks again while it picks, as shares of the same attempt add up (fits_beside).

#include <algorithm>

#include "dra/base/text.h"
#include "src/engine/scheduler/rules/device_rule.h"

namespace dra::engine {
namespace {

using diag::CapacityEvidence;

constexpr std::size_t kMaxDevices = 3;  // whose capacity is named
constexpr std::size_t kMaxNames = 4;    // of capacities

// Of most devices nothing is asked, nothing is shared and nothing is ruled: then the whole device
// is taken, which it always has room for.
bool takes_all(const DemandHere& demand, const SeenDevice& device) {
  const auto plain = [](const auto& capacity) {
    return !capacity.value.policy && !capacity.value.value.text.starts_with('-');
  };
  return !demand.demand->capacity && !device.shareable && !device.shared &&
         std::ranges::all_of(device.published.device->capacity, plain);
}

bool is_missing(DeviceCheck& check) {
  const CapacityDraw* draw = check.draw();
  return draw != nullptr && draw->flaw == CapacityFlaw::Missing;
}

// Before 1.37 an amount that cannot be computed counts as one that the policy does not allow.
bool is_against_policy(DeviceCheck& check) {
  const CapacityDraw* draw = check.draw();
  return draw != nullptr &&
         (draw->flaw == CapacityFlaw::Policy || (draw->fatal() && check.input.release < 37));
}

bool is_short(DeviceCheck& check) {
  const CapacityDraw* draw = check.draw();
  return draw != nullptr &&
         (draw->flaw == CapacityFlaw::Short || draw->flaw == CapacityFlaw::None) &&
         short_of(draw->parts, check.device.used) != nullptr;
}

// A device without a draw is rejected by none of these rules.
const CapacityDraw& draw_of_first(const Rejection& rejection) {
  return *rejection.demanded().draw_for(rejection.devices.front());
}

std::string missing_words(const Rejection& rejection) {
  std::vector<std::string> names;
  for (const auto& capacity : rejection.first().published.device->capacity)
    names.emplace_back(capacity.key);
  return base::format(
      "{} without capacity {}, which {} asks for{}", rejection.count(),
      draw_of_first(rejection).name, rejection.demanded().name,
      names.empty()
          ? std::string()
          : base::format(" ({} has {})", rejection.devices.size() == 1 ? "it" : "the first",
                         base::join_first(names, kMaxNames)));
}

std::string policy_words(const Rejection& rejection) {
  return base::format("{} whose policy for capacity {} allows no amount that serves {}",
                      rejection.count(), draw_of_first(rejection).name, rejection.demanded().name);
}

std::string short_words(const Rejection& rejection) {
  const SeenDevice& device = rejection.first();
  const std::string& name = rejection.demanded().name;
  const std::string count = rejection.count();
  const CapacityPart* missing = short_of(draw_of_first(rejection).parts, device.used);
  if (missing == nullptr)
    return base::format("{} on which other requests of the same pod leave too little for {}", count,
                        name);
  base::Quantity left = missing->total;
  if (const base::Quantity* used = device.used.of(missing->name)) left.sub(*used);
  return base::format("{} takes {} of {}, and {} has {} of {} left{}", name,
                      missing->part.to_string(), missing->name, to_string(device.id()),
                      left.to_string(), missing->total.to_string(),
                      rejection.devices.size() == 1 ? "" : base::format(" ({} like that)", count));
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

void add_capacities(const Rejection& rejection, diag::Evidence& evidence) {
  const DemandHere& demand = rejection.demanded();
  for (const std::size_t device :
       rejection.devices.first(std::min(rejection.devices.size(), kMaxDevices)))
    add_capacity(demand, rejection.problem.devices[device], demand.draw_for(device),
                 evidence.capacity);
}

}  // namespace

namespace rules {
constinit const DeviceRule kCapacityMissing = {
    .rejects = is_missing, .outside_all = true, .words = missing_words, .evidence = add_capacities};
constinit const DeviceRule kCapacityPolicy = {
    .rejects = is_against_policy, .words = policy_words, .evidence = add_capacities};
constinit const DeviceRule kCapacityShort = {
    .rejects = is_short, .words = short_words, .evidence = add_capacities};
constinit const DeviceRule kCapacityHere = {.words = short_words, .evidence = add_capacities};
}  // namespace rules

std::optional<CapacityDraw> draw_for(const AllocationInput& input, const DemandHere& demand,
                                     const SeenDevice& device) {
  if (takes_all(demand, device)) return std::nullopt;
  return draw_of(
      *demand.demand, *device.published.device,
      {.fractional = input.on(Gate::DRAFractionalCapacityRange), .bounded = input.release >= 37});
}

bool takes_less_than_nothing(const CapacityDraw& draw) {
  return std::ranges::any_of(draw.parts,
                             [](const CapacityPart& part) { return part.part.sign() < 0; });
}

bool fits_beside(const CapacityDraw& draw, const CapacityUse& held, const CapacityUse& picked) {
  return std::ranges::all_of(draw.parts, [&](const CapacityPart& part) {
    base::Quantity sum = part.part;
    for (const CapacityUse* use : {&held, &picked}) {
      if (const base::Quantity* used = use->of(part.name)) sum.add(*used);
    }
    return sum <= part.total;
  });
}

// What others leave counts only before 1.37.
bool is_too_small_for_all(const AllocationInput& input, const DemandHere& demand,
                          std::size_t device) {
  const CapacityDraw* draw = demand.draw_for(device);
  return (draw != nullptr && draw->flaw != CapacityFlaw::None) ||
         (input.release < 37 && demand.judged[device].against.has(Rule::CapacityShort));
}

}  // namespace dra::engine
