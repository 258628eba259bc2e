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

// The pod of the plugin on a node, which is ready.
std::string plugin_on(const std::string& node) {
  return "{apiVersion: v1, kind: Pod, metadata: {name: gpu-example-com-" + node +
         ", namespace: drivers, ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: "
         "gpu-example-com, uid: u, controller: true}]}, spec: {nodeName: " +
         node + "}, status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}}";
}

// Node n1 has the labels and a device; the DaemonSet selects `card: a`.
Scene like(const std::string& labels) {
  return scene()
      .yaml(node("n1", "card: a, " + labels, ""))
      .slice({.name = "s1", .pool = "n1", .where = "nodeName: n1", .devices = "{name: d}"})
      .yaml(
          "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: gpu-example-com, namespace: "
          "drivers, uid: u}, spec: {template: {spec: {nodeSelector: {card: a}}}}}")
      .yaml(plugin_on("n1"));
}

TEST_CASE("nodes that are like those with devices") {
  const std::string type = "node.kubernetes.io/instance-type: m9.large";
  const std::string present = "example.com/gpu.present: 'true'";
  const std::string control = "node-role.kubernetes.io/control-plane: ''";
  const char* kept = "n2: nodeSelector card=a does not match; ";
  struct Case {
    const char* name;
    Scene scene;
    const char* want;
  };
  for (const Case& one : {
           Case{"one label is missing on a machine of the type",
                like(type).yaml(node("n2", type, "")), kept},
           Case{"one label is missing, and the vendor's label is there",
                like(present).yaml(node("n2", present, "")), kept},
           Case{"another machine type",
                like(type).yaml(node("n2", "node.kubernetes.io/instance-type: m9.small", "")), ""},
           Case{"a distribution gives its own name for a type",
                like("node.kubernetes.io/instance-type: k3s")
                    .yaml(node("n2", "node.kubernetes.io/instance-type: k3s", "")),
                ""},
           Case{"a label of the vendor that is not about this hardware",
                like("example.com/managed: 'true'")
                    .yaml(node("n2", "example.com/managed: 'true'", "")),
                ""},
           Case{"a node of the control plane",
                like(type).yaml(node("n2", type + ", " + control, "")), ""},
           Case{"the driver is ready there, and its slice is empty",
                like(type)
                    .yaml(node("n2", "card: a, " + type, ""))
                    .slice({.name = "s2", .pool = "n2", .where = "nodeName: n2", .devices = ""})
                    .yaml(plugin_on("n2")),
                "n2: the driver runs there and found no device: its slice is empty; "},
           Case{"it is ready there without a slice, on another machine type",
                like(type).yaml(node("n2", "card: a", "")).yaml(plugin_on("n2")), ""},
       }) {
    CAPTURE(std::string(one.name));
    CHECK(kept_in(one.scene) == one.want);
  }
}

}  // namespace
}  // namespace dra::answers::kept_away_test
