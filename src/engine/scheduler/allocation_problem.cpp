// src/engine/scheduler/allocation_problem.cpp: assembles what the search has to solve on a node.
//
// The idea. Upstream checks a device each time its search comes to it, although most checks do not
// depend on the devices picked so far. Here these are made once for each demand and device, as a
// Judgement, and the search only reads the result. What depends on earlier picks is left to it.
//
// The order. First the devices of usable pools, in upstream's order (see()). Then claim by claim
// the requests and their demands, with the errors that upstream raises before it searches
// (add_claim(), add_request(), add_demand()); each demand judges all devices (judge(), the rules in
// rules/), and one for all devices fixes its list (gather_all()). At the end of a claim come its
// constraints, and at the end of all claims each demand learns which constraints concern it
// (apply_constraints()).
//
// The first error is kept as Problem::fatal and ends the assembly. With `past_errors` it goes on:
// an explanation of one device wants everything that is against it.
//
// Why judging ahead is sound. A rejection cannot become untrue through a pick. An error can be left
// unmet, though: upstream evaluates a selector, or computes an amount, only when it comes to the
// device. So such a device has a Fault, which is an error only if the search comes to it, and
// demands for which that may happen are marked (may_fail), so that the search leaves out nothing
// before it. For the same reason a missing attribute rejects a device ahead only where no error can
// come first (note_missing_attributes()).
//
// Quirks by release:
//  * 1.34 uses incomplete pools, too; an invalid one is a barrier at which the search ends in an
//    error; a slice has counters of its own.
//  * Until 1.35 the experimental variant tries slices with binding conditions last in their pool. A
//    second alternative for all devices gets the selectors of the first.
//  * Until 1.36 only a share that names its capacity has paid for counters. Lists stay narrowed and
//    distinct values are half forgotten when the search goes back (constraint.h). A negative amount
//    adds to what is left, so that "short" is known only when it is asked (negative_draws).

#include "src/engine/scheduler/allocation_problem.h"

#include <algorithm>
#include <limits>

#include "dra/api/cluster_objects.h"
#include "dra/api/limits.h"
#include "dra/base/text.h"
#include "dra/engine/facts/amount.h"
#include "src/engine/scheduler/allocation_errors.h"
#include "src/engine/scheduler/rules/device_rule.h"

namespace dra::engine {
namespace {

class Builder {
 public:
  Builder(const AllocationInput& input, const api::Node& node, const SeenPools& pools)
      : input_(input), node_(node), pools_(pools) {}

  Problem build();

 private:
  void see(std::size_t pool);
  void add_ledgers(const Pool& pool, std::size_t first);
  void see(std::size_t pool, const PoolDevice& published);
  bool add_claim(const SubjectClaim& claim);
  bool add_request(const api::DeviceRequest& request, std::int64_t& least);
  bool add_demand(const api::DeviceRequest& request, const api::NamedDemand& named);
  bool fail(diag::Reason reason);
  bool lacks_feature(const api::DeviceRequest& request);
  bool gather_all(DemandHere& demand);
  bool add_constraints(const api::ClaimSpec& spec);
  void find_attributes(ClaimHere& claim);
  void apply_constraints();

  void judge(DemandHere& demand, const api::DeviceDemand& chooser);
  Judgement judge(DemandHere& demand, const api::DeviceDemand& chooser, std::size_t index);
  bool can_fail(const DemandHere& demand) const;
  DerivedAttribute* derived_for(const DemandHere& demand, std::string_view attribute);
  void note_missing_attributes(DemandHere& demand) const;

