// tests/engine/whatif/plan_others_test.cpp: what others do to a verdict of a plan, and what they
// cannot do.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/engine/whatif/plan.h"
#include "tests/support/builders.h"

namespace dra::engine::plan_others_test {
namespace {

using support::Scene;

constexpr std::string_view kAgainstItself =
    "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: "
    "kubernetes.io/hostname, labelSelector: {matchLabels: {app: solo}}}]}}";

Scene nodes(int count, std::initializer_list<std::string_view> devices) {
  Scene scene;
  for (int i = 1; i <= count; ++i) {
    const std::string name = base::format("n{}", i);
    scene.yaml(base::format(
        "{{apiVersion: v1, kind: Node, metadata: {{name: {0}, labels: {{kubernetes.io/hostname: "
        "{0}}}}}, status: {{allocatable: {{cpu: '8', pods: '110'}}}}}}",
        name));
    scene.slice(name, devices);
  }
  return scene;
}

// A pod with so many GPUs and thousandths of a CPU.
void add(Scene& scene, std::string_view name, int gpus, int cpu = 1, std::string_view spec = "",
         std::string_view status = "") {
  const std::string claims =
      gpus == 0 ? std::string()
                : base::format(", resourceClaims: [{{name: gpu, resourceClaimName: c-{}}}]", name);
  if (gpus > 0) scene.claim(base::format("c-{}", name), support::exactly("gpu", gpus));
  scene.yaml(base::format(
      "{{apiVersion: v1, kind: Pod, metadata: {{name: {0}, namespace: default, uid: {0}}}, spec: "
      "{{containers: [{{name: c, resources: {{requests: {{cpu: {1}m}}}}}}]{2}{3}{4}}}, status: "
      "{{phase: Pending{5}{6}}}}}",
      name, cpu, claims, spec.empty() ? "" : ", ", spec, status.empty() ? "" : ", ", status));
}

// "a: Fits n1; b: Depends n1 n2 (a)".
std::string told(const Scene& scene) {
  const snapshot::Snapshot snapshot = scene.build();
  const Plan plan = plan_for(snapshot);
  std::vector<std::string> all;
  for (const PlanStep& step : plan.steps) {
    std::string one = base::format("{}: {}", step.pod->meta.name, name_of(step.verdict));
    for (const std::string_view node : step.nodes)
      one += base::format(" {}", node);
    std::vector<std::string> before;
    for (const api::Pod* pod : step.before)
      before.emplace_back(pod->meta.name);
    if (!before.empty()) one += base::format(" ({})", base::join(before, " "));
    all.push_back(std::move(one));
  }
  return base::join(all, "; ");
}

}  // namespace

TEST_CASE("what other pods cannot change stays decided behind them") {
  Scene scene = nodes(2, {"gpu-0", "gpu-1"});
  add(scene, "a", 1);
  SUBCASE("devices that no node has") { add(scene, "b", 3, 1, kAgainstItself); }
  SUBCASE("a label that no node has") {
    add(scene, "b", 1, 1, base::format("nodeSelector: {{zone: z}}, {}", kAgainstItself));
  }
  SUBCASE("more devices than a claim can hold") { add(scene, "b", 33); }
  SUBCASE("a volume claim that is not there") {
    add(scene, "b", 1, 1, "volumes: [{name: v, persistentVolumeClaim: {claimName: none}}]");
  }
  add(scene, "c", 1);
  CHECK(told(scene) == "a: Fits n1 n2; b: DoesNotFit; c: Fits n1 n2");
}

TEST_CASE("a pod that is tied to others depends on nodes that may open") {
  Scene scene = nodes(3, {"gpu-0"});
  scene.yaml(
      "{apiVersion: v1, kind: Node, metadata: {name: n3}, spec: {unschedulable: true}, status: "
      "{allocatable: {cpu: '8', pods: '110'}}}");
  add(scene, "a", 1);
  add(scene, "b", 1, 1, kAgainstItself);
  CHECK(told(scene) == "a: Fits n1 n2; b: Depends n1 n2 (a)");
}

TEST_CASE("a bound volume ties a pod to no other, one for a single pod does") {
  Scene scene = nodes(3, {"gpu-0"});
  scene.yaml(
      "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: share}, provisioner: "
      "nfs}");
  const auto volume = [&scene](std::string_view name, std::string_view mode) {
    scene.yaml(base::format(
        "{{apiVersion: v1, kind: PersistentVolume, metadata: {{name: pv-{0}, uid: pv-{0}}}, spec: "
        "{{capacity: {{storage: 1Gi}}, accessModes: [{1}], storageClassName: share, nfs: {{server: "
        "s, path: /}}, claimRef: {{namespace: default, name: {0}, uid: {0}}}}}, status: {{phase: "
        "Bound}}}}",
        name, mode));
    scene.yaml(base::format(
        "{{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {{name: {0}, namespace: default, "
        "uid: {0}, annotations: {{pv.kubernetes.io/bind-completed: 'yes'}}}}, spec: {{accessModes: "
        "[{1}], storageClassName: share, volumeName: pv-{0}, resources: {{requests: {{storage: "
        "1Gi}}}}}}, status: {{phase: Bound}}}}",
        name, mode));
  };
  const auto with = [](std::string_view claim) {
    return base::format("volumes: [{{name: v, persistentVolumeClaim: {{claimName: {}}}}}]", claim);
  };
  add(scene, "a", 1);
  volume("v1", "ReadWriteMany");
  add(scene, "b", 1, 1, with("v1"));
  volume("v2", "ReadWriteOncePod");
  add(scene, "c", 1, 1, with("v2"));
  CHECK(told(scene) == "a: Fits n1 n2 n3; b: Fits n1 n2 n3; c: Depends n1 n2 n3 (a b)");
}

TEST_CASE("pods on nodes that keep others away tie no pod that waits") {
  Scene scene = nodes(2, {"gpu-0"});
  scene.yaml(
      "{apiVersion: v1, kind: Pod, metadata: {name: alone, namespace: default, uid: alone}, spec: "
      "{nodeName: n1, containers: [{name: c}], affinity: {podAntiAffinity: "
      "{requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, "
      "labelSelector: {matchLabels: {app: none}}}]}}}, status: {phase: Running}}");
  add(scene, "a", 1);
  add(scene, "b", 1);
  CHECK(told(scene) == "a: Fits n1 n2; b: Fits n1 n2");
}

TEST_CASE("counting proves what is certain of many pods that differ") {
  Scene scene = nodes(3, {"gpu-0", "gpu-1", "gpu-2", "gpu-3"});
  for (int i = 10; i < 22; ++i)
    add(scene, base::format("w{}", i), 1, i);
  add(scene, "x", 1, 5);
  const std::string all = told(scene);
  CHECK(all.find("w21: Fits n1 n2 n3;") != std::string::npos);
  CHECK(all.find("x: Fits") == std::string::npos);
}

TEST_CASE("counting minds resources, too") {
  Scene scene = nodes(2, {"gpu-0", "gpu-1", "gpu-2", "gpu-3"});
  add(scene, "a", 1, 6000);
  add(scene, "b", 1, 5000);
  add(scene, "c", 1, 3000);
  add(scene, "d", 0, 1);
  const std::string all = told(scene);
  CHECK(all.starts_with("a: Fits n1 n2; b: Fits n1 n2; c: Depends n1 n2 (a b)"));
  CHECK(all.find("d: Fits n1 n2") != std::string::npos);
}

TEST_CASE("a pod that takes no device is not named where devices are short") {
  Scene scene = nodes(1, {"gpu-0"});
  add(scene, "a", 0);
  add(scene, "b", 1);
  add(scene, "c", 1);
  CHECK(told(scene) == "a: Fits n1; b: Fits n1; c: DoesNotFit (b)");
}

TEST_CASE("an allocated claim is reserved for 256 pods") {
  Scene scene = nodes(2, {"gpu-0"});
  std::string users;
  for (int i = 0; i < 255; ++i)
    users += base::format("{}{{resource: pods, name: u{}, uid: u{}}}", i == 0 ? "" : ", ", i, i);
  scene.slice({.name = "far", .devices = "{name: nic-0}"});
  scene.claim("shared", support::exactly("gpu", 1),
              support::allocated("{device: nic-0, pool: pool}",
                                 "allocationTimestamp: '2026-11-20T08:00:00Z'") +
                  ", reservedFor: [" + users + "]");
  for (const char* name : {"a", "b"})
    scene.pod(name, "{name: gpu, resourceClaimName: shared}");
  CHECK(told(scene) == "a: Fits n1 n2; b: DoesNotFit (a)");
}

TEST_CASE("room that is kept for a nominated pod is that pod's") {
  SUBCASE("it comes later, and has the same priority") {
    Scene scene = nodes(1, {"gpu-0", "gpu-1"});
    add(scene, "a", 1, 3000);
    add(scene, "kept", 1, 7000, "", "nominatedNodeName: n1");
    CHECK(told(scene) == "a: DoesNotFit; kept: Fits n1");
  }
  SUBCASE("it waits for others to end") {
    Scene scene = nodes(1, {"gpu-0", "gpu-1"});
    scene.yaml(
        "{apiVersion: v1, kind: Pod, metadata: {name: ends, namespace: default, uid: ends, "
        "deletionTimestamp: '2026-11-20T08:00:00Z'}, spec: {nodeName: n1, containers: [{name: c, "
        "resources: {requests: {cpu: '5'}}}]}, status: {phase: Running}}");
    add(scene, "a", 1, 2000);
    add(scene, "kept", 1, 7000, "priority: 5", "nominatedNodeName: n1");
    CHECK(told(scene) == "kept: DoesNotFit; a: DoesNotFit");
  }
  SUBCASE("it goes to its node although another fits, and then keeps no more than it takes") {
    Scene scene = nodes(2, {"gpu-0", "gpu-1"});
    add(scene, "a", 1, 6000, "priority: 1");
    add(scene, "kept", 1, 7000, "priority: 5", "nominatedNodeName: n2");
    add(scene, "later", 1, 1000);
    CHECK(told(scene) == "kept: Fits n2; a: Fits n1; later: Fits n1 n2");
  }
}

}  // namespace dra::engine::plan_others_test
