// src/engine/scheduler/node_result.cpp: NodeEvaluation evaluates one node in this order: count
// devices, check claims that are allocated for other nodes, run the allocator, check binding,
// describe pools and devices. NodeEvaluator reuses results by node signature.

#include "dra/engine/scheduler/node_result.h"

#include <algorithm>
#include <map>
#include <optional>

#include "dra/base/prose.h"
#include "dra/base/text.h"
#include "dra/engine/facts/node_match.h"
#include "dra/engine/scheduler/binding.h"
#include "src/engine/scheduler/allocation_errors.h"
#include "src/engine/scheduler/demand_counts.h"
#include "src/engine/scheduler/node_signature.h"
#include "src/engine/scheduler/seen.h"
#include "src/engine/scheduler/solved_node.h"
#include "src/engine/scheduler/tainted_devices.h"

namespace dra::engine {
namespace {

using diag::Code;
using diag::Reason;

class NodeEvaluation {
 public:
  NodeEvaluation(const NodeContext& context, const SubjectVariant& variant,
                 const std::vector<Seen>& devices, Depth depth)
      : inventory_(context.inventory),
        coverage_(context.coverage),
        demands_(context.demands),
        allocator_(variant.allocator),
        budget_(context.budget),
        subject_(variant.subject),
        devices_(devices),
        depth_(depth) {}

  // `pools` and `devices` are the ones that the node sees.
  NodeResult look(const api::Node& node, const SeenPools& pools);
  // The result if device plugins serve everything, so that slices do not count.
  NodeResult left_to_plugins(const api::Node& node);

 private:
  void count();
  bool tolerated_by_any(std::span<const DeviceTaintOf> taints) const;

  bool waiting() const;  // the pod has no node, or a claim no allocation
  bool may_be_released(const api::ResourceClaim& claim) const;
  void give_up(Reason reason);
  void check_binding();
  void add_served_by_plugin();
  void check_elsewhere(const api::Node& node);
  void check_requests(NodeAllocation& allocation);
  void allocate(const api::Node& node, const SeenPools& pools);
  NodeOutcome outcome_if(Ending ending) const;
  void conclude(const NodeAllocation& allocation);
  bool is_proven(const NodeAllocation& allocation) const;
  void note_failing(const SubjectClaim& claim, const DemandCounts& counts,
                    NodeAllocation& allocation);
  std::string shortage(std::int64_t wanted, const DemandCounts& counts) const;
  std::optional<Reason> against(const api::NamedDemand& demand, const DemandCounts& counts) const;
  std::optional<Reason> against_all(const api::NamedDemand& demand,
                                    const DemandCounts& counts) const;
  void describe_pools(const SeenPools& pools);
  bool is_wanted(const Seen& seen) const;
  void describe_devices();
  void add_in_use(Reason& reason, const Seen& seen) const;

