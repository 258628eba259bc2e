// tests/engine/scheduler/node_result_test.cpp: a node is ruled out only where that is proven,
// whatever selectors, counters, capacity and constraints would say.

#include "dra/engine/scheduler/node_result.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"
#include "tests/support/node_result.h"

namespace dra::engine::node_result_test {
namespace {

using support::all;
using support::allocated;
using support::exactly;
using support::first_available;
using support::on_node;
using support::Scene;
using support::scene;

NodeResult evaluate_node(const snapshot::Snapshot& snapshot,
                         const std::vector<std::string>& claims) {
  return support::evaluate(snapshot, subject_of_claims(snapshot, "default", claims));
}

struct Case {
  const char* name;
  Scene scene;
  const char* want;  // of the first node, for the claim c
};

void check(const Case& row) {
  CAPTURE(row.name);
  const auto snapshot = row.scene.build();
  const NodeResult result = evaluate_node(snapshot, {"c"});
  CHECK(support::to_line(result) == row.want);
  for (const DriverCounts& driver : result.drivers) {
    CHECK(driver.published ==
          driver.in_use + driver.tainted + driver.unusable + driver.free + driver.unknown);
  }
}

Scene two_devices() { return scene().node("n1").slice("n1", {"gpu-0", "gpu-1"}); }
Scene devices(std::string_view list) {
  return scene().node("n1").slice(
      {.name = "s", .where = "nodeName: n1", .devices = std::string(list)});
}

TEST_CASE("counts") {
  const Case rows[] = {
      {"enough of them", two_devices().claim("c", exactly("gpu", 2)), "open:"},
      {"too few of them", two_devices().claim("c", exactly("gpu", 3)), "out: CountShort"},
      {"devices that are held do not count",
       two_devices().held("n1", "gpu-0").claim("c", exactly("gpu", 2)),
       "out: CountShort DeviceInUse"},
      {"one that is left is enough for one",
       two_devices().held("n1", "gpu-0").claim("c", exactly("gpu", 1)), "open: DeviceInUse"},
      {"no count means one", two_devices().claim("c", "{name: r, exactly: {deviceClassName: gpu}}"),
       "open:"},
      {"nothing is published", scene().node("n1").claim("c", exactly("gpu", 1)),
       "out: CountShort NoSlices"},
      {"devices of other nodes do not count",
       scene().node("n1").slice("n2", {"gpu-0"}).claim("c", exactly("gpu", 1)),
       "out: CountShort NoSlices"},
      {"devices of another driver might be of the class",
       devices("{name: d}").claim("c", exactly("gpu", 1)), "open:"},
      {"each request has enough, together they have not",
       two_devices().claim("c",
                           "{name: a1, exactly: {deviceClassName: gpu, count: 2}}, {name: b1, "
                           "exactly: {deviceClassName: gpu, count: 2}}"),
       "out: DeviceInUseHere"},
      {"one request that cannot be met is enough",
       two_devices().claim("c",
                           "{name: a1, exactly: {deviceClassName: gpu, count: 1}}, {name: b1, "
                           "exactly: {deviceClassName: gpu, count: 3}}"),
       "out: CountShort"},
      {"a claim without requests is met everywhere", scene().node("n1").claim("c", ""),
       "open: NoSlices"},
      {"without slices to look at nothing is proven",
       scene().node("n1").claim("c", exactly("gpu", 1)).cannot_read(api::Kind::Slice), "open:"},
      {"a claim that is not visible may hold a device, which is no proof",
       two_devices().claim("c", exactly("gpu", 2)).cannot_read(api::Kind::Claim), "open:"},
      {"what is published is proof enough without claims",
       two_devices().claim("c", exactly("gpu", 3)).cannot_read(api::Kind::Claim),
       "out: CountShort"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("alternatives") {
  const Case rows[] = {
      {"one that is open leaves the request open",
       two_devices().claim("c", first_available("r", {"count: 3", "count: 1"})), "open:"},
      {"all of them must be ruled out",
       two_devices().claim("c", first_available("r", {"count: 3", "count: 4"})), "out: CountShort"},
      {"all devices of a node is open beside a count that is not",
       two_devices().claim("c", first_available("r", {"count: 3", "allocationMode: All"})),
       "open:"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("the limit of a claim") {
  const std::string many = "{name: s, exactly: {deviceClassName: gpu, count: 16}}";
  const Case rows[] = {
      {"32 is the most", devices("{name: d}").claim("c", exactly("gpu", 32)), "out: CountShort"},
      {"33 ends the attempt for the pod", devices("{name: d}").claim("c", exactly("gpu", 33)),
       "aborts: CountTooLarge CountShort"},
      {"requests add up",
       devices("{name: d}").claim("c", many + ", " + many + ", " + exactly("gpu", 1)),
       "aborts: CountTooLarge CountShort"},
      {"of alternatives the smallest counts",
       devices("{name: d}").claim("c", first_available("r", {"count: 40", "count: 1"})), "open:"},
      {"all devices, one of which another request has",
       devices("{name: d}").claim("c", exactly("gpu", 1) + ", " + all("gpu")),
       "out: DeviceInUseHere"},
      {"counts near the end of 64 bits do not wrap",
       devices("{name: d}")
           .claim("c",
                  "{name: a1, exactly: {deviceClassName: gpu, count: "
                  "9223372036854775807}}, {name: b1, exactly: {deviceClassName: "
                  "gpu, count: 9223372036854775807}}"),
       "aborts: CountTooLarge CountShort"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("all devices") {
  const Case rows[] = {
      {"some are there", two_devices().claim("c", all("gpu")), "open:"},
      {"one that is held is one too many", two_devices().held("n1", "gpu-0").claim("c", all("gpu")),
       "out: AllUnusable DeviceInUse"},
      {"but not for administrators",
       two_devices().held("n1", "gpu-0").claim("c", all("gpu", "adminAccess: true")),
       "open: DeviceInUse"},
      {"none is there", scene().node("n1").claim("c", all("gpu")), "out: AllNone NoSlices"},
      {"none that can be seen, for slices cannot be read",
       scene().node("n1").claim("c", all("gpu")).cannot_read(api::Kind::Slice), "open:"},
      {"an incomplete pool ends the attempt",
       two_devices()
           .slice({.name = "s", .count = 2, .where = "nodeName: n1"})
           .claim("c", all("gpu")),
       "aborts: AllPoolUnusable PoolIncomplete"},
      {"an incomplete pool of another driver does, too",
       two_devices()
           .slice({.name = "s", .driver = "nic.com", .count = 2, .where = "nodeName: n1"})
           .claim("c", all("gpu")),
       "aborts: AllPoolUnusable PoolIncomplete"},
      {"an invalid pool does, too", devices("{name: d}, {name: d}").claim("c", all("gpu")),
       "aborts: AllPoolUnusable PoolInvalid"},
      {"even if only an alternative asks for all",
       two_devices()
           .slice({.name = "s", .count = 2, .where = "nodeName: n1"})
           .claim("c", first_available("r", {"count: 1", "allocationMode: All"})),
       "aborts: AllPoolUnusable PoolIncomplete"},
      {"a pool that the node does not see is of no matter",
       two_devices()
           .slice({.name = "s", .count = 2, .where = "nodeName: n2"})
           .claim("c", all("gpu")),
       "open:"},
      {"a count passes an incomplete pool over",
       two_devices()
           .slice({.name = "s", .count = 2, .where = "nodeName: n1"})
           .claim("c", exactly("gpu", 1)),
       "open: PoolIncomplete"},
      {"and takes nothing from it",
       two_devices()
           .slice({.name = "s", .count = 2, .where = "nodeName: n1", .devices = "{name: d}"})
           .claim("c", exactly("gpu", 3)),
       "out: CountShort PoolIncomplete"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("taints") {
  const char* tainted = "{name: d, taints: [{key: bad, value: x, effect: NoSchedule}]}";
  const Case rows[] = {
      {"keep claims away", devices(tainted).claim("c", exactly("gpu", 1)),
       "out: CountShort DeviceTainted"},
      {"unless they are tolerated",
       devices(tainted).claim("c", exactly("gpu", 1, "tolerations: [{operator: Exists}]")),
       "open:"},
      {"by the request itself, not by another one",
       devices(tainted).claim("c",
                              "{name: a1, exactly: {deviceClassName: gpu, count: 1, tolerations: "
                              "[{operator: Exists}]}}, " +
                                  exactly("gpu", 1)),
       "out: CountShort"},
      {"by an alternative",
       devices(tainted).claim("c", first_available("r", {"count: 1",
                                                         "tolerations: [{operator: "
                                                         "Exists}]"})),
       "open:"},
      {"keep administrators away, too",
       devices(tainted).claim("c", exactly("gpu", 1, "adminAccess: true")),
       "out: CountShort DeviceTainted"},
      {"keep a request for all devices away", devices(tainted).claim("c", all("gpu")),
       "out: AllUnusable DeviceTainted"},
      {"of rules act the same",
       devices("{name: d}")
           .taint_rule("r", "deviceSelector: {}", "key: k, effect: NoExecute")
           .claim("c", exactly("gpu", 1)),
       "out: CountShort DeviceTainted"},
      {"that only inform keep nobody away",
       devices("{name: d, taints: [{key: info, effect: None}]}").claim("c", exactly("gpu", 1)),
       "open:"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("administrators and shares") {
  const char* shareable =
      "{name: d, allowMultipleAllocations: true, capacity: {memory: {value: 40Gi}}}";
  const std::string share =
      allocated("{device: d, pool: pool, shareID: s1, consumedCapacity: {memory: 40Gi}}");
  const Case rows[] = {
      {"admin access needs no free device",
       two_devices()
           .held("n1", "gpu-0")
           .held("n1", "gpu-1")
           .claim("c", exactly("gpu", 2, "adminAccess: true")),
       "open: DeviceInUse"},
      {"but as many devices as it asks for",
       two_devices().claim("c", exactly("gpu", 3, "adminAccess: true")), "out: CountShort"},
      {"a device under admin access is free",
       devices("{name: d}")
           .claim("watch", exactly("gpu", 1),
                  allocated("{device: d, pool: pool, adminAccess: true}"))
           .claim("c", exactly("gpu", 1)),
       "open:"},
      {"a request has one share of a device at most",
       devices(shareable).claim("c", exactly("gpu", 8)), "out: CountShort"},
      {"a device whose shares are all taken has none",
       devices(shareable).claim("other", exactly("gpu", 1), share).claim("c", exactly("gpu", 1)),
       "out: CountShort CapacityShort DeviceInUse"},
      {"a shareable device that is held as a whole is in use",
       devices(shareable)
           .claim("other", exactly("gpu", 1), allocated("{device: d, pool: pool}"))
           .claim("c", exactly("gpu", 1)),
       "out: CountShort DeviceInUse"},
      {"shares in an unusable pool are no shares",
       scene()
           .node("n1")
           .slice({.name = "s", .count = 2, .where = "nodeName: n1", .devices = shareable})
           .claim("c", exactly("gpu", 1)),
       "out: CountShort PoolIncomplete"},
      {"a tainted share is no share",
       devices("{name: d, allowMultipleAllocations: true, taints: [{key: k, effect: NoSchedule}]}")
           .claim("c", exactly("gpu", 1)),
       "out: CountShort DeviceTainted"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("claims that have devices") {
  const std::string here = allocated("{device: d, pool: pool}", on_node("n1"));
  const std::string there = allocated("{device: d, pool: pool}", on_node("n2"));
  const Case rows[] = {
      {"are not allocated again", devices("{name: d}").claim("c", exactly("gpu", 1), here),
       "open: DeviceInUse"},
      {"bind the pod to their nodes", devices("{name: d}").claim("c", exactly("gpu", 1), there),
       "out: ClaimElsewhere DeviceInUse"},
      {"bind it nowhere without a selector",
       devices("{name: d}").claim("c", exactly("gpu", 1), allocated("{device: x1, pool: far}")),
       "open:"},
      {"bind it by labels",
       scene()
           .node("n1", "rack: r1")
           .claim("c", exactly("gpu", 1),
                  allocated("{device: x1, pool: far}",
                            "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: rack, "
                            "operator: In, values: [r2]}]}]}")),
       "out: ClaimElsewhere NoSlices"},
      {"may have more devices than a claim may ask for",
       devices("{name: d}").claim("c", exactly("gpu", 40), here), "open: DeviceInUse"},
  };
  for (const Case& row : rows)
    check(row);
}

// For a pod of the group g, whose claim c is allocated elsewhere and reserved for the group.
std::string stand_in_group(std::string_view consumer, std::string_view other_pod = "") {
  const auto snapshot =
      devices("{name: d}")
          .gate("DRAWorkloadResourceClaims")
          .claim("c", exactly("gpu", 1),
                 base::format("{}, reservedFor: [{{{}}}]",
                              allocated("{device: d, pool: pool}", on_node("n2")), consumer))
          .pod("p", "{name: gpu, resourceClaimName: c}", "schedulingGroup: {podGroupName: g}")
          .yaml(other_pod)
          .build();
  const Subject subject = subject_of_pod(snapshot, *snapshot.find<api::Pod>("default", "p"));
  return support::to_line(support::evaluate(snapshot, subject));
}

TEST_CASE("the scheduler can take back what is reserved for a pod group that does not run yet") {
  constexpr const char* group = "apiGroup: scheduling.k8s.io, resource: podgroups, name: g, uid: x";
  CHECK(stand_in_group(group) == "open: ClaimElsewhere DeviceInUse");
  CHECK(stand_in_group("apiGroup: scheduling.k8s.io, resource: podgroups, name: h, uid: x") ==
        "out: ClaimElsewhere DeviceInUse");
  CHECK(stand_in_group("resource: pods, name: g, uid: x") == "out: ClaimElsewhere DeviceInUse");
  CHECK(stand_in_group(group,
                       "{apiVersion: v1, kind: Pod, metadata: {name: q, namespace: default}, "
                       "spec: {nodeName: n2, schedulingGroup: {podGroupName: g}}}") ==
        "out: ClaimElsewhere DeviceInUse");
}

TEST_CASE("a selector that cannot be read ends the attempt") {
  check({"of a slice",
         scene()
             .node("n1")
             .slice({.name = "s",
                     .where = "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: rack, "
                              "operator: Like}]}]}"})
             .claim("c", exactly("gpu", 1)),
         "aborts: PoolInvalid"});
}

TEST_CASE("claims together") {
  const std::string there = allocated("{device: d, pool: q}", on_node("n2"));
  const auto snapshot = two_devices()
                            .claim("near", exactly("gpu", 1))
                            .claim("far", exactly("gpu", 1), there)
                            .claim("big", exactly("gpu", 20))
                            .claim("big-2", exactly("gpu", 20))
                            .build();
  CHECK(support::to_line(evaluate_node(snapshot, {"near"})) == "open:");
  // Nobody has reserved it: the scheduler would take the allocation back and try again.
  CHECK(support::to_line(evaluate_node(snapshot, {"near", "far"})) == "open: ClaimElsewhere");
  CHECK(support::to_line(evaluate_node(snapshot, {"far", "big"})) ==
        "out: ClaimElsewhere CountShort");
  // Each claim has a limit of its own.
  CHECK(support::to_line(evaluate_node(snapshot, {"big", "big-2"})) == "out: CountShort");
  // What does not exist asks for nothing.
  CHECK(support::to_line(evaluate_node(snapshot, {"gone"})) == "open:");
}

TEST_CASE("what a node has, driver by driver") {
  const auto snapshot =
      scene()
          .node("n1")
          .slice({.name = "s",
                  .where = "nodeName: n1",
                  .devices = "{name: d0}, {name: d1}, {name: d2, taints: [{key: k, effect: "
                             "NoSchedule}]}, {name: d3, taints: [{key: k, effect: NoSchedule}]}"})
          .slice({.name = "t",
                  .driver = "a.com",
                  .count = 2,
                  .where = "nodeName: n1",
                  .devices = "{name: d}"})
          .claim("other", exactly("gpu", 2),
                 allocated("{device: d0, pool: pool}, {device: d3, pool: pool}"))
          .claim("c", exactly("gpu", 1))
          .build();
  const auto line = [](const DriverCounts& d) {
    return base::format("{} {}: {} in use, {} tainted, {} unusable, {} free, {} unknown", d.driver,
                        d.published, d.in_use, d.tainted, d.unusable, d.free, d.unknown);
  };
  const NodeResult result = evaluate_node(snapshot, {"c"});
  CHECK(result.name == "n1");
  REQUIRE(result.drivers.size() == 2);
  CHECK(line(result.drivers[0]) == "a.com 1: 0 in use, 0 tainted, 1 unusable, 0 free, 0 unknown");
  CHECK(line(result.drivers[1]) ==
        "gpu.example.com 4: 2 in use, 1 tainted, 0 unusable, 1 free, 0 unknown");
}

TEST_CASE("devices that might be held are unknown, not free") {
  const auto snapshot =
      two_devices().claim("c", exactly("gpu", 1)).cannot_read(api::Kind::Claim).build();
  const NodeResult result = evaluate_node(snapshot, {"c"});
  REQUIRE(result.drivers.size() == 1);
  CHECK(result.drivers.front().free == 0);
  CHECK(result.drivers.front().unknown == 2);
}

TEST_CASE("who holds what is told with the pods") {
  const auto snapshot =
      scene()
          .node("n1")
          .slice("n1", {"gpu-0", "gpu-1"})
          .held("n1", "gpu-0")
          .claim("idle", exactly("gpu", 1), allocated("{device: gpu-1, pool: n1}"))
          .claim("c", exactly("gpu", 1))
          .build();
  const NodeResult result = evaluate_node(snapshot, {"c"});
  const auto in_use =
      std::ranges::find(result.reasons, diag::Code::DeviceInUse, &diag::Reason::code);
  REQUIRE(in_use != result.reasons.end());
  CHECK(in_use->devices == 2);
  CHECK(in_use->examples ==
        std::vector<std::string>{"gpu.example.com/n1/gpu-0", "gpu.example.com/n1/gpu-1"});
  REQUIRE(in_use->holders.size() == 2);
  CHECK(in_use->holders[0].claim == "default/n1-gpu-0");
  CHECK(in_use->holders[0].pod == "default/user");
  CHECK(in_use->holders[0].device == "gpu.example.com/n1/gpu-0");
  CHECK(in_use->holders[1].claim == "default/idle");
  CHECK(in_use->holders[1].pod == "");
}

}  // namespace
}  // namespace dra::engine::node_result_test
