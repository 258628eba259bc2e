// src/engine/scheduler/rules/binding_conditions.cpp: a device with binding conditions needs their
// gate, and the one of the claims' status that they are written to. Upstream looks at nothing else
// of such a device.

#include "dra/base/text.h"
#include "src/engine/scheduler/rules/device_rule.h"

namespace dra::engine::rules {
namespace {

bool is_off(DeviceCheck& check) {
  return !check.device.published.device->binding_conditions.empty() &&
         !check.input.binding_conditions();
}

std::string binding_words(const Rejection& rejection) {
  return base::format("{} with binding conditions, and {} is off", rejection.count(),
                      name_of(Gate::DRADeviceBindingConditions));
}

}  // namespace

constinit const DeviceRule kBindingOff = {
    .rejects = is_off, .ends = true, .outside_all = true, .words = binding_words};

}  // namespace dra::engine::rules
