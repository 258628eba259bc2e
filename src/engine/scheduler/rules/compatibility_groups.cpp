// src/engine/scheduler/rules/compatibility_groups.cpp: devices that draw on the same counters may
// name groups, and then only devices with a group in common are used at the same time. The ledger
// keeps the groups; the search asks it again for the devices that it picked (Ledger::admits).

#include "dra/base/text.h"
#include "src/engine/scheduler/rules/device_rule.h"

namespace dra::engine::rules {
namespace {

bool is_incompatible(DeviceCheck& check) {
  const SeenDevice& device = check.device;
  if (!device.draws_counters(check.input)) return false;
  return !check.problem.ledgers[device.ledger].admits(*device.published.device);
}

std::string groups_words(const Rejection& rejection) {
  return base::format("{} in no compatibility group of the partitions that are {}",
                      rejection.count(),
                      rejection.rule == Rule::Groups ? "in use" : "picked with it");
}

}  // namespace

constinit const DeviceRule kGroups = {.rejects = is_incompatible, .words = groups_words};
constinit const DeviceRule kGroupsHere = {.words = groups_words};

}  // namespace dra::engine::rules
