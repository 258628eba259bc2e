// src/engine/scheduler/rules/node_operations.cpp: where a slice says that its driver skips node
// operations, the node's kubelet must declare that it can skip them, too. Only the experimental
// allocator looks at that.

#include <algorithm>

#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "src/engine/scheduler/rules/device_rule.h"

namespace dra::engine::rules {
namespace {

constexpr std::string_view kOptionalNodeOperations = "DRAOptionalNodeOperations";

bool needs_operations(DeviceCheck& check) {
  if (check.device.published.slice->spec.skip_node_operations.empty() ||
      !check.input.is_experimental())
    return false;
  const auto& declared = check.node.status.declared_features;
  return !check.input.on(Gate::DRAOptionalNodeOperations) ||
         std::ranges::find(declared, kOptionalNodeOperations) == declared.end();
}

std::string operations_words(const Rejection& rejection) {
  return rejection.input.on(Gate::DRAOptionalNodeOperations)
             ? base::format("{} without node operations, which the kubelet here does not know",
                            rejection.count())
             : base::format("{} without node operations, and {} is off", rejection.count(),
                            name_of(Gate::DRAOptionalNodeOperations));
}

}  // namespace

constinit const DeviceRule kNodeOperations = {.rejects = needs_operations,
                                              .words = operations_words};

}  // namespace dra::engine::rules