  const AllocationInput& input_;
  const api::Node& node_;
  const SeenPools& pools_;
  Problem problem_;
};

Problem Builder::build() {
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    problem_.invalid_pool |= pools_[i].state == PoolState::Invalid;
    if (pools_[i].state == PoolState::Complete ||
        (input_.as_in_34() && pools_[i].state == PoolState::Incomplete))
      see(i);
    if (input_.as_in_34() && pools_[i].state == PoolState::Invalid)
      problem_.barriers.push_back(problem_.devices.size());
  }
  for (const SubjectClaim& claim : input_.subject.claims) {
    if (claim.allocated()) continue;
    if (claim.spec == nullptr) {
      problem_.unknown = true;
      return std::move(problem_);
    }
    if (!add_claim(claim)) return std::move(problem_);
  }
  apply_constraints();
  return std::move(problem_);
}

void Builder::see(std::size_t pool) {
  const Pool& seen = pools_[pool];
  bool consumes = false;
  const std::size_t first = problem_.devices.size();
  std::vector<const api::ResourceSlice*> slices(seen.slices.begin(), seen.slices.end());
  // Until 1.35 the variant that knows binding conditions tries slices with them last.
  if (input_.as_before_36() && input_.is_experimental())
    std::stable_partition(slices.begin(), slices.end(), [](const api::ResourceSlice* slice) {
      return !has_binding_conditions(*slice);
    });
  for (const api::ResourceSlice* slice : slices) {
    if (hides_devices(*slice, input_.features)) continue;
    for (const api::Device& device : slice->spec.devices) {
      see(pool, {slice, &device});
      consumes |= !device.consumes.empty();
    }
  }
  if (consumes) add_ledgers(seen, first);
}

// One ledger for the pool; in 1.34 one for each of its slices.
void Builder::add_ledgers(const Pool& pool, std::size_t first) {
  const Ledger::Rules rules{
      .groups = input_.on(Gate::DRADeviceCompatibilityGroups) && input_.is_experimental(),
      .shares = input_.release >= 36};
  const api::ResourceSlice* of = nullptr;
  for (std::size_t i = first; i < problem_.devices.size(); ++i) {
    SeenDevice& device = problem_.devices[i];
    const bool new_slice = input_.as_in_34() && device.published.slice != of;
    if (of == nullptr || new_slice) {
      of = device.published.slice;
      Pool part{.driver = pool.driver, .name = pool.name, .slices = {of}};
      problem_.ledgers.emplace_back(input_.as_in_34() ? part : pool, input_.inventory.usage(),
                                    rules);
    }
    device.ledger = problem_.ledgers.size() - 1;
  }
}

void Builder::see(std::size_t pool, const PoolDevice& published) {
  const api::Device& device = *published.device;
  const DeviceFacts& facts = input_.inventory.facts(published);
  SeenDevice seen{.published = published, .pool = pool, .held = facts.held, .taints = facts.taints};
  if (published.slice->spec.per_device_node_selection) {
    // An unreadable selector has ended the attempt when the pools were assembled.
    const auto here = is_for(published, node_);
    seen.for_node = here.ok() && here.value();
  }
  seen.shareable = device.allow_multiple_allocations && input_.on(Gate::DRAConsumableCapacity);
  for (const Holding& holding : facts.holders) {
    if (holding.takes != Occupancy::Shared) continue;
    seen.shared = true;
    // Until 1.36 only a share that names its capacity has paid.
    seen.paid |= input_.release >= 37 || !holding.result->consumed_capacity.empty();
    for (const auto& consumed : holding.result->consumed_capacity)
      seen.used.add(consumed.key, amount_or(consumed.value));
  }
  problem_.devices.push_back(std::move(seen));
}

// Notes an error. True: the assembly goes on all the same.
bool Builder::fail(diag::Reason reason) {
  if (reason.claim.empty() && !problem_.claims.empty())
    reason.claim = problem_.claims.back().claim->label();
  if (!problem_.fatal) problem_.fatal = std::move(reason);
  return input_.past_errors;
}

bool Builder::add_claim(const SubjectClaim& claim) {
  problem_.claims.push_back({.claim = &claim});
  const std::size_t first = problem_.requests.size();
  std::int64_t sum = 0;
  for (const api::DeviceRequest& request : claim.spec->devices.requests) {
    if (!claim.asks(request)) continue;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    if (!add_request(request, least)) return false;
    const bool fits = least <= api::kMaxResults - sum;
    if (!fits && !fail(too_many(claim, request))) return false;
    if (fits) sum += least;
  }
  if (first < problem_.requests.size()) problem_.requests[first].first_of_claim = true;
  return add_constraints(*claim.spec);
}

bool Builder::lacks_feature(const api::DeviceRequest& request) {
  const auto demands = api::demands_of(request);
  if (!request.alternatives.empty() && !input_.on(Gate::DRAPrioritizedList))
    return !fail(
        feature_off(request.name, "alternatives (firstAvailable)", Gate::DRAPrioritizedList));
  const bool capacity = std::ranges::any_of(
      demands, [](const api::NamedDemand& one) { return one.demand->capacity.has_value(); });
  // Variants that do not know capacity ignore it.
  if (capacity && input_.knows_binding_and_capacity() && !input_.on(Gate::DRAConsumableCapacity))
    return !fail(feature_off(request.name, "capacity", Gate::DRAConsumableCapacity));
  return false;
}

bool Builder::add_request(const api::DeviceRequest& request, std::int64_t& least) {
  if (lacks_feature(request)) return false;
  problem_.requests.push_back({.claim = problem_.claims.size() - 1,
                               .first_of_claim = false,
                               .alternatives = !request.alternatives.empty(),
                               .demands = {}});
  for (const api::NamedDemand& named : api::demands_of(request)) {
    if (!add_demand(request, named)) return false;
    problem_.requests.back().demands.push_back(problem_.demands.size() - 1);
    least = std::min(least, problem_.demands.back().count);
  }
  if (problem_.requests.back().demands.empty())
    return fail(unsupported(request.name, "names neither a demand nor alternatives"));
  return true;
}

bool Builder::add_demand(const api::DeviceRequest& request, const api::NamedDemand& named) {
  const api::DeviceDemand& asked = *named.demand;
  if (!asked.derived.empty() &&
      !(input_.on(Gate::DRADerivedAttributes) && input_.is_experimental()) &&
      !fail(feature_off(named.name, "derived attributes", Gate::DRADerivedAttributes)))
    return false;
  if (std::ranges::any_of(asked.selectors, [](const auto& one) { return !one.cel; }) &&
      !fail(unsupported(named.name, "has a selector without an expression")))
    return false;
  if (asked.admin_access && !input_.on(Gate::DRAAdminAccess) &&
      !fail(feature_off(named.name, "admin access", Gate::DRAAdminAccess)))
    return false;
  if (input_.demands.of(asked) == nullptr) {
    if (input_.snapshot.coverage().saw(api::Kind::Class)) {
      fail(no_class(named));
    } else {
      problem_.unknown = true;
    }
    return false;
  }
  if (!asked.all() && !asked.mode.empty() && asked.mode != api::kModeExactCount &&
      !fail(unsupported(named.name, base::format("has the mode {}", asked.mode))))
    return false;
  DemandHere& demand =
      problem_.demands.emplace_back(DemandHere{.subject_claim = problem_.claims.back().claim,
                                               .claim = problem_.claims.size() - 1,
                                               .demand = &asked,
                                               .name = named.name,
                                               .request = request.name,
                                               .count = std::max<std::int64_t>(asked.wanted(), 0)});
  // Until 1.35 upstream remembers the answers of selectors for a first alternative that wants all
  // devices, and uses them for a second one.
  const auto& before = problem_.requests.back().demands;
  const bool second_of_all = input_.as_before_36() && before.size() == 1 && asked.all() &&
                             problem_.demands[before.front()].all();
  judge(demand, second_of_all ? *problem_.demands[before.front()].demand : asked);
  return !asked.all() || gather_all(demand);
}

// The devices of "all" are fixed before any is picked. Those in use and tainted are among them,
// those too small are not.
bool Builder::gather_all(DemandHere& demand) {
  const Rules outside_all = rules_outside_all();
  std::size_t device = 0;
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    if (pools_[i].state != PoolState::Complete && !fail(pool_unusable(demand.name, pools_[i])))
      return false;
    for (; device < problem_.devices.size() && problem_.devices[device].pool == i; ++device) {
      const Judgement& judged = demand.judged[device];
      if (judged.fault != Fault::None && !fail(fault_of(input_, problem_, demand, device)))
        return false;
      if (!judged.against.has_any(outside_all) && !is_too_small_for_all(input_, demand, device))
        demand.every.push_back(device);
    }
  }
  demand.count = static_cast<std::int64_t>(demand.every.size());
  return true;
}

