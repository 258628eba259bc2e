// tests/answers/explain/refusal_test.cpp: a pod that fits, and the scheduler says no.

#include "dra/answers/explain/refusal.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::answers::refusal_test {
namespace {

using support::exactly;
using support::Scene;
using support::scene;

// A pod for which there is a device, with what the scheduler said of it.
snapshot::Snapshot waiting(std::string_view reason, std::string_view message, int attempts,
                           std::string_view spec = "") {
  Scene words = scene().node("n1").slice("n1", {"gpu-0"}).claim("c", exactly("gpu", 1));
  words.pod("p", "{name: a, resourceClaimName: c}", spec,
            base::format("phase: Pending, conditions: [{{type: PodScheduled, status: 'False', "
                         "reason: {}, message: '{}'}}]",
                         reason, message));
  if (attempts > 0)
    words.yaml(base::format(
        "{{apiVersion: v1, kind: Event, metadata: {{name: e, namespace: default}}, reason: "
        "FailedScheduling, type: Warning, message: m, count: {}, involvedObject: {{kind: Pod, "
        "namespace: default, name: p, uid: p}}}}",
        attempts));
  return words.build();
}

std::optional<Refusal> refusal_in(const snapshot::Snapshot& snapshot) {
  return refusal_of(explain_pod(snapshot, *snapshot.find<api::Pod>("default", "p")));
}

TEST_CASE("a fault of the scheduler comes with its message and the number of attempts") {
  const auto refusal = refusal_in(waiting("SchedulerError", "1 is smaller than 2", 60));
  REQUIRE(refusal.has_value());
  CHECK(refusal->is_fault);
  CHECK(refusal->summary ==
        "Pod default/p: Pending. It fits on node n1, but default-scheduler has failed to place it "
        "in 60 attempts.");
  CHECK(refusal->cause ==
        "default-scheduler has failed to place it in 60 attempts: 1 is smaller than 2");
  REQUIRE_FALSE(refusal->causes.empty());
}

TEST_CASE("a permission that the scheduler needs is no fault of its release") {
  const auto refusal = refusal_in(
      waiting("SchedulerError", "resourceclaims is forbidden", 50, "schedulerName: tensor"));
  REQUIRE(refusal.has_value());
  CHECK(refusal->causes.front().text ==
        "tensor is missing a permission that its message names: extend its ClusterRole.");
}

TEST_CASE("few attempts may be older than the free device") {
  CHECK_FALSE(refusal_in(waiting("Unschedulable", "0/1 nodes are available", 2)).has_value());
  CHECK_FALSE(refusal_in(waiting("Unschedulable", "0/1 nodes are available", 0)).has_value());
  const auto refusal = refusal_in(waiting("Unschedulable", "0/1 nodes are available", 60));
  REQUIRE(refusal.has_value());
  CHECK_FALSE(refusal->is_fault);
}

// A pod for which there is a device, created an hour before `taken`, of which no scheduler has said
// anything. An empty `taken`: files without a time.
snapshot::Snapshot ignored(std::string_view taken, std::string_view spec, std::string_view status) {
  Scene words = scene().node("n1").slice("n1", {"gpu-0"}).claim("c", exactly("gpu", 1));
  words.yaml(base::format(
      "{{apiVersion: v1, kind: Pod, metadata: {{name: p, namespace: default, uid: p, "
      "creationTimestamp: '2026-11-20T08:30:00Z'}}, spec: {{containers: [{{name: c, image: i}}], "
      "resourceClaims: [{{name: a, resourceClaimName: c}}]{}}}, status: {{{}}}}}",
      spec, status));
  if (!taken.empty())
    words.yaml(
        base::format("{{apiVersion: v1, kind: ConfigMap, metadata: {{name: kubectl-dra-snapshot, "
                     "namespace: default}}, data: {{time: '{}'}}}}",
                     taken));
  return words.build();
}

// What the scheduler said at half past eight, and nothing that counts its attempts.
std::optional<Refusal> refused_since(std::string_view taken) {
  return refusal_in(ignored(taken, "",
                            "phase: Pending, conditions: [{type: PodScheduled, status: 'False', "
                            "reason: Unschedulable, message: '0/1 nodes are available', "
                            "lastTransitionTime: '2026-11-20T08:30:00Z'}]"));
}

TEST_CASE("a scheduler that says no for minutes has tried again, whatever counts its attempts") {
  const auto refusal = refused_since("2026-11-20T09:30:00Z");
  REQUIRE(refusal.has_value());
  CHECK(refusal->code == diag::Code::SchedulerRefuses);
  CHECK_FALSE(refusal->is_fault);
  CHECK(refusal->summary ==
        "Pod default/p: Pending 60m. It fits on node n1 as far as DRA goes, but default-scheduler "
        "has not placed it for 60m.");
  CHECK(refusal_in(ignored("2026-11-20T09:30:00Z", "",
                           "phase: Pending, conditions: [{type: PodScheduled, status: 'False', "
                           "reason: Unschedulable, message: '0/1 nodes are available: 1 node(s) "
                           "had volume node affinity conflict.', "
                           "lastTransitionTime: '2026-11-20T08:30:00Z'}]"))
            ->summary ==
        "Pod default/p: Pending 60m. It fits on node n1 as far as DRA goes, but default-scheduler "
        "has not placed it for 60m: 1 node(s) had volume node affinity conflict.");
  CHECK_FALSE(refused_since("2026-11-20T08:34:00Z").has_value());
  CHECK_FALSE(refused_since("").has_value());
}

TEST_CASE("nothing is reported about a state with changes") {
  const snapshot::Snapshot snapshot = waiting("SchedulerError", "m", 60);
  Explanation explanation = explain_pod(snapshot, *snapshot.find<api::Pod>("default", "p"));
  explanation.what_if.emplace_back();
  CHECK_FALSE(refusal_of(explanation).has_value());
}

TEST_CASE("a pod that fits and that no scheduler has looked at for long is found") {
  const auto refusal = refusal_in(ignored("2026-11-20T09:30:00Z", "", "phase: Pending"));
  REQUIRE(refusal.has_value());
  CHECK(refusal->code == diag::Code::SchedulerSilent);
  CHECK(
      refusal->summary ==
      "Pod default/p: Pending 60m. It fits on node n1, but default-scheduler has reported nothing "
      "about it since it was created 60m ago.");
  const auto other =
      refusal_in(ignored("2026-11-20T09:30:00Z", ", schedulerName: volcano", "phase: Pending"));
  REQUIRE(other.has_value());
  CHECK(other->causes.front().text ==
        "there is no scheduler volcano in this cluster, or it does not run: see "
        "spec.schedulerName of the pod.");
}

TEST_CASE("nothing is reported about silence that is short, unknown or over") {
  CHECK_FALSE(refusal_in(ignored("2026-11-20T08:35:00Z", "", "phase: Pending")).has_value());
  CHECK_FALSE(refusal_in(ignored("", "", "phase: Pending")).has_value());
  CHECK_FALSE(
      refusal_in(ignored("2026-11-20T09:30:00Z", "",
                         "phase: Pending, conditions: [{type: Initialized, status: 'True'}]"))
          .has_value());
}

}  // namespace
}  // namespace dra::answers::refusal_test
