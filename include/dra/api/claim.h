// include/dra/api/claim.h
//
// ResourceClaim: the devices that a pod requests, and once it is allocated, the devices that it
// got. ResourceClaimTemplate: a claim's spec, from which the claim controller makes one claim per
// pod. Shape of resource.k8s.io/v1.

#pragma once

#include <string>

#include "dra/api/meta.h"

namespace dra::api {

inline constexpr std::string_view kModeExactCount = "ExactCount";  // also when empty
inline constexpr std::string_view kModeAll = "All";

struct Toleration {
  std::string_view key;  // empty: every key
  std::string_view op;   // Equal (also when empty) or Exists
  std::string_view value;
  std::string_view effect;  // empty: every effect
  std::optional<std::int64_t> seconds;
};

struct CelSelector {
  std::string_view expression;  // over `device`
};
struct DeviceSelector {
  std::optional<CelSelector> cel;  // the only kind there is

  std::string_view expression() const { return cel ? cel->expression : std::string_view(); }
};

struct DerivedAttribute {
  std::string_view name;
  std::string_view expression;
};

struct CapacityDemand {
  Map<Quantity> requests;
};

// The devices that a request wants, in `exactly` or in one alternative of `firstAvailable`.
struct DeviceDemand {
  std::string_view device_class;
  std::vector<DeviceSelector> selectors;
  std::string_view mode;
  std::int64_t count = 0;     // 0 means 1 with ExactCount; see wanted()
  bool admin_access = false;  // never in an alternative
  std::vector<Toleration> tolerations;
  std::optional<CapacityDemand> capacity;
  std::vector<DerivedAttribute> derived;

  bool all() const { return mode == kModeAll; }
  // The number of devices with ExactCount. The server's default is 1.
  std::int64_t wanted() const { return count == 0 ? 1 : count; }
};

struct ExactRequest {
  DeviceDemand demand;
};
struct Alternative {
  std::string_view name;
  DeviceDemand demand;
};
struct DeviceRequest {
  std::string_view name;
  std::optional<ExactRequest> exactly;
  std::vector<Alternative> alternatives;  // firstAvailable, in order of preference
};

struct Constraint {
  std::vector<std::string_view> requests;  // empty: all
  std::string_view match_attribute;
  std::string_view distinct_attribute;
};

struct Opaque {
  std::string_view driver;
  RawJson parameters;
};
struct DeviceConfig {
  std::optional<Opaque> opaque;
};
struct ClaimConfig {
  std::vector<std::string_view> requests;
  DeviceConfig config;
};

struct ClaimDevices {
  std::vector<DeviceRequest> requests;
  std::vector<Constraint> constraints;
  std::vector<ClaimConfig> config;
};
struct ClaimSpec {
  ClaimDevices devices;
};

struct AllocationResultItem {
  std::string_view request;  // "req" or "req/sub"
  std::string_view driver;
  std::string_view pool;
  std::string_view device;
  bool admin_access = false;
  RareList<Toleration> tolerations;
  RareList<std::string_view> binding_conditions;
  RareList<std::string_view> binding_failure_conditions;
  std::string_view share_id;
  Map<Quantity> consumed_capacity;
  std::uint32_t pool_number = 0;  // of driver and pool; see pool_names.h
};
struct AllocationConfig {
  std::string_view source;  // FromClass or FromClaim
  std::vector<std::string_view> requests;
  DeviceConfig config;
};
struct AllocatedDevices {
  std::vector<AllocationResultItem> results;
  std::vector<AllocationConfig> config;
};
struct Allocation {
  AllocatedDevices devices;
  std::optional<NodeSelector> node_selector;  // absent: usable on every node
  Time at;
};

struct Consumer {
  std::string_view api_group;  // empty for pods
  std::string_view resource;
  std::string_view name;
  std::string_view uid;

  bool is_pod() const { return api_group.empty() && resource == "pods"; }
};

struct NetworkData {
  std::string_view interface_name;
  std::vector<std::string_view> ips;  // with their prefix: "198.51.100.7/24"
  std::string_view hardware_address;
};
// The driver's status of an allocated device.
struct DeviceStatus {
  std::string_view driver;
  std::string_view pool;
  std::string_view device;
  std::string_view share_id;
  std::vector<Condition> conditions;
  RawJson data;  // of the driver, in any shape
  std::optional<NetworkData> network;
};

struct ClaimStatus {
  std::optional<Allocation> allocation;
  std::vector<Consumer> reserved_for;
  std::vector<DeviceStatus> devices;
};

struct ResourceClaim {
  ObjectMeta meta;
  ClaimSpec spec;
  ClaimStatus status;
  Origin origin;

  bool allocated() const { return status.allocation.has_value(); }
};

struct ClaimTemplateSpec {
  ObjectMeta meta;  // labels and annotations of the claims
  ClaimSpec spec;
};
struct ResourceClaimTemplate {
  ObjectMeta meta;
  ClaimTemplateSpec spec;
  Origin origin;
};

// The demands that can serve a request: the one of `exactly`, or its alternatives in order.
struct NamedDemand {
  std::string name;  // as in allocation results: "req", or "req/sub" for an alternative
  const DeviceDemand* demand;
};
std::vector<NamedDemand> demands_of(const DeviceRequest& request);

}  // namespace dra::api