bool Builder::add_constraints(const api::ClaimSpec& spec) {
  const Lists lists = !input_.on(Gate::DRAListTypeAttributes) ? Lists::Unknown
                      : input_.release < 37                   ? Lists::Narrowed
                                                              : Lists::AsSets;
  const Memory memory = input_.as_in_34()     ? Memory::ByPlace
                        : input_.release < 37 ? Memory::LastOfRequest
                                              : Memory::OfEach;
  ClaimHere& claim = problem_.claims.back();
  for (const api::Constraint& constraint : spec.devices.constraints) {
    const bool distinct =
        !constraint.distinct_attribute.empty() && input_.knows_binding_and_capacity();
    if (constraint.match_attribute.empty() && !distinct &&
        !fail(unsupported({}, "has a constraint of an unknown kind")))
      return false;
    claim.constraints.emplace_back(constraint, lists, memory);
  }
  find_attributes(claim);
  return true;
}

void Builder::find_attributes(ClaimHere& claim) {
  for (const ConstraintState& constraint : claim.constraints) {
    auto& attributes = claim.attributes.emplace_back();
    attributes.reserve(problem_.devices.size());
    for (const SeenDevice& device : problem_.devices) {
      attributes.push_back(attribute_for(
          *device.published.device, device.published.slice->spec.driver, constraint.attribute()));
    }
  }
}

