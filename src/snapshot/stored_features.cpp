// src/snapshot/stored_features.cpp: see stored_features.h.

#include "src/snapshot/stored_features.h"

#include <algorithm>

#include "dra/api/device_class.h"
#include "dra/api/slice.h"

namespace dra::snapshot {

std::vector<std::string_view> stored_features(const Snapshot& snapshot) {
  bool taints = false;
  bool counters = false;
  bool shares = false;
  bool binding = false;
  for (const api::ResourceSlice& slice : snapshot.all<api::ResourceSlice>()) {
    counters = counters || !slice.spec.shared_counters.empty();
    for (const api::Device& device : slice.spec.devices) {
      taints = taints || !device.taints.empty();
      counters = counters || !device.consumes.empty();
      shares = shares || device.allow_multiple_allocations;
      binding = binding || !device.binding_conditions.empty();
    }
  }
  const bool extended = std::ranges::any_of(
      snapshot.all<api::DeviceClass>(),
      [](const api::DeviceClass& one) { return !one.spec.extended_resource.empty(); });
  std::vector<std::string_view> names;
  if (taints) names.emplace_back("DRADeviceTaints");
  if (counters) names.emplace_back("DRAPartitionableDevices");
  if (shares) names.emplace_back("DRAConsumableCapacity");
  if (binding) names.emplace_back("DRADeviceBindingConditions");
  if (extended) names.emplace_back("DRAExtendedResource");
  return names;
}

}  // namespace dra::snapshot
