// tests/engine/whatif/plan_test.cpp: what the waiting pods get, one after the other.

#include "dra/engine/whatif/plan.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::plan_test {
namespace {

using support::Scene;
using support::scene;

// A pod that asks for so many GPUs, with a claim of its own.
Scene& asks(Scene& words, std::string_view pod, int count, std::string_view spec = "") {
  return words.claim(base::format("c-{}", pod), support::exactly("gpu", count))
      .pod(pod, base::format("{{name: gpu, resourceClaimName: c-{}}}", pod), spec);
}

// A pod of a Job, whose claim was made from a template.
void of_job(Scene& words, std::string_view name, std::string_view job) {
  words.yaml(base::format(
      "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: c-{0}, namespace: "
      "default, ownerReferences: [{{apiVersion: v1, kind: Pod, name: {0}, uid: {0}, controller: "
      "true}}]}}, spec: {{devices: {{requests: [{{name: gpu, exactly: {{deviceClassName: gpu, "
      "allocationMode: ExactCount, count: 1}}}}]}}}}}}",
      name));
  words.yaml(base::format(
      "{{apiVersion: v1, kind: Pod, metadata: {{name: {0}, namespace: default, uid: {0}, "
      "ownerReferences: [{{apiVersion: batch/v1, kind: Job, name: {1}, uid: {1}, controller: "
      "true}}]}}, spec: {{containers: [{{name: c}}], resourceClaims: [{{name: gpu, "
      "resourceClaimTemplateName: one}}]}}, status: {{phase: Pending, resourceClaimStatuses: "
      "[{{name: gpu, resourceClaimName: c-{0}}}]}}}}",
      name, job));
}

// "a: Fits n1 gpu-0; b: Depends n1 n2 (a)".
std::string told(const Scene& words) {
  const snapshot::Snapshot snapshot = words.build();
  const Plan plan = plan_for(snapshot);
  std::vector<std::string> all;
  for (const PlanStep& step : plan.steps) {
    std::string one = base::format("{}: {}", step.pod->meta.name, name_of(step.verdict));
    for (const std::string_view node : step.nodes)
      one += base::format(" {}", node);
    for (const PlannedDevice& device : step.devices)
      one += base::format(" {}", device.device.substr(device.device.rfind('/') + 1));
    std::vector<std::string> before;
    for (const api::Pod* pod : step.before)
      before.emplace_back(pod->meta.name);
    if (!before.empty()) one += base::format(" ({})", base::join(before, " "));
    all.push_back(one);
  }
  return base::join(all, "; ");
}

Scene one_node() { return scene().node("n1").slice("n1", {"gpu-0", "gpu-1", "gpu-2"}); }

Scene two_nodes() {
  return scene().node("n1").node("n2").slice("n1", {"gpu-0"}).slice("n2", {"gpu-0"});
}

TEST_CASE("the higher priority goes first, then who waits longer, then the name") {
  Scene words = one_node();
  asks(words, "b", 1);
  asks(words, "a", 1);
  asks(words, "late", 1, "priority: 5");
  CHECK(told(words) == "late: Fits n1 gpu-0; a: Fits n1 gpu-1; b: Fits n1 gpu-2");
  const auto pod = [](std::string_view name, std::string_view created, std::string_view condition) {
    return base::format(
        "{{apiVersion: v1, kind: Pod, metadata: {{name: {}, namespace: default, creationTimestamp: "
        "'{}'}}, spec: {{containers: [{{name: c}}]}}, status: {{phase: Pending, conditions: "
        "[{}]}}}}",
        name, created, condition);
  };
  const auto condition = [](std::string_view reason) {
    return base::format(
        "{{type: PodScheduled, status: 'False', reason: {}, lastTransitionTime: "
        "'2026-11-20T08:10:00Z'}}",
        reason);
  };
  Scene tried = one_node();
  tried.yaml(pod("tried", "2026-11-20T08:00:00Z", condition("Unschedulable")))
      .yaml(pod("gated-before", "2026-11-20T08:01:00Z", condition("SchedulingGated")))
      .yaml(pod("new", "2026-11-20T08:05:00Z", ""));
  const snapshot::Snapshot snapshot = tried.build();
  std::vector<std::string> names;
  for (const api::Pod* one : queue_of(snapshot))
    names.emplace_back(one->meta.name);
  CHECK(base::join(names, " ") == "gated-before new tried");
}

TEST_CASE("each pod finds what those before it leave") {
  Scene words = one_node();
  asks(words, "a", 2);
  asks(words, "b", 2);
  asks(words, "c", 1);
  asks(words, "d", 4);
  CHECK(told(words) ==
        "a: Fits n1 gpu-0 gpu-1; b: DoesNotFit (a); c: Fits n1 gpu-2; d: DoesNotFit");
}

TEST_CASE("a pod takes room of the node, too, and one without claims as well") {
  const std::string cpu = "containers: [{name: c, resources: {requests: {cpu: '3'}}}]";
  Scene words = scene();
  words
      .yaml(
          "{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: '4', "
          "pods: '10'}}}")
      .slice("n1", {"gpu-0"});
  words.yaml(base::format(
      "{{apiVersion: v1, kind: Pod, metadata: {{name: a, namespace: default, uid: a}}, spec: "
      "{{{}}}, status: {{phase: Pending}}}}",
      cpu));
  asks(words, "b", 1, "overhead: {cpu: '2'}");
  CHECK(told(words) == "a: Fits n1; b: DoesNotFit (a)");
}

TEST_CASE("behind a pod with several nodes a verdict holds for every choice") {
  SUBCASE("too few before it to close all nodes") {
    Scene words = two_nodes();
    asks(words, "a", 1);
    asks(words, "b", 1);
    CHECK(told(words) == "a: Fits n1 n2; b: Fits n1 n2");
  }
  SUBCASE("the same pod would fit on one choice and not on the other") {
    Scene words = two_nodes();
    asks(words, "a", 1);
    asks(words, "b", 1, "nodeSelector: {kubernetes.io/hostname: n1}");
    words.node("n1", "kubernetes.io/hostname: n1").node("n2", "kubernetes.io/hostname: n2");
    CHECK(told(words) == "a: Fits n1 n2; b: Depends n1 (a)");
  }
  SUBCASE("a node closes with its second pod only") {
    Scene words = scene()
                      .node("n1")
                      .node("n2")
                      .slice("n1", {"gpu-0", "gpu-1"})
                      .slice("n2", {"gpu-0", "gpu-1"});
    for (const char* name : {"a", "b", "c", "d"})
      asks(words, name, 1);
    CHECK(told(words) == "a: Fits n1 n2; b: Fits n1 n2; c: Fits n1 n2; d: Fits n1 n2");
  }
}

TEST_CASE("pods alike that have all the room there is leave none to anyone") {
  Scene words = two_nodes();
  for (const char* name : {"a", "b", "c", "d"})
    of_job(words, name, "job");
  asks(words, "e", 1);
  CHECK(told(words) ==
        "a: Fits n1 n2; b: Fits n1 n2; c: DoesNotFit (a b); d: DoesNotFit (a b); e: DoesNotFit (a "
        "b)");
}

TEST_CASE("a claim that is still to be made from its template counts as made") {
  Scene words = one_node();
  words.yaml(
      "{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t, "
      "namespace: default}, spec: {spec: {devices: {requests: [{name: gpu, exactly: "
      "{deviceClassName: gpu, allocationMode: ExactCount, count: 3}}]}}}}");
  words.pod("a", "{name: gpu, resourceClaimTemplateName: t}");
  asks(words, "b", 1);
  CHECK(told(words) == "a: Fits n1 gpu-0 gpu-1 gpu-2; b: DoesNotFit (a)");
}

TEST_CASE("nothing is certain of pods that others tie, once something was placed") {
  SUBCASE("a claim that two pods use") {
    Scene words = two_nodes();
    words.claim("both", support::exactly("gpu", 1))
        .pod("a", "{name: gpu, resourceClaimName: both}")
        .pod("b", "{name: gpu, resourceClaimName: both}");
    CHECK(told(words) == "a: Fits n1 n2; b: Depends n1 n2 (a)");
  }
  SUBCASE("devices of several nodes") {
    Scene words = scene();
    words.node("n1").node("n2").slice({.name = "far", .devices = "{name: nic-0}, {name: nic-1}"});
    asks(words, "a", 1);
    asks(words, "b", 1);
    asks(words, "c", 3);
    CHECK(told(words) == "a: Fits n1 n2; b: Depends n1 n2 (a); c: DoesNotFit");
  }
  SUBCASE("a device for which the selector fails, and which may be taken") {
    Scene words = two_nodes();
    words.device_class("fails", "device.attributes['gpu.example.com'].x == 1");
    words.claim("c-e", support::exactly("fails", 1))
        .pod("e", "{name: gpu, resourceClaimName: c-e}");
    asks(words, "a", 1);
    asks(words, "f", 1);
    CHECK(told(words) == "a: Fits n1 n2; e: Depends n1 n2; f: Depends n1 n2 (a e)");
  }
  SUBCASE("anti-affinity of a pod before it") {
    Scene words = two_nodes();
    asks(words, "a", 1,
         "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
         "[{topologyKey: zone, labelSelector: {}}]}}");
    asks(words, "b", 1);
    CHECK(told(words) == "a: Fits n1 n2; b: Depends n1 n2 (a)");
  }
}

TEST_CASE("what stops before any node, and what is not simulated") {
  Scene words = one_node();
  asks(words, "a", 3, "schedulingGates: [{name: hold}]");
  asks(words, "b", 3, "volumes: [{name: v, persistentVolumeClaim: {claimName: x}}]");
  asks(words, "c", 1);
  CHECK(told(words) == "a: Blocked; b: DoesNotFit; c: Fits n1 gpu-0");
  words.cannot_read(api::Kind::PersistentVolume);
  CHECK(told(words) == "a: Blocked; b: Undetermined n1; c: Depends n1 (b)");
  for (const api::Kind kind : {api::Kind::Pod, api::Kind::Claim}) {
    Scene unread = one_node();
    asks(unread, "a", 1);
    unread.cannot_read(kind);
    CHECK(told(unread).starts_with("a: Undetermined"));
  }
}

}  // namespace
}  // namespace dra::engine::plan_test
