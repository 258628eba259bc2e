// tests/report/lists/list_nodes_test.cpp

#include "dra/report/lists/list_nodes.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/cluster_objects.h"
#include "tests/support/builders.h"
#include "tests/support/document_text.h"

namespace dra::report::list_nodes_test {
namespace {

using support::Scene;
using support::scene;

struct Case {
  const char* name;
  Scene scene;
  const char* want;  // NAME | STATUS | DRIVERS | DEVICES | ALLOCATED | FREE | PODS | TAINTS, of
                     // those that matter
};

Scene cordoned() {
  return scene()
      .slice("n1", {"d"})
      .yaml(
          "{apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {unschedulable: true, taints: "
          "[{key: node.kubernetes.io/unschedulable, effect: NoSchedule}, {key: team, value: a, "
          "effect: "
          "NoExecute}]}}");
}

Scene one_is_lost() {
  return scene()
      .node("n1", "karpenter.sh/nodepool: gpus")
      .slice("n1", {"d"})
      .yaml(
          "{apiVersion: v1, kind: Node, metadata: {name: n2, labels: {karpenter.sh/nodepool: "
          "gpus}}, status: {conditions: [{type: Ready, status: Unknown}]}}");
}

constexpr const char* kUse = "{name: a, resourceClaimName: x}";

TEST_CASE("rows") {
  const Case rows[] = {
      {"what a node has",
       scene().node("n1").slice("n1", {"d0", "d1"}).held("n1", "d0").pod("p", kUse, "nodeName: n1"),
       "n1 | Unknown | gpu.example.com | 2 | 1 | 1 | 1 | <none>\n"},
      {"a node that has nothing to do with devices is omitted",
       scene().node("n1").pod("p", "", "nodeName: n1"), ""},
      {"a pod with claims is reason enough", scene().node("n1").pod("p", kUse, "nodeName: n1"),
       "n1 | Unknown | <none> | 0 | 0 | 0 | 1 | <none>\n"},
      {"but not when it is done",
       scene().node("n1").pod("p", kUse, "nodeName: n1", "phase: Succeeded"), ""},
      {"devices that several nodes can use belong to none",
       scene().node("n1").node("n2").slice({.name = "s", .devices = "{name: d}"}), ""},
      {"a selector that names one node is that node",
       scene().node("n1").slice(
           {.name = "s", .where = support::on_node("n1"), .devices = "{name: d}"}),
       "n1 | Unknown | gpu.example.com | 1 | 0 | 1 | 0 | <none>\n"},
      {"devices that name their node each",
       scene().node("n1").node("n2").slice(
           {.name = "s",
            .where = "perDeviceNodeSelection: true",
            .devices = "{name: d, nodeName: n2}, {name: e, allNodes: true}"}),
       "n2 | Unknown | gpu.example.com | 1 | 0 | 1 | 0 | <none>\n"},
      {"being cordoned is said once", cordoned(),
       "n1 | Unknown | gpu.example.com | 1 | 0 | 1 | 0 | team=a:NoExecute,unschedulable\n"},
      {"without claims", scene().node("n1").slice("n1", {"d"}).cannot_read(api::Kind::Claim),
       "n1 | Unknown | gpu.example.com | 1 | <unknown> | <unknown> | 0 | <none>\n"},
      {"without pods", scene().node("n1").slice("n1", {"d"}).cannot_read(api::Kind::Pod),
       "n1 | Unknown | gpu.example.com | 1 | 0 | 1 | <unknown> | <none>\n"},
      {"a node without devices, unlike others of its node pool", one_is_lost(),
       "n1 | Unknown | gpu.example.com | 1 | 0 | 1 | 0 | <none>\n"
       "n2 | NotReady | <none> | 0 | 0 | 0 | 0 | <none>\n"},
      {"without slices",
       scene().node("n1").pod("p", kUse, "nodeName: n1").cannot_read(api::Kind::Slice),
       "n1 | Unknown | <unknown> | <unknown> | <unknown> | <unknown> | 1 | <none>\n"},
  };
  for (const Case& row : rows) {
    CAPTURE(std::string(row.name));
    const auto snapshot = row.scene.build();
    const engine::Inventory inventory(snapshot);
    std::vector<const api::Node*> nodes;
    for (const api::Node& node : snapshot.all<api::Node>())
      nodes.push_back(&node);
    auto found = node_rows(snapshot, inventory, nodes);
    std::erase_if(found, [](const NodeRow& node) { return !node.matters(); });
    CHECK(support::rows_of(nodes_view(found)) == row.want);
  }
}

TEST_CASE("what is missing on a node is counted, also where the node publishes nothing") {
  const auto snapshot = scene().node("n1").node("n2").node("n3").slice("n1", {"d"}).build();
  const engine::Inventory inventory(snapshot);
  std::vector<const api::Node*> nodes;
  for (const api::Node& node : snapshot.all<api::Node>())
    nodes.push_back(&node);
  const std::vector<engine::MissingDevice> missing = {
      {.driver = "gpu.example.com", .pool = "n1", .node = "n1"},
      {.driver = "gpu.example.com", .pool = "n2", .node = "n2"}};
  auto rows = node_rows(snapshot, inventory, nodes, missing);
  std::erase_if(rows, [](const NodeRow& node) { return !node.matters(); });
  CHECK(support::rows_of(nodes_view(rows)) ==
        "n1 | Unknown | gpu.example.com | 1 | 0 | 1 | 1 | 0 | <none>\n"
        "n2 | Unknown | <none> | 0 | 0 | 0 | 1 | 0 | <none>\n");
}

}  // namespace
}  // namespace dra::report::list_nodes_test
