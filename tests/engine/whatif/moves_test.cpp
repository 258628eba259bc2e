// tests/engine/whatif/moves_test.cpp: pods that could move so that a subject fits.

#include "src/engine/whatif/moves.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::moves_test {
namespace {

using support::exactly;
using support::Scene;

// A pod of a StatefulSet on a node, with a claim of its own for these devices of the node's pool.
void place(Scene& scene, std::string_view name, std::string_view node, std::string_view devices,
           std::string_view owner = "StatefulSet") {
  std::string results;
  int count = 0;
  for (const std::string_view device : base::split(devices, ' ')) {
    results += base::format("{}{{request: gpu, driver: gpu.example.com, pool: {}, device: {}}}",
                            count++ == 0 ? "" : ", ", node, device);
  }
  const std::string owners =
      owner.empty() ? ""
                    : base::format(
                          ", ownerReferences: [{{apiVersion: apps/v1, kind: {0}, name: {1}-set, "
                          "uid: {1}-set, controller: true}}]",
                          owner, name);
  scene.yaml(base::format(
      "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: {0}-gpu, "
      "namespace: "
      "default, ownerReferences: [{{apiVersion: v1, kind: Pod, name: {0}, uid: {0}, controller: "
      "true}}]}}, spec: {{devices: {{requests: [{{name: gpu, exactly: {{deviceClassName: gpu, "
      "count: "
      "{1}}}}}]}}}}, status: {{allocation: {{devices: {{results: [{2}]}}}}, reservedFor: "
      "[{{resource: pods, name: {0}, uid: {0}}}]}}}}",
      name, count, results));
  scene.yaml(base::format(
      "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {{name: t{0}, "
      "namespace: default}}, spec: {{spec: {{devices: {{requests: [{{name: gpu, exactly: "
      "{{deviceClassName: gpu, count: {0}}}}}]}}}}}}}}",
      count));
  scene.yaml(base::format(
      "{{apiVersion: v1, kind: Pod, metadata: {{name: {0}, namespace: default, uid: {0}{1}}}, "
      "spec: "
      "{{nodeName: {2}, containers: [{{name: c}}], resourceClaims: [{{name: gpu, "
      "resourceClaimTemplateName: t{3}}}]}}, status: {{phase: Running, resourceClaimStatuses: "
      "[{{name: gpu, resourceClaimName: {0}-gpu}}]}}}}",
      name, owners, node, count));
}

// A pod that waits for so many GPUs of one node.
void add_waiting(Scene& scene, std::string_view name, int count, std::string_view spec,
                 std::string_view meta = "") {
  scene.claim(base::format("of-{}", name), exactly("gpu", count));
  scene.yaml(base::format(
      "{{apiVersion: v1, kind: Pod, metadata: {{name: {0}, namespace: default, uid: {0}{1}}}, "
      "spec: {{resourceClaims: [{{name: gpu, resourceClaimName: of-{0}}}], {2}}}, status: {{phase: "
      "Pending}}}}",
      name, meta, spec));
}

void wait_for(Scene& scene, int count, std::string_view spec = "containers: [{name: c}]",
              std::string_view meta = "") {
  add_waiting(scene, "wants", count, spec, meta);
}

// "n1: a (1) to n2,n3; b (2) to n4".
std::string shown(const Scene& scene) {
  const snapshot::Snapshot snapshot = scene.build();
  const Simulator simulator(snapshot);
  SimulationBudget budget;
  const Wanted wanted{.namespace_ = "default", .pod = "wants", .claims = {}};
  std::vector<std::string> nodes;
  for (const api::Node& node : simulator.nodes().nodes)
    nodes.emplace_back(node.meta.name);
  const auto moves = moves_for(simulator, wanted, nodes, budget);
  if (!moves) return "none";
  std::vector<std::string> pods;
  for (const PodMove& one : moves->pods) {
    pods.push_back(base::format("{} ({}) to {} by {}", one.pod, one.devices,
                                base::join(one.to, ","), one.made_by));
    if (!one.budgets.empty()) pods.back() += " against " + base::join(one.budgets, ",");
  }
  return base::format("{}: {}", moves->node, base::join(pods, "; "));
}

Scene two_halves() {
  Scene scene;
  scene.node("n1").slice("n1", {"gpu-0", "gpu-1"});
  scene.node("n2").slice("n2", {"gpu-0", "gpu-1"});
  return scene;
}

}  // namespace

TEST_CASE("one pod moves where a device is free") {
  Scene scene = two_halves();
  place(scene, "a", "n1", "gpu-0");
  place(scene, "b", "n2", "gpu-0");
  wait_for(scene, 2);
  CHECK(shown(scene) == "n1: default/a (1) to n2 by StatefulSet a-set");
}

TEST_CASE("nothing moves where there is no room elsewhere") {
  Scene scene = two_halves();
  place(scene, "a", "n1", "gpu-0");
  place(scene, "b", "n2", "gpu-0 gpu-1");
  wait_for(scene, 2);
  CHECK(shown(scene) == "none");
}

