// tests/report/top/top_test.cpp: capacity and use.

#include "dra/report/top/top.h"

#include <doctest/doctest.h>

#include "dra/base/text.h"
#include "tests/support/builders.h"
#include "tests/support/document_text.h"

namespace dra::report::top_test {
namespace {

using engine::Inventory;

// "gpu.example.com 3: 1 used 2 free, 2 on n1,n2"
std::string rows(const support::Scene& scene, TopBy by) {
  const snapshot::Snapshot snapshot = scene.build();
  const Inventory inventory(snapshot);
  const report::Scene looked{snapshot, inventory};
  std::vector<std::string> out;
  const Top top = top_of(looked, by);
  for (const TopRow& row : top.rows) {
    const auto number = [](const std::optional<std::int64_t>& known) {
      return known ? std::to_string(*known) : std::string("?");
    };
    const std::vector<std::string> nodes(row.fit.nodes.begin(), row.fit.nodes.end());
    std::string text =
        base::format("{}{} {}: {} used {} free, {}{} on {}", row.name,
                     row.driver.empty() ? "" : base::format(" {}", row.driver), row.devices.devices,
                     number(row.allocated), number(row.free), row.fit.count,
                     row.fit.known ? "" : "+?", base::join(nodes, ","));
    for (const SharedAmount& amount : row.shared)
      text += base::format(
          "; {} {}/{}{}", amount.name, amount.used ? amount.used->to_string() : "?",
          amount.total.to_string(),
          amount.largest_left
              ? base::format(" most {} in {}", amount.largest_left->to_string(), amount.where)
              : "");
    out.push_back(text);
  }
  for (const NamespaceTop& row : top.namespaces)
    out.push_back(base::format("{}: {} claims, {} pending, {} pods, {} of {} devices, {} quotas{}",
                               row.name, row.claims, row.pending, row.pods, row.held, row.of,
                               row.quotas.size(), row.known ? "" : ", nothing known of claims"));
  return base::join(out, "\n");
}

support::Scene two_nodes() {
  support::Scene scene;
  scene.node("n1", "cloud.google.com/gke-nodepool: a").slice("n1", {"gpu-0", "gpu-1"});
  scene.node("n2", "cloud.google.com/gke-nodepool: a").slice("n2", {"gpu-0"});
  scene.node("n3");
  scene.held("n1", "gpu-0");
  scene.slice(
      {.name = "fabric", .driver = "fabric.example.com", .pool = "f", .devices = "{name: f-0}"});
  return scene;
}

}  // namespace

TEST_CASE(
    "by driver, node and node pool: devices count once, requests where one node serves them") {
  const support::Scene scene = two_nodes();
  CHECK(rows(scene, TopBy::Drivers) ==
        "fabric.example.com 1: 0 used 1 free, 1 on n1,n2,n3\n"
        "gpu.example.com 3: 1 used 2 free, 1 on n1,n2");
  CHECK(rows(scene, TopBy::Nodes) ==
        "n1 gpu.example.com 2: 1 used 1 free, 1 on n1\n"
        "n2 gpu.example.com 1: 0 used 1 free, 1 on n2\n"
        " fabric.example.com 1: 0 used 1 free, 1 on n1,n2,n3");
  CHECK(rows(scene, TopBy::NodePools) ==
        "a gpu.example.com 3: 1 used 2 free, 1 on n1,n2\n"
        " fabric.example.com 1: 0 used 1 free, 1 on n1,n2,n3");
}

TEST_CASE("by class: what its selectors choose; one that does not compile has no numbers") {
  support::Scene scene = two_nodes();
  scene.device_class("broken", "device.driver ==");
  scene.device_class("none", "device.driver == 'nobody'");
  CHECK(rows(scene, TopBy::Classes) ==
        "broken 0: 0 used 0 free, 0 on \n"
        "gpu 4: 1 used 3 free, 2 on n1,n2\n"
        "none 0: 0 used 0 free, 0 on ");
}

TEST_CASE("what shares take of capacity, and partitions of counters, in their units") {
  support::Scene scene;
  scene.node("n1");
  scene.slice({.name = "s",
               .pool = "n1",
               .where = "nodeName: n1",
               .devices =
                   "{name: a, allowMultipleAllocations: true, capacity: {mem: {value: 8Gi}}}, "
                   "{name: b, allowMultipleAllocations: true, capacity: {mem: {value: 4Gi}}}, "
                   "{name: c, capacity: {mem: {value: 100Gi}}}"});
  scene.yaml(R"(apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: default}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
status: {allocation: {devices: {results: [{request: r, driver: gpu.example.com, pool: n1, device: a, shareID: x, consumedCapacity: {mem: 5Gi}}]}}}
)");
  scene.slice({.name = "t",
               .driver = "mig",
               .pool = "m",
               .count = 2,
               .where = "nodeName: n1",
               .more =
                   "sharedCounters: [{name: g0, counters: {sm: {value: \"7\"}, slice-0: {value: "
                   "\"1\"}, slice-1: {value: \"1\"}}}]"});
  scene.slice({.name = "u",
               .driver = "mig",
               .pool = "m",
               .count = 2,
               .where = "nodeName: n1",
               .devices = "{name: p, consumesCounters: [{counterSet: g0, counters: {sm: {value: "
                          "\"3\"}}}]}"});
  CHECK(rows(scene, TopBy::Drivers) ==
        "gpu.example.com 3: 1 used 2 free, 2 on n1; mem 5Gi/12Gi most 4Gi in gpu.example.com/n1/b\n"
        "mig 1: 0 used 1 free, 1 on n1; slice-* 0/2; sm 0/7 most 7 in mig/m/g0");
}

TEST_CASE("amounts of one row stand there in one unit") {
  support::Scene scene;
  scene.node("n1");
  scene.slice({.name = "t",
               .pool = "m",
               .count = 2,
               .where = "nodeName: n1",
               .more = "sharedCounters: [{name: g0, counters: {memory: {value: 81152Mi}, odd: "
                       "{value: 2500m}}}]"});
  scene.slice({.name = "u",
               .pool = "m",
               .count = 2,
               .where = "nodeName: n1",
               .devices = "{name: p, consumesCounters: [{counterSet: g0, counters: {memory: "
                          "{value: 49Gi}, odd: {value: 1}}}]}"});
  scene.claim("c", support::exactly("gpu", 1), support::allocated("{device: p, pool: m}"));
  const snapshot::Snapshot snapshot = scene.build();
  const Inventory inventory(snapshot);
  const Top top = top_of({snapshot, inventory}, TopBy::Drivers);
  const std::string text = support::text_of(to_view(top, false));
  CAPTURE(text);
  CHECK(text.find("| 81152Mi | 50176Mi | 62% | [######....] | 30976Mi |") != std::string::npos);
  CHECK(text.find("| 2500m | 1 | 40% | [####......] | 1500m |") != std::string::npos);
}

TEST_CASE("by namespace: claims, who uses them, devices held, and quotas of such things only") {
  support::Scene scene = two_nodes();
  scene.claim("waits", support::exactly("gpu", 1));
  scene.yaml(R"(apiVersion: v1
kind: ResourceQuota
metadata: {name: q, namespace: other}
status: {hard: {count/resourceclaims.resource.k8s.io: "2", pods: "3"}, used: {pods: "1"}}
)");
  CHECK(rows(scene, TopBy::Namespaces) ==
        "default: 2 claims, 1 pending, 1 pods, 1 of 4 devices, 0 quotas\n"
        "other: 0 claims, 0 pending, 0 pods, 0 of 4 devices, 1 quotas");
}

TEST_CASE("what could not be read is not said to be free") {
  support::Scene scene = two_nodes();
  scene.cannot_read(api::Kind::Claim);
  CHECK(rows(scene, TopBy::Drivers) ==
        "fabric.example.com 1: ? used ? free, 0+? on \n"
        "gpu.example.com 3: ? used ? free, 0+? on ");
}

// Devices for one node each and for all of them, with counters for each node and for the lot.
support::Scene of_one_and_of_several() {
  support::Scene scene;
  scene.node("n1", "cloud.google.com/gke-nodepool: a").node("n2");
  scene.slice({.name = "counters",
               .pool = "p",
               .count = 2,
               .where = "perDeviceNodeSelection: true",
               .more = "sharedCounters: [{name: s1, counters: {c: {value: \"4\"}}}, {name: s2, "
                       "counters: {c: {value: \"2\"}}}, {name: all, counters: {c: {value: "
                       "\"9\"}}}]"});
  const auto device = [](const char* name, const char* where, const char* set) {
    return base::format(
        "{{name: {}, {}, consumesCounters: [{{counterSet: {}, counters: {{c: {{value: "
        "\"1\"}}}}}}]}}",
        name, where, set);
  };
  scene.slice({.name = "devices",
               .pool = "p",
               .count = 2,
               .where = "perDeviceNodeSelection: true",
               .devices = base::join(std::vector<std::string>{device("a", "nodeName: n1", "s1"),
                                                              device("b", "nodeName: n1", "s1"),
                                                              device("c", "nodeName: n2", "s2"),
                                                              device("d", "allNodes: true", "all"),
                                                              device("e", "allNodes: true", "s1")},
                                     ", ")});
  return scene;
}

TEST_CASE("a row of one node, or of several, reports its own devices only") {
  const support::Scene scene = of_one_and_of_several();
  CHECK(rows(scene, TopBy::Drivers) ==
        "gpu.example.com 5: 0 used 5 free, 4 on n1; c 0/15 most 9 in gpu.example.com/p/all");
  CHECK(rows(scene, TopBy::Nodes) ==
        "n1 gpu.example.com 2: 0 used 2 free, 2 on n1; c 0/4 most 4 in gpu.example.com/p/s1\n"
        "n2 gpu.example.com 1: 0 used 1 free, 1 on n2; c 0/2 most 2 in gpu.example.com/p/s2\n"
        " gpu.example.com 2: 0 used 2 free, 2 on n1,n2; c 0/9 most 9 in gpu.example.com/p/all");
  CHECK(rows(scene, TopBy::NodePools) ==
        " gpu.example.com 1: 0 used 1 free, 1 on n2; c 0/2 most 2 in gpu.example.com/p/s2\n"
        "a gpu.example.com 2: 0 used 2 free, 2 on n1; c 0/4 most 4 in gpu.example.com/p/s1\n"
        " gpu.example.com 2: 0 used 2 free, 2 on n1,n2; c 0/9 most 9 in gpu.example.com/p/all");
}

TEST_CASE(
    "a driver of whole hosts serves no smaller request, and what is tainted has nothing left") {
  support::Scene scene;
  scene.device_class("tpu", "device.driver == 'tpu.google.com'");
  scene.node("n1").node("n2");
  for (const char* node : {"n1", "n2"}) {
    std::string devices;
    for (int i = 0; i < 4; ++i)
      devices += base::format(
          "{}{{name: '{}', attributes: {{chipCount: {{int: 4}}}}{}}}", i == 0 ? "" : ", ", i,
          i == 0 && std::string_view(node) == "n2" ? ", taints: [{key: hot, effect: NoSchedule}]"
                                                   : "");
    scene.slice({.name = node,
                 .driver = "tpu.google.com",
                 .pool = node,
                 .where = base::format("nodeName: {}", node),
                 .devices = devices});
  }
  CHECK(rows(scene, TopBy::Nodes) ==
        "n1 tpu.google.com 4: 0 used 4 free, 4 on n1\n"
        "n2 tpu.google.com 4: 0 used 3 free, 0 on ");
  CHECK(rows(scene, TopBy::Classes) ==
        "gpu 8: 0 used 7 free, 4 on n1\ntpu 8: 0 used 7 free, 4 on n1");
  support::Scene shared;
  shared.node("n1").slice(
      {.name = "s",
       .pool = "n1",
       .where = "nodeName: n1",
       .devices = "{name: a, allowMultipleAllocations: true, capacity: {mem: {value: 4}}, taints: "
                  "[{key: hot, effect: NoSchedule}]}, {name: b, allowMultipleAllocations: true, "
                  "capacity: {mem: {value: 2}}}"});
  CHECK(rows(shared, TopBy::Drivers) ==
        "gpu.example.com 2: 0 used 1 free, 1 on n1; mem 0/6 most 2 in "
        "gpu.example.com/n1/b");
}

TEST_CASE("of what is shared, too, nothing is said to be free where claims could not be read") {
  support::Scene scene = of_one_and_of_several();
  scene.slice(
      {.name = "s",
       .pool = "n1",
       .where = "nodeName: n1",
       .devices = "{name: m, allowMultipleAllocations: true, capacity: {mem: {value: 8Gi}}}"});
  scene.yaml(R"(apiVersion: v1
kind: ResourceQuota
metadata: {name: q, namespace: team}
status: {hard: {count/resourceclaims.resource.k8s.io: "2"}, used: {count/resourceclaims.resource.k8s.io: "1"}}
)");
  scene.cannot_read(api::Kind::Claim);
  CHECK(rows(scene, TopBy::Drivers) ==
        "gpu.example.com 6: ? used ? free, 0+? on ; mem ?/8Gi; c ?/15");
  CHECK(rows(scene, TopBy::Namespaces) ==
        "team: 0 claims, 0 pending, 0 pods, 0 of 6 devices, 1 quotas, nothing known of claims");
  const snapshot::Snapshot snapshot = scene.build();
  const Inventory inventory(snapshot);
  const report::Scene looked{snapshot, inventory};
  const Top drivers = top_of(looked, TopBy::Drivers);
  CHECK(support::text_of(to_view(drivers, false))
            .find("| mem | 8Gi | <unknown> | <unknown> |  | <unknown> |") != std::string::npos);
  const json::Value report = to_json(drivers);
  const json::Value& memory = report.find("items")->items()[0].find("shared")->items()[0];
  for (const char* field : {"used", "largestLeft", "where"})
    CHECK(memory.find(field)->is(json::Kind::Null));
  const Top namespaces = top_of(looked, TopBy::Namespaces);
  CHECK(support::text_of(to_view(namespaces, false))
            .find("team | <unknown> | <unknown> | <unknown> | <unknown> | <unknown> |") !=
        std::string::npos);
}

TEST_CASE("what only the slices of an incomplete pool do not have is not gone") {
  support::Scene scene;
  scene.node("n1");
  scene.slice(
      {.name = "s", .pool = "half", .count = 2, .where = "nodeName: n1", .devices = "{name: a}"});
  scene.claim("c", support::exactly("gpu", 3),
              support::allocated("{device: a, pool: half}, {device: b, pool: half}, {device: a, "
                                 "pool: none}"));
  const snapshot::Snapshot snapshot = scene.build();
  const Inventory inventory(snapshot);
  const Top top = top_of({snapshot, inventory}, TopBy::Namespaces);
  REQUIRE(top.namespaces.size() == 1);
  CHECK(top.namespaces[0].held == 2);
  CHECK(top.namespaces[0].gone == 1);
  CHECK(top.namespaces[0].of == 2);
}

}  // namespace dra::report::top_test
