// tests/report/lists/list_drivers_test.cpp

#include "dra/report/lists/list_drivers.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/device_class.h"
#include "dra/base/text.h"
#include "dra/json/write.h"
#include "tests/support/builders.h"
#include "tests/support/document_text.h"

namespace dra::report::list_drivers_test {
namespace {

using support::allocated;
using support::exactly;
using support::Scene;
using support::scene;

std::string device_class(std::string_view name, std::string_view expression) {
  return base::format(
      "{{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {{name: {}}}, spec: "
      "{{selectors: [{{cel: {{expression: {}}}}}]}}}}",
      name, expression);
}

struct Case {
  const char* name;
  Scene scene;
  const char* want;  // NAME | CLASSES | NODES | POOLS | DEVICES | FREE | STATUS
};

TEST_CASE("rows") {
  const Case rows[] = {
      {"what a driver publishes",
       scene()
           .node("n1")
           .node("n2")
           .slice("n1", {"d0", "d1"})
           .held("n1", "d0")
           .yaml(device_class("fast", "'device.driver == \"gpu.example.com\"'")),
       "gpu.example.com | fast | 1/2 | 1 | 2 | 1 | 1 | OK\n"},
      {"without Node objects it is not known of how many",
       scene().slice("n1", {"d"}).slice("n2", {"d"}),
       "gpu.example.com | <none> | 2 | 2 | 2 | 0 | 2 | OK\n"},
      {"a node that is missing what others of its node pool have is named",
       scene()
           .node("n1", "karpenter.sh/nodepool: gpus")
           .node("n2", "karpenter.sh/nodepool: gpus")
           .node("n3", "karpenter.sh/nodepool: none")
           .slice("n1", {"d"}),
       "gpu.example.com | <none> | 1/3 | 1 | 1 | 0 | 1 | 1 node missing (n2)\n"},
      {"a slice for all nodes",
       scene().node("n1").node("n2").slice({.name = "s", .devices = "{name: d}"}),
       "gpu.example.com | <none> | 2/2 | 1 | 1 | 0 | 1 | OK\n"},
      {"a slice for some nodes, and one for a node that is gone",
       scene()
           .node("n1", "rack: r1")
           .node("n2")
           .slice("gone", {"d"})
           .slice({.name = "s",
                   .where = "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: rack, "
                            "operator: Exists}]}]}",
                   .devices = "{name: d}"}),
       "gpu.example.com | <none> | 1/2 | 2 | 2 | 0 | 2 | OK\n"},
      {"pools that are not right",
       scene()
           .slice({.name = "a", .pool = "a", .count = 2, .devices = "{name: d}"})
           .slice({.name = "b", .pool = "b", .devices = "{name: d}, {name: d}"})
           .slice({.name = "c", .pool = "c", .devices = "{name: d}"})
           .slice({.name = "c2", .pool = "c", .generation = 2, .devices = "{name: d}"}),
       "gpu.example.com | <none> | 1 | 3 | 4 | 0 | 1 | 3 | 1 pool invalid, 1 pool incomplete, 1 "
       "pool with "
       "stale slices\n"},
      {"a class whose driver publishes nothing",
       scene().yaml(device_class("c", "\"device.driver == 'x.com'\"")),
       "x.com | c | 0 | 0 | 0 | 0 | 0 | publishes nothing\n"},
      {"a claim that holds a device of a driver that is gone",
       scene().claim("c", exactly("gpu", 1), allocated("{device: d, pool: p}")),
       "gpu.example.com | <none> | 0 | 0 | 0 | 0 | 0 | publishes nothing\n"},
      {"without claims", scene().slice("n1", {"d"}).cannot_read(api::Kind::Claim),
       "gpu.example.com | <none> | 1 | 1 | 1 | <unknown> | <unknown> | OK\n"},
      {"without classes and nodes",
       scene().slice("n1", {"d"}).cannot_read(api::Kind::Class).cannot_read(api::Kind::Node),
       "gpu.example.com | <unknown> | <unknown> | 1 | 1 | 0 | 1 | OK\n"},
      {"without slices",
       scene()
           .node("n1")
           .yaml(device_class("c", "\"device.driver == 'x.com'\""))
           .cannot_read(api::Kind::Slice),
       "x.com | c | <unknown> | <unknown> | <unknown> | <unknown> | <unknown> | <unknown>\n"},
      {"nothing at all", scene(), ""},
  };
  for (const Case& row : rows) {
    CAPTURE(std::string(row.name));
    const auto snapshot = row.scene.build();
    const engine::Inventory inventory(snapshot);
    CHECK(support::rows_of(drivers_view(engine::summarize_drivers(snapshot, inventory))) ==
          row.want);
  }
}

TEST_CASE("drivers as JSON keep the contract") {
  const auto json = [](const snapshot::Snapshot& snapshot) {
    const engine::Inventory inventory(snapshot);
    return write_json(drivers_json(engine::summarize_drivers(snapshot, inventory)),
                      json::Style::Compact);
  };
  CHECK(
      json(scene().node("n1").slice("n1", {"d0", "d1"}).held("n1", "d0").build()) ==
      R"({"apiVersion":"dra.kubectl/v1","kind":"DriverList","items":[{"name":"gpu.example.com",)"
      R"("classes":[],"nodes":1,"nodesTotal":1,"nodesMissing":[],"pools":1,"poolsIncomplete":0,"poolsInvalid":0,)"
      R"("poolsStale":0,"devices":2,"allocated":1,"shared":0,"free":1,"blocked":0,"tainted":0,"unusable":0,"missing":0,"freePartitions":0,"freeWithoutRoom":0,)"
      R"("status":"OK"}]})");
  CHECK(
      json(scene()
               .held("n1", "d0")
               .cannot_read(api::Kind::Slice)
               .cannot_read(api::Kind::Class)
               .build()) ==
      R"({"apiVersion":"dra.kubectl/v1","kind":"DriverList","items":[{"name":"gpu.example.com",)"
      R"("classes":null,"nodes":null,"nodesTotal":null,"nodesMissing":null,"pools":null,"poolsIncomplete":null,)"
      R"("poolsInvalid":null,"poolsStale":null,"devices":null,"allocated":null,"shared":null,"free":null,"blocked":null,"tainted":null,"unusable":null,)"
      R"("missing":null,"freePartitions":null,"freeWithoutRoom":null,"status":"<unknown>"}]})");
}

}  // namespace
}  // namespace dra::report::list_drivers_test