  const Inventory& inventory_;
  const snapshot::Coverage& coverage_;
  const Demands& demands_;
  const Allocator& allocator_;
  SearchBudget& budget_;
  const Subject& subject_;
  const std::vector<Seen>& devices_;
  const Depth depth_;
  const Pool* unusable_pool_ = nullptr;
  std::vector<Reason> passed_over_;  // reasons about selectors that do not decide
  std::ptrdiff_t fatal_ = 0;  // number of reasons for which the scheduler gives up; they come first
  bool stays_elsewhere_ = false;  // a claim is allocated for other nodes, and nothing changes that
  NodeResult result_;
};

NodeResult NodeEvaluation::look(const api::Node& node, const SeenPools& pools) {
  result_.name = node.meta.name;
  for (const Pool& pool : pools) {
    if (pool.state != PoolState::Complete && unusable_pool_ == nullptr) unusable_pool_ = &pool;
  }
  const bool tells = depth_ != Depth::Answer;
  if (tells) count();
  check_elsewhere(node);
  allocate(node, pools);
  check_binding();
  if (!tells) return std::move(result_);
  add_served_by_plugin();
  describe_pools(pools);
  describe_devices();
  std::ranges::move(passed_over_, std::back_inserter(result_.reasons));
  return std::move(result_);
}

NodeResult NodeEvaluation::left_to_plugins(const api::Node& node) {
  result_.name = node.meta.name;
  result_.outcome = NodeOutcome::Fits;
  add_served_by_plugin();
  return std::move(result_);
}

void NodeEvaluation::give_up(Reason reason) {
  result_.outcome = NodeOutcome::Aborts;
  result_.reasons.insert(result_.reasons.begin() + fatal_++, std::move(reason));
}

void NodeEvaluation::check_binding() {
  if (!result_.fits()) return;
  auto failure = binding_failure(subject_, allocator_.features());
  if (!failure) return;
  result_.allocation.clear();
  give_up(*std::move(failure));
}

// Requests that device plugins serve are listed among the others of the special claim for extended
// resources, which is the last claim.
void NodeEvaluation::add_served_by_plugin() {
  if (subject_.claims.empty() || subject_.claims.back().by_plugin.empty()) return;
  const SubjectClaim& claim = subject_.claims.back();
  const auto& requests = claim.spec->devices.requests;
  const auto asks = [&claim](const api::DeviceRequest& request) { return claim.asks(request); };
  auto at = std::ssize(result_.demands) - std::ranges::count_if(requests, asks);
  for (const api::DeviceRequest& request : requests) {
    if (!asks(request)) {
      result_.demands.insert(
          result_.demands.begin() + at,
          {.claim = claim.label(), .request = std::string(request.name), .by_plugin = true});
    }
    ++at;
  }
}

bool NodeEvaluation::tolerated_by_any(std::span<const DeviceTaintOf> taints) const {
  bool tolerated = false;
  for_each_unmet(subject_, [&](const SubjectClaim&, const api::DeviceRequest& request) {
    for (const api::NamedDemand& demand : api::demands_of(request)) {
      tolerated = tolerated || tolerates_all(demand.demand->tolerations, taints);
    }
  });
  return tolerated;
}

void NodeEvaluation::count() {
  std::map<std::string_view, DriverCounts> drivers;
  for (const Seen& seen : devices_) {
    DriverCounts& driver = drivers[seen.pool->driver];
    driver.driver = seen.pool->driver;
    ++driver.published;
    if (seen.facts->occupancy == Occupancy::Entirely) {
      ++driver.in_use;
    } else if (seen.pool->state != PoolState::Complete) {
      ++driver.unusable;
    } else if (inventory_.is_blocked(*seen.published)) {
      ++driver.blocked;
    } else if (!seen.facts->taints.empty() && !tolerated_by_any(seen.facts->taints)) {
      ++driver.tainted;
    } else if (!coverage_.saw(api::Kind::Claim) || !coverage_.saw(api::Kind::TaintRule)) {
      ++driver.unknown;
    } else {
      ++driver.free;
    }
  }
  for (auto& [name, driver] : drivers)
    result_.drivers.push_back(driver);
}

bool NodeEvaluation::waiting() const {
  if (subject_.pod != nullptr) return subject_.pod->spec.node_name.empty();
  return std::ranges::any_of(subject_.claims,
                             [](const SubjectClaim& claim) { return !claim.allocated(); });
}

// When no node fits, the scheduler's PostFilter clears the allocation of a claim that no pod, or
// only this pod, has reserved, and tries again. For claims of a pod group it also clears those that
// only the group has reserved, while none of its pods has a node.
bool NodeEvaluation::may_be_released(const api::ResourceClaim& claim) const {
  if (!waiting()) return false;
  const auto& consumers = claim.status.reserved_for;
  return std::ranges::all_of(consumers, [this](const api::Consumer& consumer) {
    return (subject_.pod != nullptr && consumer.uid == subject_.pod->meta.uid) ||
           (subject_.group && !subject_.group->runs && subject_.group->is(consumer));
  });
}

void NodeEvaluation::check_elsewhere(const api::Node& node) {
  for (const SubjectClaim& claim : subject_.claims) {
    if (!claim.allocated()) continue;
    const auto& selector = claim.claim->status.allocation->node_selector;
    if (!selector) continue;
    const auto here = matches(*selector, node);
    if (here.ok() && here.value()) continue;
    Reason reason{.code = Code::ClaimElsewhere, .claim = claim.label()};
    reason.message =
        base::format("claim {} is allocated for {}", claim.label(), describe(*selector));
    if (may_be_released(*claim.claim)) {
      reason.message += ", but the scheduler can take that back, as no other pod has reserved it";
      result_.deallocatable.push_back(claim.label());
    } else {
      stays_elsewhere_ = true;
    }
    result_.reasons.push_back(std::move(reason));
  }
}

// The allocator runs only for claims that are not allocated.
void NodeEvaluation::allocate(const api::Node& node, const SeenPools& pools) {
  if (subject_.allocated()) {
    result_.outcome = outcome_if(Ending::Fits);
    return;
  }
  NodeAllocation allocation = allocator_.allocate(node, pools, budget_);
  if (depth_ != Depth::Answer) check_requests(allocation);
  conclude(allocation);
  std::ranges::move(allocation.reasons, std::back_inserter(result_.reasons));
  if (result_.is_ruled_out() && result_.reasons.empty()) {
    result_.reasons.push_back(
        {.code = Code::CountShort,
         .message = "no combination of the devices here serves all requests together"});
  }
}

// Objects that could not be read may hold devices, taint them or publish more of them.
bool NodeEvaluation::is_proven(const NodeAllocation& allocation) const {
  const bool saw_slices = coverage_.saw(api::Kind::Slice);
  const bool saw_use = coverage_.saw(api::Kind::Claim) && coverage_.saw(api::Kind::TaintRule);
  switch (allocation.ending) {
    case Ending::Fits:
      return saw_slices && saw_use;
    case Ending::NoSolution:
    case Ending::PoolError:
      return saw_slices;
    case Ending::Fatal:
      return saw_slices && (saw_use || allocation.fatal->examples.empty());
    case Ending::Budget:
    case Ending::Unknown:
      return false;
  }
  return false;
}

// What an ending of the search, which is about the pending claims alone, comes to with those that
// are allocated for other nodes.
NodeOutcome NodeEvaluation::outcome_if(Ending ending) const {
  if (ending != Ending::Fits && ending != Ending::Unknown) return NodeOutcome::DoesNotFit;
  const bool fits = ending == Ending::Fits;
  if (stays_elsewhere_) return fits ? NodeOutcome::DoesNotFit : NodeOutcome::AllocatedElsewhere;
  if (!result_.deallocatable.empty()) return NodeOutcome::NeedsDeallocation;
  return fits ? NodeOutcome::Fits : NodeOutcome::Unknown;
}

void NodeEvaluation::conclude(const NodeAllocation& allocation) {
  if (!is_proven(allocation)) {
    result_.outcome = outcome_if(Ending::Unknown);
    if (allocation.fatal) result_.reasons.push_back(*allocation.fatal);
    return;
  }
  result_.outcome = outcome_if(allocation.ending);
  if (allocation.ending == Ending::Fits) result_.allocation = allocation.devices;
  if (allocation.ending == Ending::Fatal) give_up(*allocation.fatal);
}

void NodeEvaluation::check_requests(NodeAllocation& allocation) {
  std::size_t number = 0;  // number of the demand
  for_each_unmet(subject_, [&](const SubjectClaim& claim, const api::DeviceRequest& request) {
    // The request stays open if one alternative is not ruled out.
    std::vector<Reason> reasons;
    const auto demands = api::demands_of(request);
    for (const api::NamedDemand& demand : demands) {
      DemandCounts counts = count_for_demand(devices_, demands_, demand);
      if (number < allocation.usable.size()) counts.usable = allocation.usable[number];
      ++number;
      note_failing(claim, counts, allocation);
      if (auto reason = against(demand, counts)) {
        reason->claim = claim.label();
        reasons.push_back(*std::move(reason));
      }
      for (Reason& reason : counts.passed_over) {
        reason.claim = claim.label();
        passed_over_.push_back(std::move(reason));
      }
      result_.demands.push_back({claim.label(), demand.name, counts.known, counts.matching,
                                 counts.in_use, counts.usable,
                                 counts.failing ? counts.failing->devices : 0});
    }
    if (demands.empty() || reasons.size() < demands.size()) return;
    if (allocation.ending != Ending::Fits)
      std::ranges::move(reasons, std::back_inserter(result_.reasons));
  });
}

// A failing selector ends the attempt if the allocator reaches such a device; the reason then names
// all devices for which it fails. Otherwise the failure is only a possibility.
void NodeEvaluation::note_failing(const SubjectClaim& claim, const DemandCounts& counts,
                                  NodeAllocation& allocation) {
  if (!counts.failing) return;
  Reason reason = *counts.failing;
  reason.claim = claim.label();
  const auto& fatal = allocation.fatal;
  const bool decides = fatal && fatal->code == reason.code && fatal->claim == reason.claim &&
                       fatal->request == reason.request;
  if (decides) {
    allocation.fatal = std::move(reason);
  } else {
    passed_over_.push_back(std::move(reason));
  }
}

// All or nothing: one matching device that is not available is enough.
std::optional<Reason> NodeEvaluation::against_all(const api::NamedDemand& demand,
                                                  const DemandCounts& counts) const {
  Reason reason{.code = Code::AllNone, .request = demand.name};
  if (counts.matching == 0 && !counts.failing) {
    reason.message =
        counts.published == 0
            ? base::format("request {} needs all devices, and there are none", demand.name)
            : base::format("request {} needs all devices that match, and none of {} here does",
                           demand.name, counts.published);
    return reason;
  }
  const bool pool_is_reported = unusable_pool_ != nullptr;  // its devices are not available, either
  if (!counts.known || pool_is_reported || counts.usable == counts.matching) return std::nullopt;
  reason.code = Code::AllUnusable;
  reason.devices = counts.matching - counts.usable;
  reason.message = base::format(
      "request {} needs all {} that match, and {} can be allocated", demand.name,
      base::plural(counts.matching, "device"),
      counts.usable == 0 ? std::string("none") : base::format("only {}", counts.usable));
  return reason;
}

std::optional<Reason> NodeEvaluation::against(const api::NamedDemand& demand,
                                              const DemandCounts& counts) const {
  if (!coverage_.saw(api::Kind::Slice)) return std::nullopt;
  if (demand.demand->all()) return against_all(demand, counts);
  const std::int64_t wanted = demand.demand->wanted();
  if (counts.usable >= wanted) return std::nullopt;
  Reason reason{.code = Code::CountShort, .request = demand.name, .devices = counts.usable};
  if (counts.matching == 0 && counts.published > 0 && !counts.failing) reason.code = Code::NoMatch;
  reason.message = base::format("request {} needs {}, {}", demand.name,
                                base::plural(wanted, "device"), shortage(wanted, counts));
  return reason;
}

// Says why there are too few devices, by the counts that say most: published, matching, in use,
// usable.
std::string NodeEvaluation::shortage(std::int64_t wanted, const DemandCounts& counts) const {
  const std::int64_t matching = counts.matching;
  const bool all_match = matching == counts.published;
  if (counts.published == 0) return "and no driver publishes any here";
  if (matching == 0 && counts.failing) {
    return base::format("and its selector fails for {} of {} here", counts.failing->devices,
                        counts.published);
  }
  if (matching == 0) {
    return counts.published == 1 ? std::string("and the only one here does not match")
                                 : base::format("and none of {} here matches", counts.published);
  }
  if (matching < wanted && all_match) return base::format("and the node has {} in all", matching);
  if (matching < wanted)
    return base::format("and only {} of {} here match", matching, counts.published);
  if (counts.in_use == matching && !all_match) {
    return matching == 1 ? std::string("the only one here that matches is in use")
                         : base::format("{} here that match are in use", base::all(matching));
  }
  if (counts.in_use == matching) {
    // If no selector says more, the driver names the devices.
    const std::string whose = result_.drivers.size() > 1
                                  ? std::string("any driver")
                                  : std::string(result_.drivers.front().driver);
    return matching == 1 ? base::format("the only one here, of {}, is in use", whose)
                         : base::format("{} of {} here are in use", base::all(matching), whose);
  }
  return base::format("{} of {} here{} can be allocated",
                      counts.usable == 0 ? "none" : base::format("only {}", counts.usable),
                      matching, all_match ? "" : " that match");
}

void NodeEvaluation::describe_pools(const SeenPools& pools) {
  for (const Pool& pool : pools) {
    if (pool.state == PoolState::Complete) continue;
    result_.reasons.push_back(pool_problem(pool));
  }
  if (devices_.empty() && coverage_.saw(api::Kind::Slice)) {
    result_.reasons.push_back(
        {.code = Code::NoSlices, .message = "no driver publishes devices here"});
  }
}

// Holders and taints of a device matter only if some demand could choose it.
bool NodeEvaluation::is_wanted(const Seen& seen) const {
  bool any = false;
  bool wanted = false;
  for_each_unmet(subject_, [&](const SubjectClaim&, const api::DeviceRequest& request) {
    for (const api::NamedDemand& demand : api::demands_of(request)) {
      const auto said = demands_.said(*demand.demand, *seen.published);
      any = true;
      wanted = wanted || !said || said->outcome != Outcome::PassedOver;
    }
  });
  return wanted || !any;
}

// Holders matter only if they keep the subject from the node.
void NodeEvaluation::add_in_use(Reason& reason, const Seen& seen) const {
  if (result_.fits()) {
    ++reason.devices;
    return;
  }
  add_example(reason, seen);
  add_holders(reason, seen);
}

void NodeEvaluation::describe_devices() {
  Reason in_use{.code = Code::DeviceInUse};
  TaintedDevices tainted;
  for (const Seen& seen : devices_) {
    if (!is_wanted(seen)) continue;
    if (seen.facts->occupancy == Occupancy::Entirely) add_in_use(in_use, seen);
    if (!tolerated_by_any(seen.facts->taints)) tainted.add(seen);
  }
  if (in_use.devices > 0) {
    in_use.message = base::format("{} in use", base::plural(in_use.devices, "device"));
    result_.reasons.push_back(std::move(in_use));
  }
  tainted.move_to(result_.reasons);
}

// A node selector of a slice cannot be parsed: the scheduler gives up on the pod.
NodeResult unreadable(const api::Node& node, const Error& error) {
  NodeResult result{.name = std::string(node.meta.name)};
  result.reasons.push_back({.code = Code::PoolInvalid, .message = error.message});
  result.outcome = NodeOutcome::Aborts;
  return result;
}

}  // namespace

NodeEvaluator::NodeEvaluator(const snapshot::Snapshot& snapshot, const NodeContext& context,
                             const Subject& subject, Depth depth)
    : context_(context),
      depth_(depth),
      subject_(subject),
      variants_(snapshot, context.inventory, context.demands, subject, depth),
      signatures_(std::make_unique<NodeSignatures>(context.inventory, context.demands, subject)) {}
NodeEvaluator::~NodeEvaluator() = default;

NodeResult NodeEvaluator::evaluate(const api::Node& node) {
  const SubjectVariant& variant = variants_.on(node);
  NodeResult result = look_at(node, variant);
  // Picked devices refer to the caller's claims, not to those of the node's own subject.
  for (PickedDevice& picked : result.allocation)
    picked.claim =
        &subject_.claims[static_cast<std::size_t>(picked.claim - &variant.subject.claims[0])];
  if (context_.filters != nullptr) result.other_reasons = context_.filters->against(node);
  return result;
}

NodeResult NodeEvaluator::look_at(const api::Node& node, const SubjectVariant& variant) {
  const auto pools = context_.inventory.slices().seen_from(node);
  if (!pools.ok() && variant.subject.left_to_plugins())
    return NodeEvaluation(context_, variant, {}, depth_).left_to_plugins(node);
  if (!pools.ok()) return unreadable(node, pools.error());
  const auto look = [&](const std::vector<Seen>& devices) {
    return NodeEvaluation(context_, variant, devices, depth_).look(node, pools.value());
  };
  const auto signature = signatures_->of(pools.value());
  if (!signature) return look(seen_devices(pools.value(), context_.inventory));
  const auto [known, is_new] = solved_.try_emplace({&variant, *signature});
  if (known->second != nullptr) {
    return known->second->of(node, [&](std::size_t place) {
      return device_at(pools.value(), context_.inventory, place);
    });
  }
  const std::vector<Seen> devices = seen_devices(pools.value(), context_.inventory);
  NodeResult result = look(devices);
  // Not reused: an error of the allocator, which may name a device, and a result that the budget
  // cut short.
  const bool decided = result.fits() || result.outcome == NodeOutcome::DoesNotFit;
  if (decided) known->second = std::make_unique<SolvedNode>(result, devices);
  return result;
}

}  // namespace dra::engine