TEST_CASE("what nothing creates again, or only there, does not move") {
  for (const std::string_view owner : {"", "DaemonSet", "Node"}) {
    Scene scene = two_halves();
    place(scene, "a", "n1", "gpu-0", owner);
    place(scene, "b", "n2", "gpu-0", owner);
    wait_for(scene, 2);
    CAPTURE(owner);
    CHECK(shown(scene) == "none");
  }
}

TEST_CASE("several pods move together, each to a place that the others leave") {
  Scene scene;
  scene.node("n1").slice("n1", {"gpu-0", "gpu-1", "gpu-2", "gpu-3"});
  scene.node("n2").slice("n2", {"gpu-0"});
  scene.node("n3").slice("n3", {"gpu-0"});
  place(scene, "a", "n1", "gpu-0");
  place(scene, "b", "n1", "gpu-1");
  wait_for(scene, 4);
  CHECK(shown(scene) ==
        "n1: default/a (1) to n2,n3 by StatefulSet a-set; default/b (1) to n2,n3 by StatefulSet "
        "b-set");
}

TEST_CASE("a pod that fits nowhere else is passed over") {
  Scene scene;
  scene.node("n1", "disk: fast").slice("n1", {"gpu-0", "gpu-1", "gpu-2"});
  scene.node("n2").slice("n2", {"gpu-0"});
  place(scene, "big", "n1", "gpu-0 gpu-1");
  place(scene, "small", "n1", "gpu-2");
  wait_for(scene, 1, "nodeSelector: {disk: fast}");
  CHECK(shown(scene) == "n1: default/small (1) to n2 by StatefulSet small-set");
}

// The pod that waits keeps away from pods without that label, also where one of them has moved to.
TEST_CASE("the pod that waits fits where the moved ones are then") {
  for (const bool same_zone : {false, true}) {
    Scene scene;
    scene.node("n1", "zone: a").slice("n1", {"gpu-0", "gpu-1"});
    scene.node("n2", same_zone ? "zone: a" : "zone: b").slice("n2", {"gpu-0"});
    place(scene, "a", "n1", "gpu-0");
    wait_for(scene, 2,
             "containers: [{name: c}], affinity: {podAntiAffinity: "
             "{requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone, labelSelector: "
             "{matchExpressions: [{key: app, operator: DoesNotExist}]}}]}}");
    CAPTURE(same_zone);
    CHECK(shown(scene) == (same_zone ? "none" : "n1: default/a (1) to n2 by StatefulSet a-set"));
  }
}

// The rival takes a GPU that the pod needs as soon as its node may be used again.
TEST_CASE("nothing moves for a pod that waits behind one that takes the place") {
  struct Row {
    std::string_view name;
    int priority, count;
    std::string_view moves;
    bool replicas = false;
  };
  constexpr std::string_view kMoves = "n1: default/a (1) to n2 by StatefulSet a-set";
  for (const auto& [name, priority, count, moves, replicas] :
       {Row{"of a higher priority", 10, 1, "none"},
        Row{"of the same priority, though it is younger", 0, 2, "none"},
        Row{"of a lower priority", -10, 1, kMoves},
        Row{"that wants more than there is", 10, 3, kMoves},
        Row{"of the same workload", 0, 2, kMoves, true}}) {
    Scene scene = two_halves();
    place(scene, "a", "n1", "gpu-0");
    place(scene, "b", "n2", "gpu-0", "DaemonSet");
    const std::string_view owner =
        replicas ? ", ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: r, uid: r, "
                   "controller: true}]"
                 : "";
    wait_for(scene, 2, "containers: [{name: c}]", owner);
    add_waiting(scene, "younger", count,
                base::format("containers: [{{name: c}}], priority: {}", priority), owner);
    CAPTURE(name);
    CHECK(shown(scene) == moves);
  }
}

TEST_CASE("a pod does not move if its Job fails with it") {
  for (const int limit : {0, 3}) {
    Scene scene = two_halves();
    place(scene, "a", "n1", "gpu-0", "Job");
    place(scene, "b", "n2", "gpu-0", "DaemonSet");
    scene.yaml(base::format(
        "{{apiVersion: batch/v1, kind: Job, metadata: {{name: a-set, namespace: default, uid: "
        "a-set}}, spec: {{backoffLimit: {}}}}}",
        limit));
    wait_for(scene, 2);
    CAPTURE(limit);
    CHECK(shown(scene) == (limit == 0 ? "none" : "n1: default/a (1) to n2 by Job a-set"));
  }
}

TEST_CASE("budgets that a deletion does not ask are named") {
  Scene scene = two_halves();
  place(scene, "a", "n1", "gpu-0");
  place(scene, "b", "n2", "gpu-0", "DaemonSet");
  scene.yaml(
      "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: keep, namespace: "
      "default}, spec: {selector: {}}, status: {disruptionsAllowed: 0}}");
  wait_for(scene, 2);
  CHECK(shown(scene) == "n1: default/a (1) to n2 by StatefulSet a-set against default/keep");
}

}  // namespace dra::engine::moves_test
