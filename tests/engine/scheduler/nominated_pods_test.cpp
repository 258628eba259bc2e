// tests/engine/scheduler/nominated_pods_test.cpp: room that the scheduler keeps for other pods.
// Cases follow k8s.io/kubernetes/pkg/scheduler/framework/runtime, addGENominatedPods.

#include "src/engine/scheduler/nominated_pods.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"
#include "tests/support/node_filters.h"

namespace dra::engine::nominated_pods_test {
namespace {

using support::Scene;

// Two nodes with 4 CPUs each; the pod p wants 2.
Scene two_nodes() {
  Scene scene;
  for (const char* name : {"n1", "n2"})
    scene.yaml(base::format(
        "{{apiVersion: v1, kind: Node, metadata: {{name: {0}, labels: {{zone: {0}}}}}, status: "
        "{{allocatable: {{cpu: '4', pods: '10'}}}}}}",
        name));
  return scene;
}

Scene& pod(Scene& scene, std::string_view name, int cpu, std::string_view spec = "",
           std::string_view status = "") {
  return scene.yaml(base::format(
      "{{apiVersion: v1, kind: Pod, metadata: {{name: {0}, namespace: default, uid: {0}, labels: "
      "{{app: {0}}}}}, spec: {{containers: [{{name: c, resources: {{requests: {{cpu: '{1}'}}}}}}]"
      "{2}{3}}}, status: {{phase: Pending{4}{5}}}}}",
      name, cpu, spec.empty() ? "" : ", ", spec, status.empty() ? "" : ", ", status));
}

std::string said(const Scene& scene) {
  return support::against_all(scene, [](const diag::Reason& reason) { return reason.message; });
}

}  // namespace

TEST_CASE("room is kept for a nominated pod that is as important or more") {
  for (const char* priority : {"priority: 10", "priority: 11"}) {
    Scene scene = two_nodes();
    pod(scene, "p", 2, "priority: 10");
    pod(scene, "first", 3, priority, "nominatedNodeName: n2");
    CAPTURE(priority);
    CHECK(said(scene) ==
          "n2: the pod needs 2 cpu, and 1 of 4 is left (3 requested by 1 pod); this counts pod "
          "default/first, for which the scheduler keeps the node");
  }
}

TEST_CASE("no room is kept for one that is less important, has ended, or is the pod itself") {
  Scene scene = two_nodes();
  pod(scene, "p", 2, "priority: 10", "nominatedNodeName: n1");
  pod(scene, "low", 3, "priority: 9", "nominatedNodeName: n1");
  pod(scene, "other", 3, "priority: 90, schedulerName: mine", "nominatedNodeName: n1");
  scene.yaml(
      "{apiVersion: v1, kind: Pod, metadata: {name: ended, namespace: default, uid: e}, spec: "
      "{priority: 90, containers: [{name: c, resources: {requests: {cpu: '3'}}}]}, status: {phase: "
      "Failed, nominatedNodeName: n1}}");
  CHECK(said(scene).empty());
}

TEST_CASE("what is so without the nominated pod is said as before") {
  Scene scene = two_nodes();
  pod(scene, "p", 5, "priority: 10");
  pod(scene, "first", 3, "priority: 11", "nominatedNodeName: n2");
  CHECK(said(scene) ==
        "n1: the pod needs 5 cpu, and the node has 4\nn2: the pod needs 5 cpu, and the node has 4");
}

// The second pass: a nominated pod is not there yet.
TEST_CASE("affinity is not met by a nominated pod") {
  Scene scene = two_nodes();
  pod(scene, "p", 1,
      "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: "
      "zone, labelSelector: {matchLabels: {app: first}}}]}}");
  pod(scene, "first", 1, "", "nominatedNodeName: n2");
  const std::string all = said(scene);
  CHECK(all.find("n1: ") != std::string::npos);
  CHECK(all.find("n2: ") != std::string::npos);
}

// It counts on its node alone, and where the pod's own terms make the filter run.
TEST_CASE("anti-affinity is kept towards a nominated pod") {
  Scene scene = two_nodes();
  pod(scene, "p", 1,
      "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: "
      "zone, labelSelector: {matchLabels: {app: first}}}]}}");
  pod(scene, "first", 1, "", "nominatedNodeName: n2");
  const std::string all = said(scene);
  CHECK(all.find("n1: ") == std::string::npos);
  CHECK(all.find("for which the scheduler keeps the node") != std::string::npos);
}

}  // namespace dra::engine::nominated_pods_test
