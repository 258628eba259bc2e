// include/dra/engine/facts/features.h
//
// The DRA feature gates of a control plane, and those of other parts of its scheduler, with their
// defaults by release. Rules ask whether a gate is on, not which version runs.
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
  DRAPartitionableDevicesType,
  DRAPrioritizedList,
  DRAResourceClaimDeviceStatus,
  DRASchedulerFilterTimeout,
  DRAWorkloadResourceClaims,
  DynamicResourceAllocation,
  // These are of other parts of the scheduler.
  GangScheduling,   // up to 1.36; from 1.37 on a part of GenericWorkload
  GenericWorkload,  // pod groups
  NodeDeclaredFeatures,
  TaintTolerationComparisonOperators,
  VolumeLimitScaling,
};
inline constexpr std::size_t kGateCount = 24;

std::string_view name_of(Gate gate);
std::vector<std::string_view> gate_names();  // all, sorted

class Features {
 public:
  bool on(Gate gate) const { return on_.test(static_cast<std::size_t>(gate)); }
  void set(Gate gate, bool on) { on_.set(static_cast<std::size_t>(gate), on); }
  std::vector<std::string_view> names() const;  // of the DRA gates that are on, sorted

  // These depend on the release alone. 1.34 judges a pool by the slices that the node sees: an
  // incomplete pool is used, too; only a duplicate device makes a pool invalid, which is an error
  // for the whole pod; counters belong to a slice.
  bool pools_as_in_34() const { return pools_as_in_34_; }
  void set_pools_as_in_34(bool value) { pools_as_in_34_ = value; }
  // Variants of the allocator that count slices with counters on every node: all of 1.35 and 1.36,
  // and the stable one later.
  bool counters_are_everywhere() const { return counters_are_everywhere_; }
  void set_counters_are_everywhere(bool value) { counters_are_everywhere_ = value; }
  // Variants that treat slices with counters like other slices, also while the counters' gate is
  // off, and that check the validity of incomplete pools: all of 1.34, and the stable one of 1.35.
  bool counters_are_plain() const { return counters_are_plain_; }
  void set_counters_are_plain(bool value) { counters_are_plain_ = value; }

 private:
  std::bitset<kGateCount> on_;
  bool pools_as_in_34_ = false;
  bool counters_are_everywhere_ = false;
  bool counters_are_plain_ = false;
};

// The minor numbers of the releases that are known.
inline constexpr int kOldestRelease = 32;
inline constexpr int kNewestRelease = 37;

// 37 for "v1.37.1-gke.100"; an unknown release counts as the nearest known one.
int minor_release(const snapshot::Server& server);

// The defaults of the server's release, overridden by what is known of its gates. An unknown
// release counts as the nearest known one, an unreadable version as the newest.
Features features_of(const snapshot::Server& server);

// Whether the state of the gate is the default of its release: the server has not reported its
// gates, and nothing else says so.
bool is_assumed(const snapshot::Server& server, Gate gate);

// Upstream has three variants of the allocator and takes the first that supports all features that
// are on. They also differ in behaviour.
enum class AllocatorVariant : std::uint8_t { Stable, Incubating, Experimental };

// Upstream: k8s.io/dynamic-resource-allocation/structured, NewAllocator and each SupportedFeatures;
// k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources, AllocatorFeatures.
AllocatorVariant allocator_variant(const Features& features, int minor_release);

// Whether the variant knows binding conditions, capacity and distinctAttribute in that release; the
// experimental one had them first.
bool knows_binding_and_capacity(AllocatorVariant variant, int minor_release);

}  // namespace dra::engine
