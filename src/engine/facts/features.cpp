// src/engine/facts/features.cpp: the table of gates with the releases in which their defaults
// changed, and the choice of the allocator's variant.

#include "dra/engine/facts/features.h"

#include <algorithm>
#include <array>

#include "dra/api/release.h"

namespace dra::engine {
namespace {

constexpr int kNever = 1000;

struct GateRow {
  Gate gate;
  std::string_view name;
  int on_since;  // the minor release of Kubernetes 1 in which the default became "on"
};

// DRAFractionalCapacityRange is beta and nominally on in 1.37, but its default needs a minimum
// compatibility version of 1.37, and a plain control plane has 1.36: it is off.
constexpr std::array<GateRow, kGateCount> kGates = {{
    {Gate::DRAAdminAccess, "DRAAdminAccess", 34},
    {Gate::DRAConsumableCapacity, "DRAConsumableCapacity", 36},
    {Gate::DRADerivedAttributes, "DRADerivedAttributes", kNever},
    {Gate::DRADeviceBindingConditions, "DRADeviceBindingConditions", 36},
    {Gate::DRADeviceCompatibilityGroups, "DRADeviceCompatibilityGroups", kNever},
    {Gate::DRADeviceTaintRules, "DRADeviceTaintRules", 37},
    {Gate::DRADeviceTaints, "DRADeviceTaints", 36},
    {Gate::DRAExtendedResource, "DRAExtendedResource", 36},
    {Gate::DRAFractionalCapacityRange, "DRAFractionalCapacityRange", kNever},
    {Gate::DRAListTypeAttributes, "DRAListTypeAttributes", kNever},
    {Gate::DRANodeAllocatableResources, "DRANodeAllocatableResources", kNever},
    {Gate::DRAOptionalNodeOperations, "DRAOptionalNodeOperations", kNever},
    {Gate::DRAPartitionableDevices, "DRAPartitionableDevices", 36},
    {Gate::DRAPartitionableDevicesType, "DRAPartitionableDevicesType", kNever},
    {Gate::DRAPrioritizedList, "DRAPrioritizedList", 34},
    {Gate::DRAResourceClaimDeviceStatus, "DRAResourceClaimDeviceStatus", 33},
    {Gate::DRASchedulerFilterTimeout, "DRASchedulerFilterTimeout", 34},
    {Gate::DRAWorkloadResourceClaims, "DRAWorkloadResourceClaims", kNever},
    {Gate::DynamicResourceAllocation, "DynamicResourceAllocation", 34},
    {Gate::GangScheduling, "GangScheduling", kNever},
    {Gate::GenericWorkload, "GenericWorkload", kNever},
    {Gate::NodeDeclaredFeatures, "NodeDeclaredFeatures", 36},
    {Gate::TaintTolerationComparisonOperators, "TaintTolerationComparisonOperators", kNever},
    {Gate::VolumeLimitScaling, "VolumeLimitScaling", 37},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kGates.size(); ++i) {
    if (static_cast<std::size_t>(kGates[i].gate) != i) return false;
    if (i > 0 && kGates[i - 1].name >= kGates[i].name) return false;
  }
  return true;
}
static_assert(in_order(), "rows are sorted and stand in the order of the enumeration");

// 37 for "v1.37.1-gke.100"; the newest known release if the version has another form.
int minor_of(std::string_view version) {
  const auto release = api::release_of(version);
  return release ? std::clamp(release->minor, kOldestRelease, kNewestRelease) : kNewestRelease;
}

}  // namespace

std::string_view name_of(Gate gate) { return kGates[static_cast<std::size_t>(gate)].name; }

std::vector<std::string_view> gate_names() {
  std::vector<std::string_view> names(kGates.size());
  std::ranges::transform(kGates, names.begin(), &GateRow::name);
  return names;
}

std::vector<std::string_view> Features::names() const {
  std::vector<std::string_view> names;
  for (const GateRow& row : kGates) {
    if (on(row.gate) && row.gate <= Gate::DynamicResourceAllocation) names.push_back(row.name);
  }
  return names;
}

int minor_release(const snapshot::Server& server) { return minor_of(server.version); }

Features features_of(const snapshot::Server& server) {
  Features features;
  const int minor = minor_release(server);
  for (const GateRow& row : kGates)
    features.set(row.gate, minor >= row.on_since);
  features.set_pools_as_in_34(minor <= 34);
  for (const auto& [name, on] : server.gates) {
    const auto row = std::ranges::find(kGates, name, &GateRow::name);
    if (row != kGates.end()) features.set(row->gate, on);
  }
  const bool stable = allocator_variant(features, minor) == AllocatorVariant::Stable;
  const bool plain = minor <= 34 || (minor == 35 && stable);
  features.set_counters_are_plain(plain);
  features.set_counters_are_everywhere(!plain && (minor <= 36 || stable));
  return features;
}

bool knows_binding_and_capacity(AllocatorVariant variant, int minor_release) {
  return variant == AllocatorVariant::Experimental ||
         (minor_release >= 36 && variant != AllocatorVariant::Stable);
}

bool is_assumed(const snapshot::Server& server, Gate gate) {
  return !server.gates_known && std::ranges::none_of(server.gates, [gate](const auto& known) {
    return known.first == name_of(gate);
  });
}

AllocatorVariant allocator_variant(const Features& features, int minor_release) {
  const auto any_on = [&features](std::initializer_list<Gate> gates) {
    return std::ranges::any_of(gates, [&features](Gate gate) { return features.on(gate); });
  };
  const bool alpha = any_on({Gate::DRAListTypeAttributes, Gate::DRAOptionalNodeOperations,
                             Gate::DRADerivedAttributes, Gate::DRADeviceCompatibilityGroups});
  const bool binding = features.on(Gate::DRADeviceBindingConditions) &&
                       features.on(Gate::DRAResourceClaimDeviceStatus);
  // 1.34 counts these two as features of their own.
  const bool status = minor_release <= 34 && any_on({Gate::DRADeviceBindingConditions,
                                                     Gate::DRAResourceClaimDeviceStatus});
  const bool beta =
      binding || status || any_on({Gate::DRAConsumableCapacity, Gate::DRAFractionalCapacityRange});
  const bool stable = any_on({Gate::DRAAdminAccess, Gate::DRAPrioritizedList,
                              Gate::DRAPartitionableDevices, Gate::DRADeviceTaints});
  if (minor_release >= 36) {
    return alpha  ? AllocatorVariant::Experimental
           : beta ? AllocatorVariant::Incubating
                  : AllocatorVariant::Stable;
  }
  return alpha || beta ? AllocatorVariant::Experimental
         : stable      ? AllocatorVariant::Incubating
                       : AllocatorVariant::Stable;
}

}  // namespace dra::engine
