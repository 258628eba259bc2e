// tests/engine/scheduler/allocate_features_test.cpp: counters and whatever else hangs on a feature
// gate or a release.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/base/text.h"
#include "tests/support/allocation.h"
#include "tests/support/builders.h"

namespace dra::engine::allocate_features_test {
namespace {

using support::all;
using support::allocated;
using support::devices;
using support::exactly;
using support::first_available;
using support::request;
using support::Scene;
using support::scene;

using Case = support::AllocationCase;

// Of the counter `memory` the pool of n1 has 10.
Scene partitions(std::string_view list) {
  return scene()
      .node("n1")
      .slice({.name = "counters",
              .pool = "n1",
              .count = 2,
              .where = "nodeName: n1",
              .more = "sharedCounters: [{name: set, counters: {memory: {value: 10}}}]"})
      .slice({.name = "devices",
              .pool = "n1",
              .count = 2,
              .where = "nodeName: n1",
              .devices = std::string(list)});
}
std::string part(std::string_view name, int memory, std::string_view more = "",
                 std::string_view groups = "") {
  return base::format(
      "{{name: {}, consumesCounters: [{{counterSet: set, counters: {{memory: {{value: {}}}}}, "
      "compatibilityGroups: [{}]}}]{}}}",
      name, memory, groups, more);
}

TEST_CASE("shared counters") {
  const std::string shareable = ", allowMultipleAllocations: true";
  const Scene three = partitions(part("p6", 6) + ", " + part("p5", 5) + ", " + part("p4", 4));
  const std::string admin = request("a", "adminAccess: true");
  const Case rows[] = {
      {"are paid by each device", Scene(three).claim("c", exactly("gpu", 2)),
       "fits: gpu=p6 gpu=p4"},
      {"as long as there are some", Scene(three).claim("c", exactly("gpu", 3)),
       "none: CountersShort"},
      {"by devices that are held, too", Scene(three).held("n1", "p6").claim("c", exactly("gpu", 1)),
       "fits: gpu=p4"},
      {"by administrators a second time", Scene(three).held("n1", "p6").claim("c", admin),
       "fits: a=p4(admin)"},
      {"who may find too few", partitions(part("p6", 6)).held("n1", "p6").claim("c", admin),
       "none: CountersShort"},
      {"once for all shares",
       partitions(part("p6", 6, shareable) + ", " + part("p4", 4))
           .claim("c", request("a") + ", " + request("b") + ", " + request("q", "count: 2")),
       "fits: a=p6() b=p6() q=p6() q=p4"},
      {"not again for a share beside one that is held",
       partitions(part("p6", 6, shareable) + ", " + part("p4", 4))
           .claim("x", exactly("gpu", 1), allocated("{device: p6, pool: n1, shareID: s1}"))
           .claim("c", exactly("gpu", 2)),
       "fits: gpu=p6() gpu=p4"},
      {"by the first of all devices that cannot pay there is no solution",
       Scene(three).claim("c", all("gpu")), "none: CountersShort"},
      {"an alternative may be cheaper",
       Scene(three).claim("c", first_available("r", {"count: 3", "count: 2"})),
       "fits: r/b=p6 r/b=p4"},
      {"devices with counters are passed over without the gate",
       devices("{name: d, consumesCounters: [{counterSet: set, counters: {memory: {value: 1}}}]}, "
               "{name: e}")
           .server("v1.35.0")
           .claim("c", request("r")),
       "fits: r=e"},
  };
  for (const Case& row : rows)
    support::check(row);
}

TEST_CASE("compatibility groups") {
  const Scene three = partitions(part("p1", 1, "", "g1") + ", " + part("p2", 1, "", "g2") + ", " +
                                 part("p3", 1, "", "g1, g2"));
  const Scene on = Scene(three).gate("DRADeviceCompatibilityGroups");
  const Case rows[] = {
      {"partitions need one in common", Scene(on).claim("c", exactly("gpu", 2)),
       "fits: gpu=p1 gpu=p3"},
      {"all of them the same", Scene(on).claim("c", exactly("gpu", 3)),
       "none: CompatibilityGroups"},
      {"with those that are held", Scene(on).held("n1", "p2").claim("c", exactly("gpu", 1)),
       "fits: gpu=p3"},
      {"without the gate such slices do not count, so the pool is incomplete",
       Scene(three).claim("c", exactly("gpu", 1)), "none:"},
  };
  for (const Case& row : rows)
    support::check(row);
}

constexpr const char* kUsesNuma =
    "{name: d0, attributes: {numa: {int: 0}}}, {name: d1, attributes: {numa: {int: 1}}}, {name: "
    "d2, attributes: {numa: {int: 2}}}";
constexpr const char* kSameHalf = "{matchAttribute: gpu.example.com/half}";

std::string derived(std::string_view expression) {
  return base::format(
      "count: 2, derivedAttributes: [{{name: gpu.example.com/half, expression: \"{}\"}}]",
      expression);
}

TEST_CASE("derived attributes") {
  const Scene on = devices(kUsesNuma).gate("DRADerivedAttributes");
  const std::string half = derived("device.attributes['gpu.example.com'].numa / 2");
  const Case rows[] = {
      {"are what constraints compare", Scene(on).constrained("c", request("r", half), kSameHalf),
       "fits: r=d0 r=d1"},
      {"differ from request to request",
       Scene(on).constrained(
           "c", request("a", derived("'same'")) + ", " + request("b", derived("'other'")),
           kSameHalf),
       "none: ConstraintValueDiffers DeviceInUseHere"},
      {"hide those that are published",
       devices("{name: d0, attributes: {half: {int: 0}}}, {name: d1, attributes: {half: {int: "
               "1}}}")
           .gate("DRADerivedAttributes")
           .constrained("c", request("r", derived("1")), kSameHalf),
       "fits: r=d0 r=d1"},
      {"are of no matter to nobody's constraint",
       Scene(on).claim("c", request("r", derived("device.missing"))), "fits: r=d0 r=d1"},
      {"end it where they fail",
       Scene(on).constrained(
           "c", request("r", derived("device.attributes['gpu.example.com'].missing")), kSameHalf),
       "fatal: SelectorError"},
      {"or have no value that attributes have",
       Scene(on).constrained("c", request("r", derived("1.5")), kSameHalf), "fatal: SelectorError"},
      {"need their gate", devices(kUsesNuma).constrained("c", request("r", half), kSameHalf),
       "fatal: FeatureOff"},
  };
  for (const Case& row : rows)
    support::check(row);
}

TEST_CASE("attributes that are lists") {
  const char* lists =
      "{name: d0, attributes: {x1: {ints: [1, 2]}}}, {name: d1, attributes: {x1: {ints: [3]}}}, "
      "{name: d2, attributes: {x1: {ints: [2, 3]}}}";
  const Scene claim =
      devices(lists).constrained("c", exactly("gpu", 2), "{matchAttribute: gpu.example.com/x1}");
  const Case rows[] = {
      {"match alone without their gate", Scene(claim), "none: ConstraintValueDiffers"},
      {"else by what they have in common", Scene(claim).gate("DRAListTypeAttributes"),
       "fits: gpu=d0 gpu=d2"},
  };
  for (const Case& row : rows)
    support::check(row);
}

Scene without_operations() {
  return scene()
      .slice({.name = "s",
              .pool = "n1",
              .where = "nodeName: n1",
              .devices = "{name: d}",
              .more = "skipNodeOperations: ['*']"})
      .claim("c", request("r"));
}
constexpr const char* kCapable =
    "{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {declaredFeatures: "
    "[DRAOptionalNodeOperations]}}";

TEST_CASE("devices without node operations") {
  const Case rows[] = {
      {"need a kubelet that can leave them out",
       without_operations().yaml(kCapable).gate("DRAOptionalNodeOperations"), "fits: r=d"},
      {"and are passed over elsewhere",
       without_operations().node("n1").gate("DRAOptionalNodeOperations"), "none: FeatureOff"},
      {"or without the gate, where the allocator knows of it",
       without_operations().yaml(kCapable).gate("DRAListTypeAttributes"), "none: FeatureOff"},
      {"but the copy that does not picks them", without_operations().node("n1"), "fits: r=d"},
  };
  for (const Case& row : rows)
    support::check(row);
}

constexpr const char* kShareable =
    "{name: d, allowMultipleAllocations: true, capacity: {memory: {value: 40}}}";
constexpr const char* kWhole = "{name: e, capacity: {memory: {value: 40}}}";
constexpr const char* kTakesOne = "capacity: {requests: {memory: 1}}";

TEST_CASE("what a release does not have") {
  const Scene one = devices("{name: d}");
  const std::string alternatives = first_available("r", {"count: 1"});
  const char* list = "{name: d, attributes: {x: {strings: [a]}}}";
  const char* binding =
      "{name: d, bindingConditions: [x1], bindingFailureConditions: [x2]}, {name: e}";
  const Case rows[] = {
      {"admin access in 1.33",
       Scene(one).server("v1.33.0").claim("c", request("r", "adminAccess: true")),
       "fatal: FeatureOff"},
      {"alternatives in 1.33", Scene(one).server("v1.33.0").claim("c", alternatives),
       "fatal: FeatureOff"},
      {"both are there in 1.34", Scene(one).server("v1.34.0").claim("c", alternatives),
       "fits: r/a=d"},
      {"capacity in 1.35, whose copy of that time does not look at it",
       devices(kWhole).server("v1.35.0").claim("c", request("r", kTakesOne)), "fits: r=e"},
      {"nor in an alternative",
       devices(kWhole).server("v1.35.0").claim("c", first_available("r", {"count: 1", kTakesOne})),
       "fits: r/a=e"},
      {"shares in 1.35: the device is taken as a whole",
       devices(kShareable).server("v1.35.0").claim("c", request("a") + ", " + request("b")),
       "none: DeviceInUseHere"},
      {"nor, with the gate on, that a request has a share only once",
       devices(kShareable)
           .server("v1.35.0")
           .gate("DRAConsumableCapacity")
           .claim("c", request("r", std::string("count: 2, ") + kTakesOne)),
       "fits: r=d(memory 1) r=d(memory 1)"},
      {"counters of a pool in 1.34: they belong to a slice",
       scene()
           .node("n1")
           .server("v1.34.0")
           .gate("DRAPartitionableDevices")
           .slice({.name = "s0",
                   .count = 2,
                   .devices = part("p0", 6) + ", " + part("p1", 6),
                   .more = "sharedCounters: [{name: set, counters: {memory: {value: 10}}}]"})
           .slice({.name = "s1",
                   .count = 2,
                   .devices = part("p2", 6),
                   .more = "sharedCounters: [{name: set, counters: {memory: {value: 10}}}]"})
           .claim("c", exactly("gpu", 2)),
       "fits: gpu=p0 gpu=p2"},
      {"distinctAttribute in 1.35",
       devices(kUsesNuma).server("v1.35.0").constrained(
           "c", request("r"), "{distinctAttribute: gpu.example.com/numa}"),
       "fatal: FeatureOff"},
      {"binding conditions in 1.35", devices(binding).server("v1.35.0").claim("c", request("r")),
       "fits: r=e"},
      {"nor then for all devices", devices(binding).server("v1.35.0").claim("c", all("gpu")),
       "fits: gpu=e"},
      {"slices with them are tried last until 1.35",
       scene()
           .node("n1")
           .server("v1.35.0")
           .gate("DRADeviceBindingConditions")
           .slice({.name = "s0", .count = 2, .devices = binding})
           .slice({.name = "s1", .count = 2, .devices = "{name: f}"})
           .claim("c", request("r")),
       "fits: r=f"},
      {"lists in 1.36, as soon as anything is evaluated",
       devices(list).server("v1.36.0").claim(
           "c", request("r", "selectors: [{cel: {expression: 'true'}}]")),
       "fatal: SelectorError"},
      {"not before", devices(list).server("v1.36.0").claim("c", request("r")), "fits: r=d"},
      {"taints in 1.35",
       devices("{name: d, taints: [{key: k1, effect: NoSchedule}]}")
           .server("v1.35.0")
           .claim("c", request("r")),
       "fits: r=d"},
      {"any mode but two", Scene(one).claim("c", request("r", "allocationMode: Most")),
       "fatal: FeatureOff"},
      {"a request of another kind", Scene(one).claim("c", "{name: r, later: {}}"),
       "fatal: FeatureOff"},
      {"a selector of another kind",
       Scene(one).claim("c", request("r", "selectors: [{later: {}}]")), "fatal: FeatureOff"},
  };
  for (const Case& row : rows)
    support::check(row);
}

TEST_CASE("gates that are switched off") {
  const Case rows[] = {
      {"admin access",
       devices("{name: d}")
           .gate("DRAAdminAccess", false)
           .claim("c", request("r", "adminAccess: true")),
       "fatal: FeatureOff"},
      {"alternatives",
       devices("{name: d}")
           .gate("DRAPrioritizedList", false)
           .claim("c", first_available("r", {"count: 1"})),
       "fatal: FeatureOff"},
      {"capacity",
       devices(kWhole).gate("DRAConsumableCapacity", false).claim("c", request("r", kTakesOne)),
       "fatal: FeatureOff"},
      {"without it who asks for none may have a device whatever its policy says",
       devices("{name: d, capacity: {memory: {value: 40, requestPolicy: {validValues: [8]}}}}")
           .gate("DRAConsumableCapacity", false)
           .claim("c", request("r")),
       "fits: r=d"},
      {"taints",
       devices("{name: d, taints: [{key: k1, effect: NoSchedule}]}")
           .gate("DRADeviceTaints", false)
           .claim("c", request("r")),
       "fits: r=d"},
      {"counters",
       partitions(part("p1", 1)).gate("DRAPartitionableDevices", false).claim("c", request("r")),
       "none: FeatureOff"},
      {"binding conditions",
       devices("{name: d, bindingConditions: [x1], bindingFailureConditions: [x2]}")
           .gate("DRADeviceBindingConditions", false)
           .claim("c", request("r")),
       "none: FeatureOff"},
  };
  for (const Case& row : rows)
    support::check(row);
}

// Without gates that are beta the stable copy of the allocator decides, which knows less.
TEST_CASE("the stable copy") {
  const auto stable = [](Scene scene) {
    return scene.gate("DRAConsumableCapacity", false).gate("DRADeviceBindingConditions", false);
  };
  const char* bound =
      "{name: d, bindsToNode: true, nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: "
      "metadata.name, operator: In, values: [n1]}]}, {matchFields: [{key: metadata.name, "
      "operator: In, values: [n2]}]}]}}";
  const Case rows[] = {
      {"has no distinctAttribute",
       stable(devices(kUsesNuma))
           .constrained("c", request("r"), "{distinctAttribute: gpu.example.com/numa}"),
       "fatal: FeatureOff"},
      {"does not see that a device binds to a node",
       stable(scene().node("n1").slice(
                  {.name = "s", .where = "perDeviceNodeSelection: true", .devices = bound}))
           .claim("c", request("r")),
       "fatal: PoolInvalid"},
  };
  for (const Case& row : rows)
    support::check(row);
}

TEST_CASE("pools that are not whole") {
  const Scene incomplete = scene().node("n1").slice(
      {.name = "s", .count = 2, .where = "nodeName: n1", .devices = "{name: d}"});
  const Scene twice = devices("{name: d}, {name: d}");
  const Scene beside = Scene(twice).slice(
      {.name = "s2", .pool = "a", .where = "nodeName: n1", .devices = "{name: e}"});
  const Case rows[] = {
      {"incomplete: nothing is taken from it", Scene(incomplete).claim("c", request("r")), "none:"},
      {"but in 1.34", Scene(incomplete).server("v1.34.0").claim("c", request("r")), "fits: r=d"},
      {"where all devices end it nevertheless",
       Scene(incomplete).server("v1.34.0").claim("c", all("gpu")), "fatal: AllPoolUnusable"},
      {"invalid: nothing is taken from it, and the node has an error",
       Scene(twice).claim("c", request("r")), "pool:"},
      {"others serve", Scene(beside).claim("c", request("r")), "fits: r=e"},
      {"in 1.34, too, where they come first",
       Scene(beside).server("v1.34.0").claim("c", request("r")), "fits: r=e"},
      {"there it ends it for the pod once the search comes to it",
       Scene(beside).server("v1.34.0").claim("c", exactly("gpu", 2)), "fatal: PoolInvalid"},
  };
  for (const Case& row : rows)
    support::check(row);
}

}  // namespace
}  // namespace dra::engine::allocate_features_test
