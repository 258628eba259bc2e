// src/engine/scheduler/rules/in_use.cpp: a device that a claim holds as a whole is not given again.
// Admin access shares it with anybody. Of devices picked in the same attempt the search knows
// (Search::in_use_here).

#include "dra/base/text.h"
#include "src/engine/scheduler/demand_counts.h"
#include "src/engine/scheduler/rules/device_rule.h"
#include "src/engine/scheduler/solved_node.h"

namespace dra::engine {
namespace {

bool is_held(DeviceCheck& check) { return check.device.held && !check.demand.admin(); }

std::string picked_words(const Rejection& rejection) {
  return base::format("{} for {} that other requests of the same pod need", rejection.count(),
                      rejection.demanded().name);
}

}  // namespace

namespace rules {
constinit const DeviceRule kInUse = {.rejects = is_held};
constinit const DeviceRule kInUseHere = {.words = picked_words};
}  // namespace rules

diag::Reason in_use_reason(const AllocationInput& input, const DemandHere& demand,
                           const SeenDevice& device) {
  diag::Reason reason = reason_about(code_of(Rule::InUse), demand, device);
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

}  // namespace dra::engine
