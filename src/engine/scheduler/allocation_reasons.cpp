// src/engine/scheduler/allocation_reasons.cpp: see allocation_reasons.h.

#include "src/engine/scheduler/allocation_reasons.h"

#include <algorithm>
#include <array>

#include "dra/base/text.h"
#include "src/engine/scheduler/allocation_errors.h"
#include "src/engine/scheduler/allocation_evidence.h"
#include "src/engine/scheduler/solved_node.h"

namespace dra::engine {
namespace {

using diag::Code;
using diag::Reason;

constexpr std::size_t kMaxReasonExamples = 3;

// In the order in which they are told. What claims hold, selectors say and taints forbid is told
// with the node.
constexpr std::array kTold = {
    Rule::NotOnNode,        Rule::BindingOff,     Rule::NodeOperations, Rule::CountersOff,
    Rule::CapacityMissing,  Rule::CapacityPolicy, Rule::CapacityShort,  Rule::CapacityHere,
    Rule::Groups,           Rule::GroupsHere,     Rule::Counters,       Rule::CountersHere,
    Rule::AttributeMissing, Rule::ValueDiffers,   Rule::NotDistinct,    Rule::InUseHere,
};

class Folder {
 public:
  Folder(const AllocationInput& input, const Problem& problem, const Search* search)
      : input_(input), problem_(problem), search_(search) {}

  // `only_met`: what holds whatever is picked is left out.
  std::vector<Reason> fold(bool only_met) {
    for (std::size_t i = 0; i < problem_.demands.size(); ++i) {
      for (const Rule rule : kTold)
        add(i, rule, only_met);
    }
    return std::move(reasons_);
  }
  Reason reason_of(std::size_t demand, Rule rule, const std::vector<std::size_t>& devices);

 private:
  void add(std::size_t demand, Rule rule, bool only_met);
  Rules against(std::size_t demand, std::size_t device) const;
  std::string describe(std::size_t index, Rule rule, const std::vector<std::size_t>& devices);
  std::string of_capacity(const DemandHere& demand, Rule rule, std::size_t device,
                          const std::string& count) const;
  std::string of_counters(std::size_t device, const std::string& count) const;
  std::string of_constraint(std::size_t demand, Rule rule,
                            const std::vector<std::size_t>& devices) const;

