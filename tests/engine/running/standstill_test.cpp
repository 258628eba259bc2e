// tests/engine/running/standstill_test.cpp: a pod that the kubelet does not start, and the twins of
// it that take their time.

#include "dra/engine/running/standstill.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "dra/engine/running/after_scheduling.h"
#include "tests/support/builders.h"

namespace dra::engine::standstill_test {
namespace {

using support::Scene;

constexpr const char* kClock =
    "{apiVersion: v1, kind: ConfigMap, metadata: {name: kubectl-dra-snapshot, namespace: default}, "
    "data: {time: '2026-03-02T12:00:00Z'}}";
// Bound an hour ago.
constexpr const char* kBound =
    "{type: PodScheduled, status: 'True', lastTransitionTime: '2026-03-02T11:00:00Z'}";
constexpr const char* kNoSandbox =
    "{type: PodReadyToStartContainers, status: 'False', lastTransitionTime: "
    "'2026-03-02T11:00:01Z'}";
constexpr const char* kWaits = "{name: main, state: {waiting: {reason: ContainerCreating}}}";

std::string status(std::string_view conditions, std::string_view more = "") {
  return base::format("phase: Pending, conditions: [{}]{}{}", conditions, more.empty() ? "" : ", ",
                      more);
}

// A pod with a device, whose node runs that kubelet.
Scene job(std::string_view of_pod, std::string_view kubelet = "v1.37.1") {
  Scene words = support::scene().yaml(kClock).yaml(base::format(
      "{{apiVersion: v1, kind: Node, metadata: {{name: rack-1, labels: "
      "{{kubernetes.io/hostname: rack-1}}}}, status: {{nodeInfo: {{kubeletVersion: {}}}}}}}",
      kubelet));
  words.slice("rack-1", {"gpu-0"});
  words.claim("c", support::exactly("gpu", 1),
              support::allocated("{device: gpu-0, pool: rack-1}") +
                  ", reservedFor: [{resource: pods, name: p, uid: p}]");
  words.pod("p", "{name: gpu, resourceClaimName: c}", "nodeName: rack-1", of_pod);
  return words;
}

std::string event(std::string_view type, std::string_view reason, std::string_view message,
                  std::string_view last = "2026-03-02T11:58:00Z") {
  return base::format(
      "{{apiVersion: v1, kind: Event, metadata: {{name: 'p.{}', namespace: default}}, type: {}, "
      "reason: {}, message: '{}', involvedObject: {{kind: Pod, namespace: default, name: p, uid: "
      "p}}, count: 4, lastTimestamp: '{}'}}",
      reason, type, reason, message, last);
}

std::string found_in(const Scene& words) {
  const auto snapshot = words.build();
  const Inventory inventory(snapshot);
  const Subject subject = subject_of_pod(snapshot, *snapshot.find<api::Pod>("default", "p"));
  const auto findings = after_scheduling(snapshot, inventory, subject, {});
  if (findings.empty()) return {};
  CHECK(findings.size() == 1);
  CHECK(findings.front().repair.command != Command::None);
  return findings.front().finding.message;
}

struct Row {
  const char* name;
  Scene scene;
  const char* want;  // the message; empty: no finding
};

std::string both() { return base::format("{}, {}", kBound, kNoSandbox); }
std::string waits() {
  return base::format("startTime: '2026-03-02T11:00:01Z', containerStatuses: [{}]", kWaits);
}

TEST_CASE("what the kubelet neither starts nor explains") {
  const std::string recent =
      "{type: PodScheduled, status: 'True', lastTransitionTime: "
      "'2026-03-02T11:57:00Z'}";
  const Row rows[] = {
      {"the kubelet has never reported it", job(status(kBound)),
       "the kubelet of node rack-1 has reported nothing about it in the 60m since it was bound"},
      {"it was bound minutes ago", job(status(recent)), ""},
      {"it is not known when it was bound", job("phase: Pending"), ""},
      {"without a sandbox", job(status(both(), waits())),
       "the kubelet of node rack-1 has started nothing of it in 59m, and reports no reason"},
      {"with a warning that says little of itself",
       job(status(both(), waits()))
           .yaml(event("Warning", "NetworkNotReady", "network is not ready: cni plugin")),
       "the kubelet of node rack-1 has started nothing of it in 59m, and last said: "
       "NetworkNotReady: network is not ready: cni plugin (4 times)"},
      {"its sandbox is there, and an image may be pulled",
       job(status(base::format("{}, {{type: PodReadyToStartContainers, status: 'True'}}", kBound),
                  waits())),
       ""},
      {"the condition is not reported", job(status(kBound, waits())), ""},
      {"an older kubelet reports the sandbox only after images: one is pulled",
       job(status(both(), waits()), "v1.34.1")
           .yaml(event("Normal", "Pulling", "Pulling image \"big\"", "2026-03-02T11:00:05Z")),
       ""},
      {"an older kubelet, and no image is pulled", job(status(both(), waits()), "v1.34.1"),
       "the kubelet of node rack-1 has started nothing of it in 59m, and reports no reason"},
      {"an older kubelet, and events cannot be read",
       job(status(both(), waits()), "v1.34.1").cannot_read(api::Kind::Event), ""},
      {"an init container runs for long",
       job(status(both(), base::format("initContainerStatuses: [{{name: fetch, state: {{running: "
                                       "{{startedAt: '2026-03-02T11:01:00Z'}}}}}}], {}",
                                       waits()))),
       ""},
      {"it may not use a claim that is reserved for it",
       job(status(both(), waits()))
           .yaml(event("Warning", "FailedPrepareDynamicResources",
                       "Failed to prepare dynamic resources: prepare dynamic resources: pod p (p) "
                       "is not allowed to use ResourceClaim c (c)")),
       "the kubelet of node rack-1 has started nothing of it in 59m, and last said: "
       "FailedPrepareDynamicResources: pod p (p) is not allowed to use ResourceClaim c (c) (4 "
       "times)"},
      {"it has said so for a moment",
       job(status(kBound, waits()))
           .yaml(event("Warning", "FailedPrepareDynamicResources",
                       "Failed to prepare dynamic resources: prepare dynamic resources: pod p (p) "
                       "is not allowed to use ResourceClaim c (c)",
                       "2026-03-02T11:00:20Z")),
       ""},
      {"it still says so, whatever the sandbox is",
       job(status(kBound, waits()))
           .yaml(event("Warning", "FailedPrepareDynamicResources",
                       "Failed to prepare dynamic resources: prepare dynamic resources: pod "
                       "\"default/p\": ResourceClaim not created yet")),
       "the kubelet of node rack-1 has started nothing of it in 59m, and last said: "
       "FailedPrepareDynamicResources: pod \"default/p\": ResourceClaim not created yet (4 times)"},
      {"all containers ended long ago",
       job("phase: Running, containerStatuses: [{name: main, state: {terminated: {exitCode: 0, "
           "reason: Completed, finishedAt: '2026-03-02T11:20:00Z'}}}]"),
       "its containers ended 40m ago, and the kubelet of node rack-1 neither restarts them nor "
       "ends the pod"},
      {"they have just ended",
       job("phase: Running, containerStatuses: [{name: main, state: {terminated: {exitCode: 0, "
           "finishedAt: '2026-03-02T11:55:00Z'}}}]"),
       ""},
      {"one still runs",
       job("phase: Running, containerStatuses: [{name: main, state: {terminated: {exitCode: 0, "
           "finishedAt: '2026-03-02T11:20:00Z'}}}, {name: proxy, state: {running: {}}}]"),
       ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(found_in(row.scene) == row.want);
  }
}

TEST_CASE("what a pod waits for that is not ready") {
  const struct {
    const char* of_pod;
    const char* want;
  } rows[] = {
      {"phase: Pending, initContainerStatuses: [{name: fetch, state: {running: {startedAt: "
       "'2026-03-02T11:00:00Z'}}}]",
       "Its init container fetch has been running for 60m"},
      {"phase: Running, containerStatuses: [{name: main, ready: false, state: {running: "
       "{startedAt: '2026-03-02T11:30:00Z'}}}]",
       "Its container main has been running for 30m and is not ready"},
      {"phase: Running, containerStatuses: [{name: a, ready: true, state: {running: {}}}, {name: "
       "b, state: {terminated: {exitCode: 3}}}]",
       "Its container b has ended with exit code 3"},
      {"phase: Running, containerStatuses: [{name: main, ready: true, state: {running: {}}}], "
       "conditions: [{type: Ready, status: 'False', reason: ReadinessGatesNotReady, message: "
       "corresponding condition of pod readiness gate \"lb\" does not exist.}]",
       "Its containers are ready, and the pod is not (ReadinessGatesNotReady: corresponding "
       "condition of pod readiness gate \"lb\" does not exist.)"},
      {"phase: Pending", ""},
  };
  const auto now = base::parse_rfc3339("2026-03-02T12:00:00Z").value();
  for (const auto& row : rows) {
    const auto snapshot = job(row.of_pod).build();
    CHECK(what_it_waits_for(*snapshot.find<api::Pod>("default", "p"), now) == row.want);
  }
}

TEST_CASE("a pod that has ended, and stays") {
  const auto deleted = [](const char* when, const char* more = "") {
    Scene words = support::scene().yaml(kClock).node("rack-1").slice("rack-1", {"gpu-0"});
    words.claim("c", support::exactly("gpu", 1));
    return words.yaml(base::format(
        "{{apiVersion: v1, kind: Pod, metadata: {{name: p, namespace: default, uid: p, "
        "deletionTimestamp: '{}'{}}}, spec: {{nodeName: rack-1, resourceClaims: [{{name: gpu, "
        "resourceClaimName: c}}]}}, status: {{phase: Succeeded, containerStatuses: [{{name: main, "
        "state: {{terminated: {{exitCode: 0}}}}}}]}}}}",
        when, more));
  };
  CHECK(found_in(deleted("2026-03-02T11:00:00Z")) ==
        "it has ended and is deleted, and the kubelet of node rack-1 has not removed it");
  CHECK(found_in(deleted("2026-03-02T11:00:00Z", ", finalizers: [example.com/keep]")) ==
        "it is being deleted, and finalizer example.com/keep keeps it");
  CHECK(found_in(deleted("2026-03-02T11:59:30Z", ", finalizers: [example.com/keep]")).empty());
}

}  // namespace
}  // namespace dra::engine::standstill_test
