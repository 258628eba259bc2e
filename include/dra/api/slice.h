// include/dra/api/slice.h
//
// ResourceSlice: some of the devices that one driver publishes in one pool. Shape of
// resource.k8s.io/v1. engine/cluster/pool combines slices into pools.

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

  // The scheduler ignores None and effects that it does not know.
  bool keeps_pods_away() const { return effect == kTaintNoSchedule || effect == kTaintNoExecute; }
};

// One value of any type. A device has ten or twenty of them, and the time to compare a fleet is the
// time to fetch them from memory. So the types share one place, and lists, which are few, are on
// the heap.
class DeviceAttribute {
 public:
  enum class Kind : std::uint8_t {
    Ints,
    Bools,
    Strings,
    Versions,
    Int,
    Bool,
    String,
    Version,
    None
  };
  struct Lists {
    std::vector<std::int64_t> ints;
    std::vector<bool> bools;
    std::vector<std::string_view> strings;
    std::vector<std::string_view> versions;
  };

  DeviceAttribute() {}
  DeviceAttribute(const DeviceAttribute& other) { copy(other); }
  DeviceAttribute(DeviceAttribute&& other) noexcept { steal(other); }
  DeviceAttribute& operator=(const DeviceAttribute& other);
  DeviceAttribute& operator=(DeviceAttribute&& other) noexcept;
  ~DeviceAttribute() { drop(); }

  static DeviceAttribute integer(std::int64_t value);
  static DeviceAttribute boolean(bool value);
  static DeviceAttribute string(std::string_view value);
  static DeviceAttribute version(std::string_view value);

  // The type of its value. A server sends exactly one value. Of several in a file the scheduler
  // takes the first by the order of the kinds. An empty list is no value.
  Kind kind() const { return kind_; }
  // Only for values of that kind.
  std::int64_t as_int() const { return number_; }
  bool as_bool() const { return number_ != 0; }
  std::string_view text() const { return text_; }  // of String and Version
  // The lists of other kinds are empty.
  const Lists& lists() const { return is_list() ? *lists_ : no_lists(); }
  bool is_list() const { return kind_ < Kind::Int; }

  // Points to the other's text if that is the same.
  void share_text(const DeviceAttribute& other);

  void set_int(std::int64_t value);
  void set_bool(bool value);
  void set_string(std::string_view value);
  void set_version(std::string_view value);
  void set_ints(std::vector<std::int64_t> values);
  void set_bools(std::vector<bool> values);
  void set_strings(std::vector<std::string_view> values);
  void set_versions(std::vector<std::string_view> values);
  // Protobuf has the values of a list one by one.
  void add_int(std::int64_t value);
  void add_bool(bool value);
  void add_string(std::string_view value);
  void add_version(std::string_view value);

  friend bool operator==(const DeviceAttribute& a, const DeviceAttribute& b);

 private:
  static const Lists& no_lists();
  bool takes(Kind kind);
  Lists* list_of(Kind kind);  // to add a value of this kind to; nullptr: another kind counts
  void set(Kind kind, Lists lists);
  void copy(const DeviceAttribute& other);  // these two only if it has no list
  void steal(DeviceAttribute& other);
  void drop() {
    if (is_list()) delete lists_;
  }

  Kind kind_ = Kind::None;
  union {
    std::int64_t number_;  // also of Bool
    std::string_view text_ = {};
    Lists* lists_;  // its own
  };
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
  Rare<CapacityPolicy> policy;
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
  // The device equals its model in all but its name and the attributes whose places have a bit in
  // `differs`. Devices with fields about nodes, taints, counters, shares or binding have no model,
  // and neither have devices that are like few others: nullptr.
  const Device* model = nullptr;
  std::uint64_t differs = 0;
  Map<DeviceAttribute> attributes;
  Map<DeviceCapacity> capacity;
  RareList<CounterConsumption> consumes;
  std::string_view node_name;
  Rare<NodeSelector> node_selector;
  bool all_nodes = false;
  RareList<DeviceTaint> taints;
  bool binds_to_node = false;
  RareList<std::string_view> binding_conditions;
  RareList<std::string_view> binding_failure_conditions;
  bool allow_multiple_allocations = false;
};

// The devices of slices that have the same makes at the same places; see device_models.h.
struct SliceModel {
  std::string_view driver;
  std::vector<Device> devices;
  bool names_ascend = false;  // so no name occurs twice
};

struct PoolRef {
  std::string_view name;
  std::int64_t generation = 0;
  std::int64_t slice_count = 0;
  std::uint32_t number = 0;  // of driver and name; see pool_names.h
};

struct SliceSpec {
  std::string_view driver;
  PoolRef pool;
  std::string_view node_name;
  Rare<NodeSelector> node_selector;
  bool all_nodes = false;
  // Each device's model is the one at its place in this; `differs` has all bits of the devices'.
  // nullptr: the slice has no model.
  const SliceModel* model = nullptr;
  std::uint64_t differs = 0;
  bool names_as_model = false;
  std::vector<Device> devices;
  bool per_device_node_selection = false;
  std::vector<CounterSet> shared_counters;
  // Calls that the kubelet omits for these devices: "NodePrepareResources",
  // "NodeUnprepareResources" or "*".
  std::vector<std::string_view> skip_node_operations;
};

struct ResourceSlice {
  ObjectMeta meta;
  SliceSpec spec;
  Origin origin;
};

}  // namespace dra::api
