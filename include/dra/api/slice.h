// include/dra/api/slice.h
//
// ResourceSlice: some of the devices that one driver publishes in one pool. Shape of
// resource.k8s.io/v1; the pool put together from its slices is engine/pool.

#pragma once

#include "dra/api/meta.h"

namespace dra::api {

inline constexpr std::string_view kTaintNone = "None";  // informs, has no effect
inline constexpr std::string_view kTaintNoSchedule = "NoSchedule";
inline constexpr std::string_view kTaintNoExecute = "NoExecute";

struct DeviceTaint {
  std::string_view key;
  std::string_view value;
  std::string_view effect;
  Time added;

  // Effects that the scheduler does not know are ignored, as None is.
  bool keeps_pods_away() const { return effect == kTaintNoSchedule || effect == kTaintNoExecute; }
};

// Exactly one is set; a list attribute has one of the vectors.
struct DeviceAttribute {
  std::optional<std::int64_t> int_value;
  std::optional<bool> bool_value;
  std::optional<std::string_view> string_value;
  std::optional<std::string_view> version_value;
  std::vector<std::int64_t> ints;
  std::vector<bool> bools;
  std::vector<std::string_view> strings;
  std::vector<std::string_view> versions;
};

struct ValidRange {
  std::optional<Quantity> min;
  std::optional<Quantity> max;
  std::optional<Quantity> step;
};
struct CapacityPolicy {
  std::optional<Quantity> default_value;
  std::vector<Quantity> valid_values;
  std::optional<ValidRange> valid_range;
};
struct DeviceCapacity {
  Quantity value;
  std::optional<CapacityPolicy> policy;
};

struct Counter {
  Quantity value;
};
struct CounterSet {
  std::string_view name;
  Map<Counter> counters;
};
struct CounterConsumption {
  std::string_view counter_set;
  Map<Counter> counters;
  std::vector<std::string_view> compatibility_groups;
};

struct Device {
  std::string_view name;
  Map<DeviceAttribute> attributes;
  Map<DeviceCapacity> capacity;
  std::vector<CounterConsumption> consumes;
  std::string_view node_name;
  std::optional<NodeSelector> node_selector;
  bool all_nodes = false;
  std::vector<DeviceTaint> taints;
  bool binds_to_node = false;
  std::vector<std::string_view> binding_conditions;
  std::vector<std::string_view> binding_failure_conditions;
  bool allow_multiple_allocations = false;
};

struct PoolRef {
  std::string_view name;
  std::int64_t generation = 0;
  std::int64_t slice_count = 0;
};

struct SliceSpec {
  std::string_view driver;
  PoolRef pool;
  std::string_view node_name;
  std::optional<NodeSelector> node_selector;
  bool all_nodes = false;
  std::vector<Device> devices;
  bool per_device_node_selection = false;
  std::vector<CounterSet> shared_counters;
};

struct ResourceSlice {
  ObjectMeta meta;
  SliceSpec spec;
  Origin origin;
};

}  // namespace dra::api
