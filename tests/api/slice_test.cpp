// tests/api/slice_test.cpp: the fields of ResourceSlice and DeviceTaintRule.

#include "dra/api/slice.h"
#include "dra/api/taint_rule.h"

#include <doctest/doctest.h>

#include "tests/support/builders.h"

namespace dra::api::slice_test {
namespace {

using support::scene;

const Device& device_of(const snapshot::Snapshot& snapshot) {
  return snapshot.all<ResourceSlice>().front().spec.devices.front();
}

TEST_CASE("quantities keep their text, whether written as text or as a number") {
  const auto snapshot =
      scene()
          .slice({.name = "s",
                  .devices = "{name: d, capacity: {memory: {value: 40Gi}, slots: {value: 7}, "
                             "share: {value: 0.5}}}"})
          .build();
  const Device& device = device_of(snapshot);
  CHECK(find(device.capacity, "memory")->value.text == "40Gi");
  CHECK(find(device.capacity, "slots")->value.text == "7");
  CHECK(find(device.capacity, "share")->value.text == "0.5");
  CHECK(find(device.capacity, "other") == nullptr);
}

TEST_CASE("attributes have exactly the type that was written") {
  const auto snapshot =
      scene()
          .slice({.name = "s",
                  .devices = "{name: d, attributes: {i: {int: -3}, b: {bool: false}, s: {string: "
                             "\"3\"}, v: {version: 1.2.3}, l: {strings: [a, b]}, f: {bools: [true, "
                             "false]}}}"})
          .build();
  const Map<DeviceAttribute>& attributes = device_of(snapshot).attributes;
  using Kind = DeviceAttribute::Kind;
  const auto kind_of = [&attributes](const char* name) { return find(attributes, name)->kind(); };
  CHECK(kind_of("i") == Kind::Int);
  CHECK(find(attributes, "i")->as_int() == -3);
  CHECK(kind_of("b") == Kind::Bool);
  CHECK_FALSE(find(attributes, "b")->as_bool());
  CHECK(kind_of("s") == Kind::String);
  CHECK(find(attributes, "s")->text() == "3");
  CHECK(kind_of("v") == Kind::Version);
  CHECK(find(attributes, "v")->text() == "1.2.3");
  CHECK(kind_of("l") == Kind::Strings);
  CHECK(find(attributes, "l")->lists().strings == std::vector<std::string_view>{"a", "b"});
  CHECK(kind_of("f") == Kind::Bools);
  CHECK(find(attributes, "f")->lists().bools == std::vector<bool>{true, false});
}

TEST_CASE("of several values of an attribute the one counts that the scheduler takes") {
  const auto snapshot =
      scene()
          .slice({.name = "s",
                  .devices = "{name: d, attributes: {a: {version: 1.0.0, string: x, bool: true, "
                             "int: 1}, b: {int: 1, strings: [x], ints: [2]}, c: {strings: [], "
                             "version: 1.0.0, string: null}, d: {}}}"})
          .build();
  using Kind = DeviceAttribute::Kind;
  const Map<DeviceAttribute>& attributes = device_of(snapshot).attributes;
  CHECK(find(attributes, "a")->kind() == Kind::Int);
  CHECK(find(attributes, "b")->kind() == Kind::Ints);
  CHECK(find(attributes, "c")->kind() == Kind::Version);
  CHECK(find(attributes, "d")->kind() == Kind::None);
}

TEST_CASE("a device carries its policy, counters, taints and bindings") {
  const auto snapshot =
      scene()
          .slice(
              {.name = "s",
               .where = "perDeviceNodeSelection: true",
               .devices =
                   "{name: d, nodeName: node-1, allowMultipleAllocations: true, bindsToNode: true, "
                   "bindingConditions: [ready], bindingFailureConditions: [broken], capacity: "
                   "{m: {value: 8, requestPolicy: {default: 1, validRange: {min: 1, max: 4, step: "
                   "1}}}}, consumesCounters: [{counterSet: c, counters: {x: {value: 2}}, "
                   "compatibilityGroups: [g]}], taints: [{key: k, value: v, effect: NoExecute, "
                   "timeAdded: '2026-11-20T08:00:00Z'}]}"})
          .build();
  CHECK(snapshot.all<ResourceSlice>().front().spec.per_device_node_selection);
  const Device& device = device_of(snapshot);
  CHECK(device.node_name == "node-1");
  CHECK(device.allow_multiple_allocations);
  CHECK(device.binds_to_node);
  CHECK(device.binding_conditions.size() == 1);
  CHECK(device.binding_conditions.front() == "ready");
  CHECK(device.binding_failure_conditions.size() == 1);
  CHECK(device.binding_failure_conditions.front() == "broken");
  const CapacityPolicy& policy = *find(device.capacity, "m")->policy;
  CHECK(policy.default_value->text == "1");
  CHECK(policy.valid_range->max->text == "4");
  CHECK(device.consumes.front().counter_set == "c");
  CHECK(find(device.consumes.front().counters, "x")->value.text == "2");
  CHECK(device.consumes.front().compatibility_groups.front() == "g");
  CHECK(device.taints.front().key == "k");
  CHECK(base::format_rfc3339(*device.taints.front().added) == "2026-11-20T08:00:00Z");
}

struct EffectCase {
  const char* name;
  const char* effect;
  bool keeps_away;
};

const EffectCase kEffects[] = {
    {"NoSchedule keeps pods away", "NoSchedule", true},
    {"NoExecute keeps pods away", "NoExecute", true},
    {"None only informs", "None", false},
    {"an effect of a later release is ignored", "PreferNoSchedule", false},
    {"no effect is none", "", false},
};

TEST_CASE("effects of taints") {
  for (const EffectCase& row : kEffects) {
    CAPTURE(row.name);
    CHECK(DeviceTaint{.effect = row.effect}.keeps_pods_away() == row.keeps_away);
  }
}

TEST_CASE("a taint rule tells an absent selector from an empty one") {
  const auto snapshot =
      scene()
          .taint_rule("a-none", "", "key: k, effect: NoSchedule")
          .taint_rule("b-empty", "deviceSelector: {}", "key: k, effect: NoSchedule")
          .taint_rule("c-some", "deviceSelector: {pool: p, device: ''}", "key: k")
          .build();
  const auto& rules = snapshot.all<DeviceTaintRule>();
  REQUIRE(rules.size() == 3);
  CHECK_FALSE(rules[0].spec.selector);
  REQUIRE(rules[1].spec.selector);
  CHECK_FALSE(rules[1].spec.selector->driver);
  REQUIRE(rules[2].spec.selector);
  CHECK(rules[2].spec.selector->pool == "p");
  CHECK(rules[2].spec.selector->device == "");
}

}  // namespace
}  // namespace dra::api::slice_test
