// tests/engine/whatif/drain_test.cpp: which pods a drain ends, what they lose, and which wait then.

#include "dra/engine/whatif/drain.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "dra/engine/whatif/hypothesis.h"
#include "dra/engine/whatif/plan.h"
#include "tests/support/builders.h"

namespace dra::engine::drain_test {
namespace {

using snapshot::Snapshot;
using support::allocated;
using support::exactly;
using support::Scene;
using support::scene;

// A pod on a node, of a controller of that kind.
Scene& owned(Scene& words, std::string_view name, std::string_view kind, std::string_view meta = "",
             std::string_view phase = "Running", std::string_view spec = "") {
  const std::string owner =
      kind.empty() ? std::string()
                   : base::format(
                         ", ownerReferences: [{{apiVersion: v1, kind: {0}, name: o, uid: o, "
                         "controller: true}}]",
                         kind);
  return words.yaml(base::format(
      "{{apiVersion: v1, kind: Pod, metadata: {{name: {0}, namespace: default, uid: {0}{1}{2}}}, "
      "spec: {{nodeName: n1, containers: [{{name: c}}]{3}}}, status: {{phase: {4}}}}}",
      name, owner, meta, spec, phase));
}

std::string held_by(std::initializer_list<std::string_view> pods) {
  std::vector<std::string> users;
  for (const std::string_view pod : pods)
    users.push_back(base::format("{{resource: pods, name: {0}, uid: {0}}}", pod));
  return base::format(", reservedFor: [{}]", base::join(users, ", "));
}

// "a: Recreated gpu-0; b: Static".
std::string fates(const Snapshot& snapshot) {
  const std::vector<std::string> nodes = {"n1"};
  std::vector<std::string> all;
  for (const DrainedPod& drained : drained_pods(snapshot, nodes)) {
    std::string one = base::format("{}: {}", drained.pod->meta.name, name_of(drained.fate));
    for (const DeviceId& device : drained.loses)
      one += base::format(" {}", device.device);
    all.push_back(std::move(one));
  }
  return base::join(all, "; ");
}

TEST_CASE("what becomes of a pod depends on its controller") {
  Scene words = scene().node("n1").node("n2");
  owned(words, "bare", "");
  owned(words, "daemon", "DaemonSet");
  owned(words, "ended", "Job", "", "Failed");
  owned(words, "going", "ReplicaSet", ", deletionTimestamp: '2026-11-20T08:00:00Z'");
  owned(words, "job", "Job");
  owned(words, "mirror", "Node");
  owned(words, "set-0", "StatefulSet", ", deletionTimestamp: '2026-11-20T08:00:00Z'");
  words.pod("elsewhere", "", "nodeName: n2").pod("waits", "");
  CHECK(fates(words.build()) ==
        "bare: NotRecreated; daemon: OfDaemonSet; going: Ending; job: Recreated; mirror: Static; "
        "set-0: Recreated");
}

TEST_CASE("a Job without an attempt left fails with its pod") {
  Scene words = scene().node("n1");
  owned(words, "job", "Job");
  words.yaml(
      "{apiVersion: batch/v1, kind: Job, metadata: {name: o, namespace: default, uid: o}, spec: "
      "{backoffLimit: 2}, status: {failed: 2}}");
  CHECK(fates(words.build()) == "job: EndsJob");
}

TEST_CASE("data of an emptyDir goes with a pod that leaves") {
  Scene words = scene().node("n1");
  const std::string_view volume = ", volumes: [{name: scratch, emptyDir: {}}]";
  owned(words, "a", "Job", "", "Running", volume);
  owned(words, "d", "DaemonSet", "", "Running", volume);
  owned(words, "e", "Job");
  const Snapshot snapshot = words.build();
  const std::vector<std::string> nodes = {"n1"};
  std::vector<bool> loses;
  for (const DrainedPod& drained : drained_pods(snapshot, nodes))
    loses.push_back(drained.loses_data);
  CHECK(loses == std::vector<bool>{true, false, false});
}

TEST_CASE("a pod loses what no pod uses that stays") {
  Scene words = scene().node("n1").slice("n1", {"gpu-0", "gpu-1", "gpu-2"});
  owned(words, "a", "Job");
  owned(words, "b", "Job");
  owned(words, "d", "DaemonSet");
  words.claim("own", exactly("gpu", 1), allocated("{device: gpu-0, pool: n1}") + held_by({"a"}))
      .claim("both", exactly("gpu", 1),
             allocated("{device: gpu-1, pool: n1}") + held_by({"a", "b"}))
      .claim("kept", exactly("gpu", 1),
             allocated("{device: gpu-2, pool: n1}") + held_by({"b", "d"}));
  CHECK(fates(words.build()) == "a: Recreated gpu-1 gpu-0; b: Recreated gpu-1; d: OfDaemonSet");
}

// The pods that wait once the node is drained, in the order of the queue: "a@ b@n2".
std::string queue_after(const Snapshot& snapshot) {
  Hypothesis hypothesis(snapshot, {});
  REQUIRE(hypothesis.apply(Drain{{"n1"}}).ok());
  const Snapshot state = hypothesis.snapshot();
  CHECK(state.find<api::Node>("n1")->spec.unschedulable);
  std::string text;
  for (const PlanStep& step : plan_for(state).steps) {
    text += base::format("{}: {}", step.pod->meta.name, name_of(step.verdict));
    for (const std::string_view node : step.nodes)
      text += base::format(" {}", node);
    text += "; ";
  }
  return text;
}

TEST_CASE("pods that are re-created wait behind all others of their priority, without devices") {
  Scene words =
      scene().node("n1").node("n2").slice("n1", {"gpu-0", "gpu-1"}).slice("n2", {"gpu-0"});
  const std::string uses = ", resourceClaims: [{name: gpu, resourceClaimName: own}]";
  owned(words, "a", "Job", ", creationTimestamp: '2026-11-20T07:00:00Z'", "Running", uses);
  owned(words, "urgent", "Job", "", "Running", ", priority: 9");
  owned(words, "bare", "");
  words.claim("own", exactly("gpu", 1), allocated("{device: gpu-0, pool: n1}") + held_by({"a"}))
      .claim("later", exactly("gpu", 1))
      .yaml(
          "{apiVersion: v1, kind: Pod, metadata: {name: later, namespace: default, uid: later, "
          "creationTimestamp: '2026-11-20T09:00:00Z'}, spec: {containers: [{name: c}], "
          "resourceClaims: [{name: gpu, resourceClaimName: later}]}, status: {phase: Pending}}");
  const Snapshot before = words.build();
  CHECK(queue_after(before) == "urgent: Fits n2; later: Fits n2; a: DoesNotFit; ");
  CHECK_FALSE(before.find<api::Node>("n1")->spec.unschedulable);
  CHECK_FALSE(Hypothesis(before, {}).apply(Drain{{"n1", "nosuch"}}).ok());
}

TEST_CASE("a claim that was made for a pod is made again") {
  Scene words = scene().node("n1").node("n2").slice("n1", {"gpu-0"}).slice("n2", {"gpu-0"});
  words.yaml(
      "{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t, "
      "namespace: default}, spec: {spec: {devices: {requests: [{name: gpu, exactly: "
      "{deviceClassName: gpu, allocationMode: ExactCount, count: 1}}]}}}}");
  words.yaml(
      "{apiVersion: v1, kind: Pod, metadata: {name: s-0, namespace: default, uid: s-0, "
      "ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: s, uid: s, controller: "
      "true}]}, spec: {nodeName: n1, containers: [{name: c}], resourceClaims: [{name: gpu, "
      "resourceClaimTemplateName: t}]}, status: {phase: Running, resourceClaimStatuses: [{name: "
      "gpu, resourceClaimName: s-0-gpu-abcde}]}}");
  words.yaml(base::format(
      "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: s-0-gpu-abcde, "
      "namespace: default, ownerReferences: [{{apiVersion: v1, kind: Pod, name: s-0, uid: s-0, "
      "controller: true}}]}}, spec: {{devices: {{requests: [{}]}}}}, status: {{{}{}}}}}",
      exactly("gpu", 1), allocated("{device: gpu-0, pool: n1}"), held_by({"s-0"})));
  CHECK(queue_after(words.build()) == "s-0: Fits n2; ");
}

}  // namespace
}  // namespace dra::engine::drain_test
