// src/engine/scheduler/search.cpp: the search, what it leaves out of upstream's, and its quirks.
//
// The idea. Upstream's allocateOne is a depth-first search over claims, requests, alternatives and
// devices, and stops at the first solution. from_request(), alternatives(), devices(), every() and
// one_of() are its levels; take() makes one pick and give_back() undoes it. Which solution comes
// first depends on the order alone, so upstream's order is kept everywhere.
//
// One pick asks, in upstream's order: whether capacity suffices beside the shares picked before;
// for "all devices", whether the device was rejected from the start; whether its groups and
// counters are free, which it then takes; whether each constraint of the claim admits it. Rules
// that hold whatever is picked were judged before (allocation_problem.cpp) and are only read here.
//
// What is left out, and why that is sound:
//  * hopeless(): some request has too few usable devices even by itself. No combination succeeds.
//  * enough_left(): too few devices are left for the rest of a demand. The same, from here on.
//  * Kinds: devices that no question of the search can tell apart (signature()). If an untouched
//    one fails at some place, so does every other one of its kind: exchanging the two would turn a
//    solution with one into a solution with the other. To find the kinds takes a pass over all
//    devices, so only a search of kLong steps does.
// Upstream might meet an error, or a side effect of a failed pick, in what is left out. So the
// first two are off where a demand may end in an error (DemandHere::may_fail), and all that skip
// devices are off unless may_prune().
//
// An error ends the search (Fatal), as upstream gives up on the pod. That a claim would have too
// many devices (TooMany) ends it only if all alternatives before lead there.
//
// Quirks by release:
//  * Until 1.35, and in the stable variant, the search tries permutations, not combinations: after
//    a pick the list of devices starts again. The first solution is the same, but a demand may get
//    two shares of one device.
//  * Until 1.35 a pick that fails late keeps its counters (leak_counters_pre136(), take()), or
//    keeps the device in use (keep_in_use_pre136()); a share that is given back keeps its counters
//    (give_back()).
//  * Until 1.35 "all devices" goes on with the request's first alternative, in whichever it was.
//  * 1.34 lets every share pay for counters (pays_counters()), and ends in an error where an
//    invalid pool stands in the list (is_barrier()).

#include "src/engine/scheduler/search.h"

#include <algorithm>
#include <map>

#include "dra/api/limits.h"
#include "dra/base/text.h"
#include "src/engine/scheduler/allocation_errors.h"
#include "src/engine/scheduler/rules/device_rule.h"

