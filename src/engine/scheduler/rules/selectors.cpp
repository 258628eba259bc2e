// src/engine/scheduler/rules/selectors.cpp: the selectors of the class, then those of the request,
// must be true for the device. One that fails is not a rejection but an error, which ends the whole
// attempt (DeviceCheck::fault).

#include "dra/base/text.h"
#include "src/engine/scheduler/rules/device_rule.h"

namespace dra::engine {
namespace {

bool is_passed_over(DeviceCheck& check, bool by_class) {
  if (check.outcome() != Outcome::PassedOver) return false;
  return check.input.demands.said(check.chooser, check.device.published)->of_class == by_class;
}

bool class_rejects(DeviceCheck& check) { return is_passed_over(check, true); }
bool request_rejects(DeviceCheck& check) { return is_passed_over(check, false); }

}  // namespace

namespace rules {
constinit const DeviceRule kClassSelector = {.rejects = class_rejects, .outside_all = true};
constinit const DeviceRule kRequestSelector = {.rejects = request_rejects, .outside_all = true};
}  // namespace rules

void add_false_selectors(const AllocationInput& input, const DemandHere& demand,
                         const SeenDevice& device, std::vector<diag::Reason>& reasons) {
  for (const Said& said : input.demands.objections(*demand.demand, device.published)) {
    if (said.outcome == Outcome::Failed) continue;  // that is the fault
    const Rule rule = said.of_class ? Rule::ClassSelector : Rule::RequestSelector;
    diag::Reason reason = reason_about(code_of(rule), demand, device);
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

}  // namespace dra::engine
