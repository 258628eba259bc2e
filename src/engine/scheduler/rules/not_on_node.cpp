// src/engine/scheduler/rules/not_on_node.cpp: in a slice with perDeviceNodeSelection each device
// says for which nodes it is.

#include "dra/base/text.h"
#include "src/engine/scheduler/rules/device_rule.h"

namespace dra::engine::rules {
namespace {

bool is_for_others(DeviceCheck& check) { return !check.device.for_node; }

std::string other_nodes_words(const Rejection& rejection) {
  return base::format("{} for {} can be used on other nodes only", rejection.count(),
                      rejection.demanded().name);
}

}  // namespace

constinit const DeviceRule kNotOnNode = {
    .rejects = is_for_others, .outside_all = true, .words = other_nodes_words};

}  // namespace dra::engine::rules