namespace dra::engine {
namespace {

// After this many steps the search finds out which devices are equal.
constexpr std::int64_t kLong = 512;
// Levels of recursion that an attempt may use; each takes some of the stack.
constexpr std::size_t kMaxDepth = 4096;

// A list is equal to no other device's.
std::string signature_of(const api::DeviceAttribute& attribute, std::size_t device) {
  using Kind = api::DeviceAttribute::Kind;
  switch (attribute.kind()) {
    case Kind::Int:
      return base::format("i{}|", attribute.as_int());
    case Kind::Bool:
      return base::format("b{}|", attribute.as_bool());
    case Kind::String:
      return base::format("s{}:{}|", attribute.text().size(), attribute.text());
    case Kind::Version:
      return base::format("v{}:{}|", attribute.text().size(), attribute.text());
    default:
      return base::format("#{}|", device);
  }
}

}  // namespace

Search::Search(const AllocationInput& input, Problem& problem, std::int64_t budget,
               std::optional<PinnedDevice> pinned)
    : input_(input),
      problem_(problem),
      budget_(budget),
      pinned_(pinned),
      uses_(problem.devices.size()),
      results_(problem.claims.size()),
      met_(problem.demands.size(), std::vector<Rules>(problem.devices.size())),
      may_prune_(may_prune()) {}

// Until 1.35 a combination that fails changes the state that later ones meet; then every one must
// be tried. So it must where a demand wants all devices under a constraint: which of two equal
// devices was taken before decides whether the search for all of them ends in an error.
bool Search::may_prune() const {
  if (input_.as_before_36()) return false;
  const auto all_or_error = [](const DemandHere& one) { return one.all() && one.may_fail; };
  if (std::ranges::any_of(problem_.demands, all_or_error)) return false;
  return std::ranges::none_of(problem_.claims, [](const ClaimHere& claim) {
    return std::ranges::any_of(claim.constraints, &ConstraintState::forgets);
  });
}

SearchEnd Search::run() {
  if (hopeless()) return SearchEnd::Failed;
  return from_request(0);
}

// Whether some request cannot be served even if no other takes a device, and no error can come
// first.
bool Search::hopeless() const {
  if (!input_.tries_combinations()) return false;  // one device may give several shares there
  if (std::ranges::any_of(problem_.demands, &DemandHere::may_fail)) return false;
  const auto served = [this](std::size_t index) {
    const DemandHere& demand = problem_.demands[index];
    if (demand.all()) {
      return !demand.every.empty() && std::ranges::all_of(demand.every, [&](std::size_t device) {
        return demand.judged[device].usable();
      });
    }
    return std::ranges::count_if(demand.judged, &Judgement::usable) >= demand.count;
  };
  return std::ranges::any_of(problem_.requests, [&](const RequestHere& request) {
    return std::ranges::none_of(request.demands, served);
  });
}

bool Search::spend() {
  ++looked_at_;
  if (looked_at_ >= kLong && kinds_.empty() && may_prune_) find_kinds();
  return looked_at_ <= budget_;
}

// Too many devices in one claim are never the fault of an earlier claim.
SearchEnd Search::from_request(std::size_t request) {
  if (request == problem_.requests.size()) return SearchEnd::Found;
  const RequestHere& here = problem_.requests[request];
  const SearchEnd step =
      here.alternatives ? alternatives(request) : devices({request, here.demands.front(), 0}, 0);
  const bool starts_later_claim = here.first_of_claim && request > 0;
  return step == SearchEnd::TooMany && starts_later_claim ? SearchEnd::Failed : step;
}

SearchEnd Search::alternatives(std::size_t request) {
  bool all_too_many = true;
  for (const std::size_t demand : problem_.requests[request].demands) {
    if (is_other_alternative(request, demand)) continue;
    const SearchEnd step = devices({request, demand, 0}, 0);
    if (step == SearchEnd::TooMany) continue;
    if (step != SearchEnd::Failed) return step;
    all_too_many = false;
  }
  return all_too_many ? SearchEnd::TooMany : SearchEnd::Failed;
}

// The demand is another alternative of the request than the one with the pinned device.
bool Search::is_other_alternative(std::size_t request, std::size_t demand) const {
  const auto& demands = problem_.requests[request].demands;
  return pinned_ && pinned_->demand != demand &&
         std::ranges::find(demands, pinned_->demand) != demands.end();
}

// Whether picking this device makes it impossible to pick the pinned one later.
bool Search::leaves_out_pinned(const Place& place, std::size_t device) const {
  if (!pinned_ || pinned_->demand != place.demand || pinned_->device == device) return false;
  const bool there = std::ranges::any_of(picked_, [this](const Picked& one) {
    return one.demand == pinned_->demand && one.device == pinned_->device;
  });
  const bool last = place.number + 1 == problem_.demands[place.demand].count;
  // Older variants try permutations.
  return !there && (last || (input_.tries_combinations() && device > pinned_->device));
}

// Finds the devices of a demand from place.number on, and then those of all later requests.
SearchEnd Search::devices(const Place& place, std::size_t start) {
  if (!spend() || depth_ > kMaxDepth) return SearchEnd::Budget;
  const DemandHere& here = problem_.demands[place.demand];
  if (here.all() && here.every.empty()) return SearchEnd::Failed;
  ++depth_;
  SearchEnd step = SearchEnd::TooMany;
  if (place.number >= here.count) {
    step = from_request(place.request + 1);
  } else if (here.count - place.number <= api::kMaxResults - results_[here.claim]) {
    step = here.all() ? every(place) : one_of(place, start);
  }
  --depth_;
  return step;
}

// For "all" the devices are fixed; if one of them is refused, there is no solution.
SearchEnd Search::every(const Place& place) {
  const auto& devices_of_all = problem_.demands[place.demand].every;
  const std::size_t device = devices_of_all[static_cast<std::size_t>(place.number)];
  Taken taken;
  switch (take(place, device, taken)) {
    case Take::Fatal:
      return SearchEnd::Fatal;
    case Take::Refused:
      return SearchEnd::Failed;
    case Take::Taken:
      break;
  }
  // Until 1.35 it goes on with the first alternative, even in another one.
  const std::size_t next =
      input_.as_before_36() ? problem_.requests[place.request].demands.front() : place.demand;
  const SearchEnd step = devices({place.request, next, place.number + 1}, 0);
  if (step != SearchEnd::Found) give_back(place.demand, device, taken);
  return step;
}

bool Search::in_use_here(const DemandHere& demand, std::size_t device) const {
  const auto& claims = uses_[device].claims;
  return demand.admin() ? std::ranges::find(claims, demand.claim) != claims.end() : !claims.empty();
}

bool Search::enough_left(std::size_t demand, std::int64_t wanted, std::size_t start) {
  const DemandHere& here = problem_.demands[demand];
  std::int64_t left = 0;
  for (std::size_t device = start; device < here.judged.size() && left < wanted; ++device) {
    if (!here.judged[device].usable()) continue;
    if (in_use_here(here, device)) {
      met_[demand][device].add(Rule::InUseHere);
    } else {
      ++left;
    }
  }
  looked_at_ += static_cast<std::int64_t>(here.judged.size() - start) / 4;
  return left >= wanted;
}

SearchEnd Search::one_of(const Place& place, std::size_t start) {
  const std::size_t demand = place.demand;
  const DemandHere& here = problem_.demands[demand];
  const bool countable = input_.tries_combinations() && !here.may_fail && may_prune_;
  if (countable && !enough_left(demand, here.count - place.number, start)) return SearchEnd::Failed;
  std::set<std::size_t> failed_kinds;
  for (std::size_t device = start; device <= here.judged.size(); ++device) {
    if (is_barrier(device)) return SearchEnd::Fatal;
    if (device == here.judged.size()) break;
    const Judgement& judged = here.judged[device];
    if (judged.against.has(Rule::InUse)) continue;
    if (in_use_here(here, device)) {
      met_[demand][device].add(Rule::InUseHere);
      continue;
    }
    if (judged.fault != Fault::None) {
      fatal_ = fault_of(input_, problem_, here, device);
      return SearchEnd::Fatal;
    }
    if (!judged.against.none()) {
      if (has_room(here, device)) leak_counters_pre136(device, judged.against);
      continue;
    }
    if (leaves_out_pinned(place, device)) continue;
    const bool fresh = uses_[device].fresh();
    if (fresh && !kinds_.empty() && failed_kinds.contains(kinds_[device])) continue;
    if (!spend()) return SearchEnd::Budget;
    Taken taken;
    const Take took = take(place, device, taken);
    if (took == Take::Fatal) return SearchEnd::Fatal;
    if (took == Take::Refused) continue;
    // Older variants try permutations. The first solution is the same, except that one device may
    // give two shares.
    const SearchEnd step = devices({place.request, demand, place.number + 1},
                                   input_.tries_combinations() ? device + 1 : 0);
    if (step == SearchEnd::Found) return step;
    give_back(demand, device, taken);
    if (step != SearchEnd::Failed) return step;
    if (fresh && !kinds_.empty()) failed_kinds.insert(kinds_[device]);
  }
  return SearchEnd::Failed;
}

bool Search::is_barrier(std::size_t device) {
  if (std::ranges::find(problem_.barriers, device) == problem_.barriers.end()) return false;
  fatal_ = diag::Reason{.code = diag::Code::PoolInvalid,
                        .message = "a pool is invalid, and 1.34 gives up on the pod for that"};
  return true;
}

// Until 1.35 a device that only a taint or a constraint rejects has taken its counters before.
void Search::leak_counters_pre136(std::size_t device, Rules against) {
  if (!input_.as_before_36() || !pays_counters(device)) return;
  against.remove(Rule::Taint);
  against.remove(Rule::AttributeMissing);
  Ledger& ledger = problem_.ledgers[problem_.devices[device].ledger];
  const api::Device& published = *problem_.devices[device].published.device;
  if (against.none() && ledger.covers(published)) ledger.take(published);
}

// Another share of a device whose counters are paid for costs nothing. Until 1.35 a device is paid
// for while some of its capacity is taken; one without capacity from its first share on.
bool Search::pays_counters(std::size_t index) const {
  const SeenDevice& device = problem_.devices[index];
  const Use& use = uses_[index];
  if (device.published.device->consumes.empty()) return false;
  if (!device.shareable || input_.as_in_34()) return true;
  return !device.paid && (input_.as_before_36() ? !use.listed : use.shares == 0);
}

bool Search::has_room(const DemandHere& demand, std::size_t index) const {
  const CapacityDraw* draw = demand.draw_for(index);
  if (draw == nullptr || (uses_[index].shares == 0 && !problem_.negative_draws)) return true;
  return fits_beside(*draw, problem_.devices[index].used, uses_[index].capacity);
}

// For "all", the objection of a constraint is an error, and comes before short capacity.
Search::Take Search::take(const Place& place, std::size_t device, Taken& taken) {
  const std::size_t demand = place.demand;
  const DemandHere& here = problem_.demands[demand];
  Rules& met = met_[demand][device];
  const bool room = has_room(here, device);
  if (!room) met.add(Rule::CapacityHere);
  if (here.all()) {
    Rules against = here.judged[device].against;
    against.remove(Rule::CapacityShort);
    const bool in_use = in_use_here(here, device);
    if (!against.none()) {
      if (!in_use) leak_counters_pre136(device, against);
      return Take::Refused;
    }
    if (in_use) {
      met.add(Rule::InUseHere);
      return Take::Refused;
    }
  } else if (!room) {
    return Take::Refused;
  }
  if (pays_counters(device)) {
    Ledger& ledger = problem_.ledgers[problem_.devices[device].ledger];
    const api::Device& published = *problem_.devices[device].published.device;
    const bool admitted = ledger.admits(published);
    if (!admitted) met.add(Rule::GroupsHere);
    if (!admitted || !ledger.covers(published)) {
      if (admitted) met.add(Rule::CountersHere);
      return Take::Refused;
    }
    ledger.take(published);
    taken.counters = true;
  }
  const Take constrained = take_constraints(demand, device, taken);
  const bool short_now = here.judged[device].against.has(Rule::CapacityShort) || !room;
  if (constrained == Take::Taken && short_now && input_.as_before_36()) {
    keep_in_use_pre136(demand, device);
    return Take::Refused;
  }
  if (constrained != Take::Taken || short_now) {
    if (input_.as_before_36()) taken.counters = false;
    undo(demand, device, taken);
    return constrained == Take::Taken ? Take::Refused : constrained;
  }
  mark(demand, device);
  return Take::Taken;
}

// Until 1.35 a device whose capacity turns out to be short after everything else is taken stays in
// use.
void Search::keep_in_use_pre136(std::size_t demand, std::size_t device) {
  if (!problem_.devices[device].shareable)
    uses_[device].claims.push_back(problem_.demands[demand].claim);
}

Search::Take Search::take_constraints(std::size_t demand, std::size_t device, Taken& taken) {
  const DemandHere& here = problem_.demands[demand];
  ClaimHere& claim = problem_.claims[here.claim];
  for (std::size_t i = 0; i < here.constraints.size(); ++i) {
    const std::size_t index = here.constraints[i];
    const api::DeviceAttribute* attribute = claim.attributes[index][device];
    if (here.derived[i] != nullptr) {
      const SeenDevice& seen = problem_.devices[device];
      const Derived& derived = here.derived[i]->of(seen.published);
      if (!derived.value) {
        fatal_ = derived_fault(here, claim.constraints[index].attribute(), seen, derived.error);
        return Take::Fatal;
      }
      attribute = &*derived.value;
    }
    const Objection objection = claim.constraints[index].add(attribute, here.request);
    if (objection == Objection::None) {
      ++taken.constraints;
      continue;
    }
    met_[demand][device].add(rule_of(objection));
    if (!here.all()) return Take::Refused;
    fatal_ = constraint_breaks_all(problem_, here, index, objection, device);
    return Take::Fatal;
  }
  return Take::Taken;
}

void Search::mark(std::size_t demand, std::size_t device) {
  const DemandHere& here = problem_.demands[demand];
  Use& use = uses_[device];
  if (problem_.devices[device].shareable) {
    ++use.shares;
    use.listed = true;
    if (const CapacityDraw* draw = here.draw_for(device)) use.capacity.add(draw->parts);
  } else {
    use.claims.push_back(here.claim);
  }
  ++results_[here.claim];
  picked_.push_back({demand, device});
}

// Undoes what a refused or returned device has taken.
void Search::undo(std::size_t demand, std::size_t device, const Taken& taken) {
  const DemandHere& here = problem_.demands[demand];
  ClaimHere& claim = problem_.claims[here.claim];
  for (std::size_t i = taken.constraints; i-- > 0;)
    claim.constraints[here.constraints[i]].remove(here.request);
  if (taken.counters)
    problem_.ledgers[problem_.devices[device].ledger].give_back(
        *problem_.devices[device].published.device);
}

void Search::give_back(std::size_t demand, std::size_t device, const Taken& taken) {
  const DemandHere& here = problem_.demands[demand];
  Use& use = uses_[device];
  picked_.pop_back();
  --results_[here.claim];
  if (problem_.devices[device].shareable) {
    --use.shares;
    if (const CapacityDraw* draw = here.draw_for(device); draw != nullptr && !draw->parts.empty()) {
      use.capacity.sub(draw->parts);
      use.listed = !use.capacity.is_zero();
    }
  } else {
    use.claims.pop_back();
  }
  Taken left = taken;
  if (problem_.devices[device].shareable && input_.as_before_36()) left.counters = false;
  undo(demand, device, left);
}

// Everything that the search can learn about a device.
std::string Search::signature(std::size_t index) const {
  const SeenDevice& device = problem_.devices[index];
  const api::Device& published = *device.published.device;
  std::string text;
  for (const DemandHere& demand : problem_.demands) {
    const Judgement& judged = demand.judged[index];
    text += base::format("{} {} {}|", judged.against.bits(), static_cast<int>(judged.fault),
                         judged.draw >= 0);
  }
  // Devices with shares, counters or computed attributes are like no other; nor is the pinned one.
  const bool pinned = pinned_ && pinned_->device == index;
  if (pinned || device.shareable || !published.consumes.empty() || !problem_.derived.empty())
    text += base::format("#{}", index);
  for (const ClaimHere& claim : problem_.claims) {
    for (const auto& attributes : claim.attributes) {
      const api::DeviceAttribute* attribute = attributes[index];
      text += attribute == nullptr ? "-|" : signature_of(*attribute, index);
    }
  }
  return text;
}

void Search::find_kinds() {
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < problem_.devices.size(); ++i)
    kinds_.push_back(known.emplace(signature(i), known.size()).first->second);
}

}  // namespace dra::engine