  const AllocationInput& input_;
  const Problem& problem_;
  const Search* search_;
  std::vector<Reason> reasons_;
};

// Of a device that its selectors do not choose nothing else is of interest.
Rules Folder::against(std::size_t demand, std::size_t device) const {
  const Judgement& judged = problem_.demands[demand].judged[device];
  if (judged.fault == Fault::Selector || judged.against.has(Rule::ClassSelector) ||
      judged.against.has(Rule::RequestSelector))
    return {};
  Rules rules = judged.against;
  if (search_ != nullptr) rules.add(search_->met(demand, device));
  return rules;
}

void Folder::add(std::size_t index, Rule rule, bool only_met) {
  std::vector<std::size_t> devices;
  for (std::size_t device = 0; device < problem_.demands[index].judged.size(); ++device) {
    const Rules rules = only_met ? search_->met(index, device) : against(index, device);
    if (rules.has(rule)) devices.push_back(device);
  }
  if (!devices.empty()) reasons_.push_back(reason_of(index, rule, devices));
}

Reason Folder::reason_of(std::size_t index, Rule rule, const std::vector<std::size_t>& devices) {
  const DemandHere& demand = problem_.demands[index];
  Reason reason{
      .code = code_of(rule), .claim = demand.subject_claim->label(), .request = demand.name};
  reason.devices = static_cast<std::int64_t>(devices.size());
  for (const std::size_t device : devices) {
    if (reason.examples.size() == kMaxReasonExamples) break;
    reason.examples.push_back(to_string(problem_.devices[device].id()));
  }
  reason.message = describe(index, rule, devices);
  if (input_.depth == Depth::Evidence)
    reason.evidence = evidence_of(input_, problem_, index, rule, devices);
  return reason;
}

std::string Folder::describe(std::size_t index, Rule rule,
                             const std::vector<std::size_t>& devices) {
  const DemandHere& demand = problem_.demands[index];
  const std::string count = base::plural(static_cast<std::int64_t>(devices.size()), "device");
  switch (rule) {
    case Rule::NotOnNode:
      return base::format("{} for {} can be used on other nodes only", count, demand.name);
    case Rule::BindingOff:
      return base::format("{} with binding conditions, and {} is off", count,
                          name_of(Gate::DRADeviceBindingConditions));
    case Rule::NodeOperations:
      return input_.on(Gate::DRAOptionalNodeOperations)
                 ? base::format("{} without node operations, which the kubelet here does not know",
                                count)
                 : base::format("{} without node operations, and {} is off", count,
                                name_of(Gate::DRAOptionalNodeOperations));
    case Rule::CountersOff:
      return base::format("{} with shared counters, and {} is off", count,
                          name_of(Gate::DRAPartitionableDevices));
    case Rule::Groups:
    case Rule::GroupsHere:
      return base::format("{} in no compatibility group of the partitions that are {}", count,
                          rule == Rule::Groups ? "in use" : "picked with it");
    case Rule::Counters:
    case Rule::CountersHere:
      return of_counters(devices.front(), count);
    case Rule::InUseHere:
      return base::format("{} for {} that other requests of the same pod need", count, demand.name);
    case Rule::AttributeMissing:
    case Rule::ValueDiffers:
    case Rule::NotDistinct:
      return of_constraint(index, rule, devices);
    default:
      return of_capacity(demand, rule, devices.front(), count);
  }
}

std::string Folder::of_capacity(const DemandHere& demand, Rule rule, std::size_t device,
                                const std::string& count) const {
  const CapacityDraw* draw = demand.draw_for(device);
  if (draw == nullptr)
    return base::format("{} without the capacity that {} takes", count, demand.name);
  const std::string id = to_string(problem_.devices[device].id());
  if (rule == Rule::CapacityMissing)
    return base::format("{} without capacity {}, of which {} asks for some", count, draw->name,
                        demand.name);
  const CapacityPart* missing = short_of(draw->parts, problem_.devices[device].used);
  if (rule == Rule::CapacityPolicy) {
    return base::format("{} whose policy for capacity {} allows no amount that serves {}", count,
                        draw->name, demand.name);
  }
  if (missing == nullptr)
    return base::format("{} on which other requests of the same pod leave too little for {}", count,
                        demand.name);
  base::Quantity left = missing->total;
  if (const base::Quantity* used = problem_.devices[device].used.of(missing->name)) left.sub(*used);
  return base::format("{} takes {} of {}, and {} has {} of {} left{}", demand.name,
                      missing->part.to_string(), missing->name, id, left.to_string(),
                      missing->total.to_string(),
                      count == "1 device" ? "" : base::format(" ({} like that)", count));
}

std::string Folder::of_counters(std::size_t device, const std::string& count) const {
  const SeenDevice& seen = problem_.devices[device];
  const auto missing = problem_.ledgers[seen.ledger].missing(*seen.published.device);
  if (!missing)
    return base::format("{} for which devices of the same pod leave too little of the counters",
                        count);
  return base::format("{} for which the counters are used up: {} takes {} of {} {}, {} left", count,
                      seen.published.device->name, missing->wanted.to_string(), missing->set,
                      missing->counter, missing->left.to_string());
}

// Of what the rule says of one device; those of a demand are all of one claim.
std::string Folder::of_constraint(std::size_t demand, Rule rule,
                                  const std::vector<std::size_t>& devices) const {
  const std::string count = base::plural(static_cast<std::int64_t>(devices.size()), "device");
  const ClaimHere& claim = problem_.claims[problem_.demands[demand].claim];
  std::vector<std::string> parts;
  for (const std::size_t index : constraints_of(problem_, demand, rule, devices.front()))
    parts.push_back(
        base::format("{} (constraint {})", claim.constraints[index].attribute(), index));
  const std::string list = base::join(parts, " and ");
  if (parts.empty()) return base::format("a constraint does not let {} in", count);
  if (rule == Rule::AttributeMissing) return base::format("{} without attribute {}", count, list);
  return base::format("{} of {}",
                      rule == Rule::ValueDiffers ? "no set of devices has one value"
                                                 : "too few devices have different values",
                      list);
}

Reason reason_about(Code code, const DemandHere& demand, const SeenDevice& device) {
  return {.code = code,
          .claim = demand.subject_claim->label(),
          .request = demand.name,
          .devices = 1,
          .examples = {to_string(device.id())}};
}

Reason in_use(const AllocationInput& input, const DemandHere& demand, const SeenDevice& device) {
  Reason reason = reason_about(Code::DeviceInUse, demand, device);
  add_holders(reason, {&device.published, nullptr, &input.inventory.facts(device.published)});
  std::vector<std::string> users;
  for (const diag::Holder& holder : reason.holders) {
    users.push_back(holder.pod.empty()
                        ? base::format("claim {}, which no pod uses", holder.claim)
                        : base::format("claim {} (pod {})", holder.claim, holder.pod));
  }
  reason.message = "held by " + base::join(users, " and ");
  return reason;
}

void add_objections(const AllocationInput& input, const DemandHere& demand,
                    const SeenDevice& device, std::vector<Reason>& reasons) {
  for (const Said& said : input.demands.objections(*demand.demand, device.published)) {
    if (said.outcome == Outcome::Failed) continue;  // that is the fault
    Reason reason = reason_about(said.of_class ? Code::ClassSelectorFalse : Code::SelectorFalse,
                                 demand, device);
    reason.source = said.of_class ? "class" : "request";
    reason.selector = said.selector;
    reason.expression = std::string(said.expression);
    reason.message = said.of_class
                         ? base::format("selector {} of class {} is false", said.selector,
                                        demand.demand->device_class)
                         : base::format("selector {} of {} is false", said.selector, demand.name);
    reasons.push_back(std::move(reason));
  }
}

void add_taints(const DemandHere& demand, const SeenDevice& device, std::vector<Reason>& reasons) {
  for (const DeviceTaintOf& taint : device.taints) {
    if (tolerates_all(demand.demand->tolerations, {&taint, 1})) continue;
    Reason reason = reason_about(Code::DeviceTainted, demand, device);
    const api::DeviceTaint& one = *taint.taint;
    reason.message = base::format(
        "taint {}{} is not tolerated", describe_taint(one.key, one.value, one.effect),
        taint.rule == nullptr ? "" : base::format(" of rule {}", taint.rule->meta.name));
    reasons.push_back(std::move(reason));
  }
}

// A device without an attribute of a constraint is out, also where the search has to find that out
// as an error could come first.
bool lacks_attribute(const Problem& problem, const DemandHere& demand, std::size_t device) {
  const ClaimHere& claim = problem.claims[demand.claim];
  for (std::size_t i = 0; i < demand.constraints.size(); ++i) {
    const auto& attributes = claim.attributes[demand.constraints[i]];
    if (demand.derived[i] == nullptr && attributes[device] == nullptr) return true;
  }
  return false;
}

}  // namespace

std::vector<Reason> reasons_against(const AllocationInput& input, const Problem& problem,
                                    const Search* search) {
  return Folder(input, problem, search).fold(false);
}

std::vector<Reason> reasons_met(const AllocationInput& input, const Problem& problem,
                                const Search& search) {
  return Folder(input, problem, &search).fold(true);
}

std::vector<Reason> reasons_against(const AllocationInput& input, const Problem& problem,
                                    std::size_t demand, std::size_t device) {
  const DemandHere& here = problem.demands[demand];
  const SeenDevice& seen = problem.devices[device];
  const Judgement& judged = here.judged[device];
  Rules rules = judged.against;
  if (lacks_attribute(problem, here, device)) rules.add(Rule::AttributeMissing);
  std::vector<Reason> reasons;
  if (rules.has(Rule::InUse)) reasons.push_back(in_use(input, here, seen));
  if (judged.fault != Fault::None) reasons.push_back(fault_of(input, problem, here, device));
  add_objections(input, here, seen, reasons);
  Folder folder(input, problem, nullptr);
  for (const Rule rule : kTold) {
    if (rules.has(rule)) reasons.push_back(folder.reason_of(demand, rule, {device}));
  }
  add_taints(here, seen, reasons);
  return reasons;
}

}  // namespace dra::engine
