// tests/answers/explain/kept_away_test.cpp: nodes that the DaemonSet of a driver is kept from.

#include "dra/answers/explain/kept_away.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/engine/cluster/left_out_nodes.h"
#include "tests/support/builders.h"

namespace dra::answers::kept_away_test {
namespace {

using support::Scene;
using support::scene;

std::string node(const std::string& name, const std::string& labels, const std::string& taint) {
  return "{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {" + labels +
         "}}, spec: {taints: [" + taint + "]}}";
}

// The plugin runs on n1, which has a device.
Scene served(const std::string& pod_spec) {
  return scene()
      .yaml(node("n1", "card: a", ""))
      .slice({.name = "s1", .pool = "n1", .where = "nodeName: n1", .devices = "{name: d}"})
      .yaml(
          "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: gpu-example-com, namespace: "
          "drivers, uid: u}, spec: {template: {spec: {" +
          pod_spec + "}}}}")
      .yaml(
          "{apiVersion: v1, kind: Pod, metadata: {name: gpu-example-com-1, namespace: drivers, "
          "ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: gpu-example-com, uid: u, "
          "controller: true}]}, spec: {nodeName: n1}, status: {phase: Running}}");
}

std::string kept_in(const Scene& words) {
  const auto snapshot = words.build();
  const engine::Inventory inventory(snapshot);
  const engine::NodeLoads loads(snapshot);
  const auto left_out = engine::nodes_left_out(snapshot, inventory);
  std::string text;
  for (const KeptAway& kept :
       nodes_kept_away(snapshot, inventory, left_out, loads, "gpu.example.com"))
    text += std::string(kept.node->meta.name) + ": " + kept.why + "; ";
  return text;
}

TEST_CASE("nodes that a driver's DaemonSet is kept from") {
  const std::string chooses = "nodeSelector: {card: a}";
  const std::string taint = "{key: team, value: x, effect: NoSchedule}";
  struct Case {
    const char* name;
    Scene scene;
    const char* want;
  };
  for (const Case& one : {
           Case{"a node that it chooses and does not tolerate",
                served(chooses).yaml(node("n2", "card: a", taint)),
                "n2: taint team=x:NoSchedule is not tolerated; "},
           Case{"a node that it does not choose", served(chooses).yaml(node("n2", "", taint)), ""},
           Case{"it chooses no nodes, so that the hardware is not known",
                served("").yaml(node("n2", "card: a", taint)), ""},
           Case{"a taint that it tolerates",
                served(chooses + ", tolerations: [{key: team, operator: Exists}]")
                    .yaml(node("n2", "card: a", taint)),
                ""},
           Case{"a taint that every DaemonSet tolerates",
                served(chooses).yaml(node(
                    "n2", "card: a", "{key: node.kubernetes.io/not-ready, effect: NoExecute}")),
                ""},
           Case{"its slices are there",
                served(chooses)
                    .yaml(node("n2", "card: a", taint))
                    .slice({.name = "s2",
             .pool = "n2",
             .where = "nodeName: n2",
             .devices = "{name: d}"}),
                ""},
           Case{"pods cannot be read",
                served(chooses).yaml(node("n2", "card: a", taint)).cannot_read(api::Kind::Pod), ""},
       }) {
    CAPTURE(std::string(one.name));
    CHECK(kept_in(one.scene) == one.want);
  }
}

}  // namespace
}  // namespace dra::answers::kept_away_test
