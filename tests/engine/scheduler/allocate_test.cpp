// tests/engine/scheduler/allocate_test.cpp: which devices the allocator picks, in which order it
// tries them, and where it gives up. What shares, counters and gates change:
// allocate_shares_test.cpp and allocate_features_test.cpp.

#include "dra/engine/scheduler/allocate.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/base/text.h"
#include "tests/support/allocation.h"
#include "tests/support/builders.h"

namespace dra::engine::allocate_test {
namespace {

using support::all;
using support::devices;
using support::exactly;
using support::first_available;
using support::request;
using support::Scene;
using support::scene;

using Case = support::AllocationCase;

Scene plain(int count) {
  std::vector<std::string> list;
  list.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    list.push_back(base::format("{{name: gpu-{}}}", i));
  return devices(base::join(list, ", "));
}
// gpu-0 and gpu-1 on NUMA node 0, gpu-2 and gpu-3 on node 1.
Scene numa() {
  return devices(
      "{name: gpu-0, attributes: {numa: {int: 0}}}, {name: gpu-1, attributes: {numa: {int: 0}}}, "
      "{name: gpu-2, attributes: {numa: {int: 1}}}, {name: gpu-3, attributes: {numa: {int: 1}}}");
}
std::string of_numa(int node) {
  return base::format(
      "selectors: [{{cel: {{expression: \"device.attributes['gpu.example.com'].numa == {}\"}}}}]",
      node);
}
std::string selector(std::string_view expression) {
  return base::format("selectors: [{{cel: {{expression: \"{}\"}}}}]", expression);
}
constexpr const char* kSameNuma = "{matchAttribute: gpu.example.com/numa}";
constexpr const char* kOtherNuma = "{distinctAttribute: gpu.example.com/numa}";

TEST_CASE("counts") {
  const Case rows[] = {
      {"the first that there are", plain(3).claim("c", exactly("gpu", 2)),
       "fits: gpu=gpu-0 gpu=gpu-1"},
      {"no count means one", plain(3).claim("c", request("r")), "fits: r=gpu-0"},
      {"those that are held are passed over",
       plain(3).held("n1", "gpu-0").claim("c", exactly("gpu", 2)), "fits: gpu=gpu-1 gpu=gpu-2"},
      {"those that the selectors do not choose, too",
       numa().claim("c", request("r", "count: 2, " + of_numa(1))), "fits: r=gpu-2 r=gpu-3"},
      {"too few", plain(1).claim("c", exactly("gpu", 2)), "none:"},
      {"requests share them out", plain(2).claim("c", request("a") + ", " + request("b")),
       "fits: a=gpu-0 b=gpu-1"},
      {"of two requests either could be served alone",
       plain(2).claim("c", request("a", "count: 2") + ", " + request("b")),
       "none: DeviceInUseHere"},
      {"a request gives up what a later one needs",
       numa().claim("c", request("a", "count: 3") + ", " + request("b", of_numa(0))),
       "fits: a=gpu-0 a=gpu-2 a=gpu-3 b=gpu-1"},
      {"as late in the order as that is needed",
       plain(2).claim("c", request("a") + ", " + request("b", selector("device.driver == 'x'"))),
       "none:"},
      {"a claim without requests fits everywhere", plain(0).claim("c", ""), "fits:"},
      {"a claim that is not there", plain(1), "unknown"},
  };
  for (const Case& row : rows)
    support::check(row);
}

TEST_CASE("the order in which devices are tried") {
  const std::string four = exactly("gpu", 4);
  const Case rows[] = {
      {"pools by driver and name, byte by byte",
       scene()
           .node("n1")
           .slice({.name = "s0", .driver = "b.com", .devices = "{name: b}"})
           .slice({.name = "s1", .driver = "a.com", .pool = "p2", .devices = "{name: a2}"})
           .slice({.name = "s2", .driver = "a.com", .pool = "p10", .devices = "{name: a10}"})
           .slice({.name = "s3", .driver = "a-b.com", .pool = "p3", .devices = "{name: ab}"})
           .claim("c", four),
       "fits: gpu=ab gpu=a10 gpu=a2 gpu=b"},
      {"pools with binding conditions last",
       scene()
           .node("n1")
           .slice({.name = "s0",
                   .driver = "a.com",
                   .devices = "{name: a0, bindingConditions: [x1], bindingFailureConditions: "
                              "[x2]}, {name: a1}"})
           .slice({.name = "s1", .driver = "b.com", .devices = "{name: b0}, {name: b1}"})
           .claim("c", four),
       "fits: gpu=b0 gpu=b1 gpu=a0 gpu=a1"},
      {"slices of a pool by name, their devices as listed",
       scene()
           .node("n1")
           .slice({.name = "s2", .count = 2, .devices = "{name: a1}, {name: a0}"})
           .slice({.name = "s10", .count = 2, .devices = "{name: z1}, {name: z0}"})
           .claim("c", four),
       "fits: gpu=z1 gpu=z0 gpu=a1 gpu=a0"},
      {"requests as listed, whatever their names",
       plain(2).claim("c", request("b") + ", " + request("a")), "fits: b=gpu-0 a=gpu-1"},
      {"claims as the pod has them",
       plain(2).claim("c1", request("a")).claim("c2", request("b")),
       "fits: b=gpu-0; a=gpu-1",
       {"c2", "c1"}},
  };
  for (const Case& row : rows)
    support::check(row);
}

TEST_CASE("all devices") {
  const char* small =
      "{name: gpu-0, capacity: {memory: {value: 1Gi}}}, {name: gpu-1, capacity: {memory: {value: "
      "4Gi}}}, {name: gpu-2}";
  const Case rows[] = {
      {"of the node", plain(2).slice("n2", {"other"}).claim("c", all("gpu")),
       "fits: gpu=gpu-0 gpu=gpu-1"},
      {"that the selectors choose", numa().claim("c", all("gpu", of_numa(1))),
       "fits: gpu=gpu-2 gpu=gpu-3"},
      {"that are large enough",
       devices(small).claim("c", all("gpu", "capacity: {requests: {memory: 2Gi}}")),
       "fits: gpu=gpu-1"},
      {"also the one that is held", plain(2).held("n1", "gpu-0").claim("c", all("gpu")), "none:"},
      {"also the one that is tainted",
       devices("{name: gpu-0}, {name: gpu-1, taints: [{key: k1, effect: NoSchedule}]}")
           .claim("c", all("gpu")),
       "none:"},
      {"also the one that an earlier request has",
       plain(2).claim("c", request("a") + ", " + request("b", "allocationMode: All")),
       "none: DeviceInUseHere"},
      {"at least one", plain(0).claim("c", all("gpu")), "none:"},
      {"leave none for later requests", plain(2).claim("c", all("gpu") + ", " + request("b")),
       "none: DeviceInUseHere"},
      {"beside an incomplete pool, of whichever driver",
       plain(2)
           .slice({.name = "s2", .driver = "nic.com", .count = 2, .where = "nodeName: n1"})
           .claim("c", all("gpu")),
       "fatal: AllPoolUnusable"},
      {"beside an invalid one",
       plain(2)
           .slice({.name = "s2", .driver = "nic.com", .devices = "{name: d}, {name: d}"})
           .claim("c", all("gpu")),
       "fatal: AllPoolUnusable"},
      {"that a constraint lets in", numa().constrained("c", all("gpu", of_numa(1)), kSameNuma),
       "fits: gpu=gpu-2 gpu=gpu-3"},
      {"one of which it does not", numa().constrained("c", all("gpu"), kSameNuma),
       "fatal: ConstraintValueDiffers"},
      {"none of which has its attribute", plain(1).constrained("c", all("gpu"), kSameNuma),
       "fatal: ConstraintAttributeMissing"},
      {"that are held, which comes before the constraint",
       numa().held("n1", "gpu-0").constrained("c", all("gpu"), kSameNuma), "none:"},
  };
  for (const Case& row : rows)
    support::check(row);
}

TEST_CASE("alternatives") {
  const std::string two_or_one = first_available("r", {"count: 2", "count: 1"});
  const Case rows[] = {
      {"the first that there is", plain(2).claim("c", two_or_one), "fits: r/a=gpu-0 r/a=gpu-1"},
      {"else the next", plain(1).claim("c", two_or_one), "fits: r/b=gpu-0"},
      {"else none", plain(1).claim("c", first_available("r", {"count: 3", "count: 2"})), "none:"},
      {"the next if a later request needs the devices",
       plain(2).claim("c", two_or_one + ", " + request("b")), "fits: r/b=gpu-0 b=gpu-1"},
      {"a later request takes its next one first",
       plain(3).claim("c", first_available("r", {"count: 2", "count: 1"}) + ", " +
                               first_available("q", {"count: 2", "count: 1"})),
       "fits: r/a=gpu-0 r/a=gpu-1 q/b=gpu-2"},
      {"a constraint for one alternative",
       numa().constrained("c", first_available("r", {"count: 3", "count: 4"}),
                          "{requests: [r/a], matchAttribute: gpu.example.com/numa}"),
       "fits: r/b=gpu-0 r/b=gpu-1 r/b=gpu-2 r/b=gpu-3"},
      {"a constraint for the request means each",
       numa().constrained("c", first_available("r", {"count: 3", "count: 2"}),
                          "{requests: [r], matchAttribute: gpu.example.com/numa}"),
       "fits: r/b=gpu-0 r/b=gpu-1"},
      {"each has tolerations of its own",
       devices("{name: gpu-0, taints: [{key: k1, effect: NoSchedule}]}")
           .claim("c", first_available("r", {"count: 1", "tolerations: [{operator: Exists}]"})),
       "fits: r/b=gpu-0"},
      {"all devices may be one",
       plain(2)
           .held("n1", "gpu-0")
           .claim("c", first_available("r", {"allocationMode: All", "count: 1"})),
       "fits: r/b=gpu-1"},
  };
  for (const Case& row : rows)
    support::check(row);
}

TEST_CASE("several claims") {
  const Case rows[] = {
      {"have devices of their own",
       plain(2).claim("c1", request("a")).claim("c2", request("b")),
       "fits: a=gpu-0; b=gpu-1",
       {"c1", "c2"}},
      {"one gives up what a later one needs",
       numa().claim("c1", request("a")).claim("c2", request("b", "count: 2, " + of_numa(0))),
       "fits: a=gpu-2; b=gpu-0 b=gpu-1",
       {"c1", "c2"}},
      {"even an alternative",
       plain(2)
           .claim("c1", first_available("r", {"count: 2", "count: 1"}))
           .claim("c2", request("b")),
       "fits: r/b=gpu-0; b=gpu-1",
       {"c1", "c2"}},
      {"a constraint is about its own claim only",
       numa()
           .constrained("c1", request("a", "count: 2"), kSameNuma)
           .constrained("c2", request("b", "count: 2"), kSameNuma),
       "fits: a=gpu-0 a=gpu-1; b=gpu-2 b=gpu-3",
       {"c1", "c2"}},
      {"one that is allocated asks for nothing more",
       plain(2)
           .claim("c1", request("a"), support::allocated("{device: gpu-0, pool: n1}"))
           .claim("c2", request("b")),
       "fits: b=gpu-1",
       {"c1", "c2"}},
      {"an error in the last ends it for all",
       plain(2).claim("c1", request("a")).claim("c2", exactly("none", 1)),
       "fatal: ClassMissing",
       {"c1", "c2"}},
  };
  for (const Case& row : rows)
    support::check(row);
}

TEST_CASE("constraints") {
  const std::string two = request("r", "count: 2");
  const Case rows[] = {
      {"the same value", numa().held("n1", "gpu-0").constrained("c", two, kSameNuma),
       "fits: r=gpu-2 r=gpu-3"},
      {"too many for one value", numa().constrained("c", request("r", "count: 3"), kSameNuma),
       "none: ConstraintValueDiffers"},
      {"different values", numa().constrained("c", two, kOtherNuma), "fits: r=gpu-0 r=gpu-2"},
      {"too many for the values there are",
       numa().constrained("c", request("r", "count: 3"), kOtherNuma),
       "none: ConstraintNotDistinct"},
      {"devices without the attribute are passed over",
       devices("{name: a0}, {name: a1, attributes: {numa: {int: 0}}}")
           .constrained("c", request("r"), kSameNuma),
       "fits: r=a1"},
      {"of another driver, its own bare name is not meant",
       scene()
           .node("n1")
           .slice({.name = "s",
                   .driver = "nic.com",
                   .devices = "{name: d, attributes: {numa: {int: 0}}}"})
           .constrained("c", request("r"), kSameNuma),
       "none: ConstraintAttributeMissing"},
      {"across requests",
       numa().held("n1", "gpu-1").constrained("c", request("a") + ", " + request("b"), kSameNuma),
       "fits: a=gpu-2 b=gpu-3"},
      {"only across those that are named",
       numa()
           .held("n1", "gpu-1")
           .constrained("c", request("a") + ", " + request("b") + ", " + request("q"),
                        "{requests: [a, q], matchAttribute: gpu.example.com/numa}"),
       "fits: a=gpu-2 b=gpu-0 q=gpu-3"},
      {"all of several", numa().constrained("c", two, std::string(kSameNuma) + ", " + kOtherNuma),
       "none: ConstraintValueDiffers ConstraintNotDistinct"},
      {"one of an unknown kind ends it", numa().constrained("c", two, "{requests: [r]}"),
       "fatal: FeatureOff"},
  };
  for (const Case& row : rows)
    support::check(row);
}

TEST_CASE("the limit of a claim") {
  const std::string sixteen = request("a", "count: 16");
  const Case rows[] = {
      {"32 are not too many, only more than there are", plain(31).claim("c", exactly("gpu", 32)),
       "none:"},
      {"33 are", plain(33).claim("c", exactly("gpu", 33)), "fatal: CountTooLarge"},
      {"requests add up", plain(33).claim("c", sixteen + ", " + request("b", "count: 17")),
       "fatal: CountTooLarge"},
      {"counts near the end of 64 bits do not wrap",
       plain(1).claim("c", request("a", "count: 9223372036854775807") + ", " +
                               request("b", "count: 9223372036854775807")),
       "fatal: CountTooLarge"},
      {"all devices add up, too", plain(33).claim("c", all("gpu")), "fatal: CountTooLarge"},
      {"of alternatives the smallest counts beforehand",
       plain(40).claim("c", first_available("r", {"count: 33", "count: 1"})), "fits: r/b=gpu-0"},
      {"and the one that is taken later on",
       plain(40).claim("c", first_available("r", {"count: 32", "count: 1"}) + ", " + request("b")),
       "fits: r/b=gpu-0 b=gpu-1"},
      {"a claim that asks for too many is not saved by another one",
       plain(40).claim("c1", request("a")).claim("c2", exactly("gpu", 33)),
       "fatal: CountTooLarge",
       {"c1", "c2"}},
  };
  for (const Case& row : rows)
    support::check(row);
  const auto snapshot = plain(40)
                            .claim("c1", request("a", "count: 20"))
                            .claim("c2", request("b", "count: 20"))
                            .build();
  const std::string line = support::allocate(snapshot, {"c1", "c2"}).line;
  CHECK(line.starts_with("fits: a=gpu-0 "));  // it is for each claim
  CHECK(line.ends_with(" b=gpu-39"));
}

TEST_CASE("taints") {
  const Case rows[] = {
      {"devices that have one are passed over",
       devices("{name: gpu-0, taints: [{key: k1, effect: NoSchedule}]}, {name: gpu-1, taints: "
               "[{key: k1, effect: NoExecute}]}, {name: gpu-2, taints: [{key: k1, effect: None}]}")
           .claim("c", request("r")),
       "fits: r=gpu-2"},
      {"unless it is tolerated",
       devices("{name: gpu-0, taints: [{key: k1, effect: NoSchedule}]}, {name: gpu-1}")
           .claim("c", request("r", "tolerations: [{key: k1, operator: Exists}]")),
       "fits: r=gpu-0"},
      {"of rules, too",
       plain(2)
           .taint_rule("r1", "deviceSelector: {device: gpu-0}", "key: k1, effect: NoSchedule")
           .claim("c", request("r")),
       "fits: r=gpu-1"},
      {"keep administrators away, too",
       devices("{name: gpu-0, taints: [{key: k1, effect: NoSchedule}]}")
           .claim("c", request("r", "adminAccess: true")),
       "none:"},
  };
  for (const Case& row : rows)
    support::check(row);
}

TEST_CASE("devices with nodes of their own") {
  const std::string term = "{matchExpressions: [{key: rack, operator: In, values: [r1]}]}";
  const std::string two_terms =
      base::format("nodeSelector: {{nodeSelectorTerms: [{}, {}]}}", term, term);
  const std::string one_term = base::format("nodeSelector: {{nodeSelectorTerms: [{}]}}", term);
  const auto each = [](std::string_view list) {
    return scene()
        .node("n1", "rack: r1")
        .slice(
            {.name = "s", .where = "perDeviceNodeSelection: true", .devices = std::string(list)});
  };
  const auto of_slice = [](const std::string& where) {
    return scene()
        .node("n1", "rack: r1")
        .slice({.name = "s", .where = where, .devices = "{name: gpu-0}"});
  };
  const Case rows[] = {
      {"only those for the node",
       each("{name: a0, nodeName: n2}, {name: a1, nodeName: n1}, {name: a2, allNodes: true}, "
            "{name: a3, " +
            one_term + "}")
           .claim("c", exactly("gpu", 3)),
       "fits: gpu=a1 gpu=a2 gpu=a3"},
      {"also of all",
       each("{name: a0, nodeName: n2}, {name: a1, nodeName: n1}").claim("c", all("gpu")),
       "fits: gpu=a1"},
      {"too few of them",
       each("{name: a0, nodeName: n2}, {name: a1, nodeName: n1}").claim("c", exactly("gpu", 2)),
       "none: NotOnNode"},
      {"a selector with several terms ends it once its device is picked",
       each("{name: a0, " + two_terms + "}").claim("c", exactly("gpu", 1)), "fatal: PoolInvalid"},
      {"not before",
       each("{name: a0, allNodes: true}, {name: a1, " + two_terms + "}")
           .claim("c", exactly("gpu", 1)),
       "fits: gpu=a0"},
      {"nor after a device that binds the claim to the node anyway",
       each("{name: a0, nodeName: n1}, {name: a1, " + two_terms + "}")
           .claim("c", exactly("gpu", 2)),
       "fits: gpu=a0 gpu=a1"},
      {"which bindsToNode does as well",
       each("{name: a0, bindsToNode: true, " + two_terms + "}").claim("c", exactly("gpu", 1)),
       "fits: gpu=a0"},
      {"each claim for itself",
       each("{name: a0, nodeName: n1}, {name: a1, " + two_terms + "}")
           .claim("c1", request("a"))
           .claim("c2", request("b")),
       "fatal: PoolInvalid",
       {"c1", "c2"}},
      {"a slice's selector does it, too", of_slice(two_terms).claim("c", exactly("gpu", 1)),
       "fatal: PoolInvalid"},
      {"one term is fine", of_slice(one_term).claim("c", exactly("gpu", 1)), "fits: gpu=gpu-0"},
  };
  for (const Case& row : rows)
    support::check(row);
}

TEST_CASE("selectors that fail") {
  const std::string fails = selector("device.attributes['gpu.example.com'].numa == 1");
  const char* some = "{name: gpu-0, attributes: {numa: {int: 1}}}, {name: gpu-1}";
  const Case rows[] = {
      {"end it once they are asked", devices(some).claim("c", request("r", "count: 2, " + fails)),
       "fatal: SelectorError"},
      {"not where enough devices come before", devices(some).claim("c", request("r", fails)),
       "fits: r=gpu-0"},
      {"nor for a device that is held",
       devices(some).held("n1", "gpu-1").claim("c", request("r", "count: 2, " + fails)), "none:"},
      {"for all devices they are asked at once",
       devices(some).held("n1", "gpu-1").claim("c", all("gpu", fails)), "fatal: SelectorError"},
      {"one that does not compile", plain(1).claim("c", request("r", selector("device.x"))),
       "fatal: SelectorCompile"},
      {"does no harm where there is no device",
       plain(0).claim("c", request("r", selector("device.x"))), "none:"},
      {"one of the class", plain(1).device_class("bad", "device.x").claim("c", exactly("bad", 1)),
       "fatal: SelectorCompile"},
      {"the class is asked first",
       plain(1)
           .device_class("never", "false")
           .claim("c", exactly("never", 1, selector("device.x"))),
       "none:"},
      {"a class that is missing", plain(1).claim("c", exactly("none", 1)), "fatal: ClassMissing"},
      {"classes that could not be read",
       plain(1).cannot_read(api::Kind::Class).claim("c", exactly("none", 1)), "unknown"},
  };
  for (const Case& row : rows)
    support::check(row);
}

TEST_CASE("what each demand could have alone") {
  const auto snapshot = numa()
                            .held("n1", "gpu-0")
                            .claim("c", request("a", "count: 3") + ", " +
                                            first_available("r", {of_numa(0), of_numa(1)}))
                            .build();
  CHECK(support::allocate(snapshot, {"c"}).usable == std::vector<std::int64_t>{3, 1, 2});
}

}  // namespace
}  // namespace dra::engine::allocate_test
