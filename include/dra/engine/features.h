// include/dra/engine/features.h
//
// What the control plane of a release does: its DRA feature gates and their defaults. No rule asks
// for a version; it asks whether a gate is on.
//
// Defaults: k8s.io/kubernetes/pkg/features/kube_features.go of v1.32 to v1.37.

#pragma once

#include <bitset>
#include <cstdint>
#include <string_view>
#include <vector>

#include "dra/snapshot/snapshot.h"

namespace dra::engine {

enum class Gate : std::uint8_t {
  DRAAdminAccess,
  DRAConsumableCapacity,
  DRADerivedAttributes,
  DRADeviceBindingConditions,
  DRADeviceCompatibilityGroups,
  DRADeviceTaintRules,
  DRADeviceTaints,
  DRAExtendedResource,
  DRAFractionalCapacityRange,
  DRAListTypeAttributes,
  DRANodeAllocatableResources,
  DRAOptionalNodeOperations,
  DRAPartitionableDevices,
  DRAPrioritizedList,
  DRAResourceClaimDeviceStatus,
  DRASchedulerFilterTimeout,
  DRAWorkloadResourceClaims,
  DynamicResourceAllocation,
};
inline constexpr std::size_t kGateCount = 18;

std::string_view name_of(Gate gate);

class Features {
 public:
  bool on(Gate gate) const { return on_.test(static_cast<std::size_t>(gate)); }
  void set(Gate gate, bool on) { on_.set(static_cast<std::size_t>(gate), on); }
  std::vector<std::string_view> names() const;  // of the gates that are on, sorted

 private:
  std::bitset<kGateCount> on_;
};

// 37 for "v1.37.1-gke.100"; as for the defaults, the nearest release known.
int minor_release(const snapshot::Server& server);

// The defaults of the server's release; of the nearest one known for older and newer servers, and
// of the newest for a version that cannot be read.
Features features_of(const snapshot::Server& server);

}  // namespace dra::engine
