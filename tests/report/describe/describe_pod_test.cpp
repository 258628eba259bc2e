// tests/report/describe/describe_pod_test.cpp: what is said of pods and of their nodes.

#include "tests/report/describe/describe_text.h"

#include "dra/api/cluster_objects.h"

#include "dra/api/pod.h"

namespace dra::report::describe_pod_test {
namespace {

using api::Kind;
using support::allocated;
using support::exactly;
using support::on_node;
using support::scene;
using support::Scene;

constexpr const char* kClaim = "{name: a, resourceClaimName: c1}";
constexpr const char* kUses = "containers: [{name: main, resources: {claims: [{name: a}]}}]";

Scene held_for(std::string_view uid) {
  return scene()
      .slice("n1", {"gpu-0"})
      .claim("c1", exactly("gpu", 1),
             allocated("{device: gpu-0, pool: n1}", on_node("n1")) +
                 ", reservedFor: [{resource: pods, name: p1, uid: " + std::string(uid) + "}]");
}

Scene running(std::string_view spec, std::string_view status) {
  return held_for("p1").pod("p1", kClaim, "nodeName: n1, " + std::string(spec),
                            "phase: Running, " + std::string(status));
}

std::string pod_text(const Scene& words, std::string_view name) {
  return text_about<api::Pod>(words, name, describe_pod);
}
std::string node_words(const Scene& words, std::string_view name) {
  return text_about<api::Node>(words, name, describe_node);
}

TEST_CASE("pods") {
  check_all(
      {
          {"a pod with its devices", running(kUses, ""), "p1", "a c1: allocated,reserved",
           "explain"},
          {"another pod's reservation is not its own",
           held_for("other").pod("p1", kClaim, std::string("nodeName: n1, ") + kUses), "p1",
           "Claim default/c1 is not reserved for this pod"},
          {"a claim that no container uses", running("containers: [{name: main}]", ""), "p1",
           "No container uses claim a"},
          {"an init container uses it too",
           running("initContainers: [{name: i, resources: {claims: [{name: a}]}}]", ""), "p1",
           "i (init) | a", "No container uses"},
          {"a request that the claim does not have",
           running("containers: [{name: main, resources: {claims: [{name: a, request: b}]}}]", ""),
           "p1", "Container main uses request b of claim a, which has no such request"},
          {"a container that waits",
           running(kUses,
                   "containerStatuses: [{name: main, state: {waiting: {reason: Broken, message: "
                   "m}}}]"),
           "p1", "Container main waits: Broken: m"},
          {"one that ended well is no problem",
           running(kUses,
                   "containerStatuses: [{name: main, state: {terminated: {exitCode: 0, "
                   "reason: Completed}}}]"),
           "p1", "ended (Completed)", "exit code"},
          {"health as the kubelet knows it",
           running(kUses,
                   "containerStatuses: [{name: main, allocatedResourcesStatus: [{name: "
                   "'claim:a', resources: [{resourceID: x, health: Unhealthy}]}]}]"),
           "p1", "Health of x in container main is Unhealthy"},
          {"why a pod with a node does not start is explained",
           held_for("p1").pod("p1", kClaim, std::string("nodeName: n1, ") + kUses,
                              "phase: Pending"),
           "p1", "why it does not start:  kubectl dra explain pod p1 -n default"},
          {"a pod without a node is explained", held_for("p1").pod("p1", kClaim, kUses, ""), "p1",
           "why it waits:  kubectl dra explain pod p1 -n default"},
          {"what stops it comes with what to do",
           scene().pod("p1", kClaim, kUses, "phase: Pending"), "p1",
           "Claim default/c1 does not exist"},
          {"a claim that cannot be read is not missing",
           scene().cannot_read(Kind::Claim).pod("p1", kClaim, kUses, "phase: Pending"), "p1",
           "what it asks for and got is not known", "does not exist"},
          {"a claim named twice is shown once",
           held_for("p1").pod("p1",
                              "{name: a, resourceClaimName: c1}, {name: b, "
                              "resourceClaimName: c1}",
                              kUses),
           "p1", "\nDevices\n", "Devices of claim"},
          {"tolerations that every pod has do not matter",
           running("tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists}, {key: k, "
                   "operator: Exists}]",
                   ""),
           "p1", "tolerates k\n"},
          {"another scheduler", scene().pod("p1", "", "schedulerName: mine"), "p1",
           "scheduler mine"},
          {"a pod without claims", scene().pod("p1", ""), "p1", "It uses no claims"},
          {"a claim that is to be made for its extended resource",
           scene()
               .yaml("apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: "
                     "ext}\nspec: {extendedResourceName: a.io/x}\n")
               .pod("p1", "",
                    "containers: [{name: c, resources: {limits: {a.io/x: '1'}, requests: {a.io/x: "
                    "'1'}}}]"),
           "p1", "<extended-resources>", "It uses no claims"},
      },
      pod_text);
}

constexpr const char* kPool = "cloud.google.com/gke-nodepool: np";

TEST_CASE("nodes") {
  check_all(
      {
          {"nothing is known of readiness without a condition", scene().node("n1"), "n1",
           "Node n1: Unknown"},
          {"its devices and who is using them", running(kUses, "").node("n1"), "n1",
           "gpu-0 | in use | default/c1 | p1"},
          {"pods with claims there", running(kUses, "").node("n1"), "n1",
           "default/p1 | Running | gpu-0 | c1"},
          {"no devices", scene().node("n1"), "n1", "no driver publishes any for this node"},
          {"slices that cannot be read are not none", scene().cannot_read(Kind::Slice).node("n1"),
           "n1", "its devices are not known", "no driver publishes"},
          {"pods that cannot be read", scene().cannot_read(Kind::Pod).node("n1"), "n1",
           "pods that use its devices are not known"},
          {"its neighbours of the node pool have devices",
           scene().node("n1", kPool).node("n2", kPool).slice("n2", {"gpu-0"}), "n1",
           "Driver gpu.example.com publishes nothing for it, but does for 1 of 1 other nodes"},
          {"nodes of another node pool are not compared with it",
           scene().node("n1", kPool).node("n2").slice("n2", {"gpu-0"}), "n1", "node pool np",
           "publishes nothing"},
          {"fewer than the label says",
           scene()
               .node("n1", "cloud.google.com/gke-accelerator-count: '4'")
               .slice("n1", {"gpu-0", "gpu-1"}),
           "n1", "says 4, and only 2 devices are published"},
          {"more are partitions",
           scene()
               .node("n1", "cloud.google.com/gke-accelerator-count: '1'")
               .slice("n1", {"gpu-0", "gpu-1"}),
           "n1", "Devices of gpu.example.com (2, all free)", "Label"},
          {"a pool that is gone altogether is still held",
           scene().node("n1").claim("c1", exactly("gpu", 1),
                                    allocated("{device: gpu-0, pool: n1}", on_node("n1"))),
           "n1", "Device gpu-0 is allocated to claim default/c1, but no current slice"},
          {"a pool that is not bound to it",
           scene().node("n1").slice({.name = "s", .devices = "{name: d}"}), "n1",
           "Devices of gpu.example.com in pool pool, which other nodes share (1, free)"},
          {"a selector that cannot be read",
           scene().node("n1").slice(
               {.name = "s",
                .where = "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: rack, "
                         "operator: Near}]}]}",
                .devices = "{name: d}"}),
           "n1", "What it can use is not known: "},
          {"extended resources are among what it offers",
           scene().yaml("{apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {unschedulable: "
                        "true}, status: {allocatable: {cpu: '4', hugepages-2Mi: '0', "
                        "example.com/gpu: '2'}}}"),
           "n1", "allocatable cpu 4, example.com/gpu 2"},
          {"cordoned",
           scene().yaml("{apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {unschedulable: "
                        "true}, status: {conditions: [{type: Ready, status: 'True'}]}}"),
           "n1", "Node n1: Ready,SchedulingDisabled"},
      },
      node_words);
}

}  // namespace
}  // namespace dra::report::describe_pod_test
