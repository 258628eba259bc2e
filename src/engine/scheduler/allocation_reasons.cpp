// src/engine/scheduler/allocation_reasons.cpp: for each demand and rule the devices that the rule
// rejects make one reason; the rules in rules/ give its words and figures.

#include "src/engine/scheduler/allocation_reasons.h"

#include <algorithm>
#include <memory>

#include "src/engine/scheduler/allocation_errors.h"
#include "src/engine/scheduler/rules/device_rule.h"

namespace dra::engine {
namespace {

using diag::Reason;

constexpr std::size_t kMaxReasonExamples = 3;

class Folder {
 public:
  Folder(const AllocationInput& input, const Problem& problem, const Search* search)
      : input_(input), problem_(problem), search_(search) {}

  // `only_met`: without rules that hold whatever is picked.
  std::vector<Reason> fold(bool only_met) {
    for (std::size_t i = 0; i < problem_.demands.size(); ++i) {
      for (const Rule rule : rules_in_order())
        add(i, rule, only_met);
    }
    return std::move(reasons_);
  }
  Reason reason_of(std::size_t demand, Rule rule, const std::vector<std::size_t>& devices);

 private:
  void add(std::size_t demand, Rule rule, bool only_met);
  Rules against(std::size_t demand, std::size_t device) const;

  const AllocationInput& input_;
  const Problem& problem_;
  const Search* search_;
  std::vector<Reason> reasons_;
};

// A device that its selectors do not choose is of no further interest.
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
  const DeviceRule& about = device_rule(rule);
  const Rejection rejection{input_, problem_, index, rule, devices};
  reason.message = about.words(rejection);
  if (input_.depth == Depth::Evidence && about.evidence != nullptr) {
    diag::Evidence evidence;
    about.evidence(rejection, evidence);
    reason.evidence = std::make_shared<const diag::Evidence>(std::move(evidence));
  }
  return reason;
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
  if (misses_attribute(problem, here, device)) rules.add(Rule::AttributeMissing);
  std::vector<Reason> reasons;
  if (rules.has(Rule::InUse)) reasons.push_back(in_use_reason(input, here, seen));
  if (judged.fault != Fault::None) reasons.push_back(fault_of(input, problem, here, device));
  add_false_selectors(input, here, seen, reasons);
  Folder folder(input, problem, nullptr);
  for (const Rule rule : rules_in_order()) {
    if (rules.has(rule)) reasons.push_back(folder.reason_of(demand, rule, {device}));
  }
  add_taints(here, seen, reasons);
  return reasons;
}

}  // namespace dra::engine