// The demands that a claim's constraints concern are known when all its requests are.
void Builder::apply_constraints() {
  for (DemandHere& demand : problem_.demands) {
    const ClaimHere& claim = problem_.claims[demand.claim];
    for (std::size_t i = 0; i < claim.constraints.size(); ++i) {
      if (!claim.constraints[i].applies_to(demand.request, demand.name)) continue;
      demand.constraints.push_back(i);
      demand.derived.push_back(derived_for(demand, claim.constraints[i].attribute()));
    }
    if (problem_.negative_draws) {
      for (Judgement& judged : demand.judged)
        judged.against.remove(Rule::CapacityShort);
    }
    demand.may_fail = can_fail(demand);
    // A device that one constraint rejects may have made others forget what they had seen before.
    const bool forgotten = std::ranges::any_of(claim.constraints, &ConstraintState::forgets);
    if (!demand.may_fail && !forgotten) note_missing_attributes(demand);
  }
}

// If several have the name, the last one counts.
DerivedAttribute* Builder::derived_for(const DemandHere& demand, std::string_view attribute) {
  const auto& all = demand.demand->derived;
  const auto found = std::find_if(all.rbegin(), all.rend(),
                                  [&](const auto& one) { return one.name == attribute; });
  if (found == all.rend()) return nullptr;
  auto& made = problem_.derived[found->expression];
  if (!made) {
    made = std::make_unique<DerivedAttribute>(
        found->expression, language_of(input_.snapshot.server(), Expressions::Stored));
  }
  return made.get();
}

// Where no error can come first, a missing attribute rejects a device whatever else is picked.
void Builder::note_missing_attributes(DemandHere& demand) const {
  for (const std::size_t constraint : demand.constraints) {
    const auto& attributes = problem_.claims[demand.claim].attributes[constraint];
    for (std::size_t device = 0; device < attributes.size(); ++device) {
      if (attributes[device] == nullptr) demand.judged[device].against.add(Rule::AttributeMissing);
    }
  }
}

bool Builder::can_fail(const DemandHere& demand) const {
  if (demand.all()) return !demand.constraints.empty();
  if (!problem_.barriers.empty()) return true;
  const auto is_derived = [](const DerivedAttribute* one) { return one != nullptr; };
  if (std::ranges::any_of(demand.derived, is_derived)) return true;
  return std::ranges::any_of(demand.judged, [](const Judgement& judged) {
    return judged.fault != Fault::None && !judged.against.has(Rule::InUse);
  });
}

// Judges all devices, by the selectors of `chooser`, which is mostly the demand itself.
void Builder::judge(DemandHere& demand, const api::DeviceDemand& chooser) {
  demand.judged.reserve(problem_.devices.size());
  for (std::size_t i = 0; i < problem_.devices.size(); ++i)
    demand.judged.push_back(judge(demand, chooser, i));
}

Judgement Builder::judge(DemandHere& demand, const api::DeviceDemand& chooser, std::size_t index) {
  DeviceCheck check{input_, node_, problem_, demand, chooser, problem_.devices[index]};
  Judgement judgement{.against = engine::judge(check)};
  judgement.fault = check.fault();
  if (check.known_draw) {
    problem_.negative_draws |= input_.release < 37 && takes_less_than_nothing(*check.known_draw);
    judgement.draw = static_cast<std::int32_t>(demand.draws.size());
    demand.draws.push_back(*std::move(check.known_draw));
  }
  return judgement;
}

}  // namespace

Problem problem_of(const AllocationInput& input, const api::Node& node, const SeenPools& pools) {
  return Builder(input, node, pools).build();
}

}  // namespace dra::engine
