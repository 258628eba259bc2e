// src/engine/scheduler/rules/taints.cpp: each taint of a device, its own or a rule's, must be
// tolerated by the demand.

#include "dra/api/taint_rule.h"
#include "dra/base/text.h"
#include "src/engine/scheduler/rules/device_rule.h"

namespace dra::engine {
namespace {

bool is_not_tolerated(DeviceCheck& check) {
  return !tolerates_all(check.demand.demand->tolerations, check.device.taints);
}

}  // namespace

namespace rules {
constinit const DeviceRule kTaint = {.rejects = is_not_tolerated};
}  // namespace rules

void add_taints(const DemandHere& demand, const SeenDevice& device,
                std::vector<diag::Reason>& reasons) {
  for (const DeviceTaintOf& taint : device.taints) {
    if (tolerates_all(demand.demand->tolerations, {&taint, 1})) continue;
    diag::Reason reason = reason_about(code_of(Rule::Taint), demand, device);
    const api::DeviceTaint& one = *taint.taint;
    reason.message = base::format(
        "taint {}{} is not tolerated", describe_taint(one.key, one.value, one.effect),
        taint.rule == nullptr ? "" : base::format(" of rule {}", taint.rule->meta.name));
    reasons.push_back(std::move(reason));
  }
}

}  // namespace dra::engine
