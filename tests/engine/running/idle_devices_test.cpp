// tests/engine/running/idle_devices_test.cpp: which devices are idle, why, and since when.

#include "dra/engine/running/idle_devices.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::idle_devices_test {
namespace {

constexpr std::string_view kNow = "2026-11-20T12:00:00Z";

base::Instant at(std::string_view text) { return base::parse_rfc3339(text).value(); }

// Claim c with gpu-0 of node n1, allocated at 08:00 and reserved for these pods.
support::Scene scene_of(std::string_view reserved) {
  support::Scene scene;
  scene.node("n1").slice("n1", {"gpu-0", "gpu-1"});
  scene.claim(
      "c", support::exactly("gpu", 1),
      "allocation: {allocationTimestamp: \"2026-11-20T08:00:00Z\", devices: {results: "
      "[{request: gpu, driver: gpu.example.com, pool: n1, device: gpu-0}]}}, reservedFor: [" +
          std::string(reserved) + "]");
  return scene;
}

std::string pod_ref(std::string_view name) {
  return base::format("{{resource: pods, name: {}, uid: {}}}", name, name);
}

constexpr std::string_view kClaim = "{name: gpu, resourceClaimName: c}";
constexpr std::string_view kUses =
    "nodeName: n1, containers: [{name: main, resources: {claims: [{name: gpu}]}}, {name: side}]";
constexpr std::string_view kReady = "conditions: [{type: Ready, status: \"True\"}]";
constexpr std::string_view kNotReady =
    "conditions: [{type: Ready, status: \"False\", lastTransitionTime: \"2026-11-20T10:00:00Z\"}]";

// "CrashLoop atLeast 2 h", or "at work".
std::string shown(const support::Scene& scene) {
  const snapshot::Snapshot snapshot = scene.build();
  const Inventory inventory(snapshot);
  const IdleFound found = idle_devices(snapshot, inventory, at(kNow));
  if (found.not_judged > 0) return "not judged";
  if (found.idle.empty()) return "at work";
  const IdleDevices& one = found.idle.front();
  return base::format("{} {} {} h", name_of(one.why), name_of(one.span.bound),
                      device_hours(one, at(kNow)));
}

std::string of_pod(std::string_view spec, const std::string& status) {
  support::Scene scene = scene_of(pod_ref("p"));
  scene.pod("p", kClaim, spec, status);
  return shown(scene);
}

std::string states(std::string_view phase, std::string_view conditions, std::string_view list) {
  return base::format("phase: {}, {}, containerStatuses: [{}]", phase, conditions, list);
}

}  // namespace

TEST_CASE("the containers that name the claim decide") {
  constexpr std::string_view runs = "{name: main, ready: true, state: {running: {}}}";
  constexpr std::string_view crashes =
      "{name: main, restartCount: 4, state: {waiting: {reason: CrashLoopBackOff}}, lastState: "
      "{terminated: {exitCode: 1, finishedAt: \"2026-11-20T11:00:00Z\"}}}";
  constexpr std::string_view side_crashes =
      "{name: side, restartCount: 4, state: {waiting: {reason: CrashLoopBackOff}}}";
  CHECK(of_pod(kUses, states("Running", kReady, runs)) == "at work");
  CHECK(of_pod(kUses, states("Running", kNotReady,
                             std::string(runs) + "," + std::string(side_crashes))) == "at work");
  CHECK(of_pod(kUses, states("Running", kNotReady, crashes)) == "CrashLoop atLeast 2 h");
  CHECK(of_pod(kUses, states("Running", kNotReady, "{name: main, state: {running: {}}}")) ==
        "NotReady exactly 2 h");
  CHECK(of_pod(kUses, states("Pending", kNotReady,
                             "{name: main, state: {waiting: {reason: ContainerCreating}}}")) ==
        "NotStarted exactly 4 h");
  CHECK(of_pod(kUses, states("Running", kNotReady,
                             "{name: main, state: {terminated: {exitCode: 0, finishedAt: "
                             "\"2026-11-20T11:30:00Z\"}}}, {name: side, ready: true, state: "
                             "{running: {}}}")) == "ContainersEnded exactly 0.5 h");
}

TEST_CASE("a driver that is not known may serve a pod without its containers") {
  const std::string status =
      states("Running", kReady, "{name: main, ready: true, state: {running: {}}}");
  CHECK(of_pod("nodeName: n1, containers: [{name: main}]", status) == "NoContainer exactly 4 h");
  support::Scene scene;
  scene.claim("c", support::exactly("gpu", 1),
              "allocation: {devices: {results: [{request: gpu, driver: fabric.example.com, pool: "
              "f, device: f-0}]}}, reservedFor: [" +
                  pod_ref("p") + "]");
  scene.pod("p", kClaim, "nodeName: n1, containers: [{name: main}]", status);
  CHECK(shown(scene) == "at work");
}

TEST_CASE("without a pod") {
  CHECK(shown(scene_of("")) == "Unreserved atMost 4 h");
  CHECK(shown(scene_of(pod_ref("gone"))) == "PodGone atMost 4 h");
  CHECK(shown(scene_of("{apiGroup: a.example.com, resource: trainers, name: t, uid: t}")) ==
        "not judged");
  CHECK(shown(scene_of(pod_ref("p")).cannot_read(api::Kind::Pod)) == "not judged");
}

TEST_CASE("a pod that has ended keeps its devices for a moment") {
  const auto ended = [](std::string_view time) {
    return of_pod(kUses,
                  "phase: Failed, containerStatuses: [{name: main, state: {terminated: "
                  "{exitCode: 1, finishedAt: \"" +
                      std::string(time) + "\"}}}]");
  };
  CHECK(ended("2026-11-20T11:59:30Z") == "at work");
  CHECK(ended("2026-11-20T09:00:00Z") == "PodEnded exactly 3 h");
  CHECK(of_pod(kUses, "phase: Failed") == "PodEnded exactly 4 h");
}

TEST_CASE("a claim of several pods is idle since the last one left it") {
  const auto both = [](const std::string& one, const std::string& other) {
    support::Scene scene = scene_of(pod_ref("p") + ", " + pod_ref("q"));
    scene.pod("p", kClaim, kUses, one).pod("q", kClaim, kUses, other);
    return shown(scene);
  };
  const std::string works =
      states("Running", kReady, "{name: main, ready: true, state: {running: {}}}");
  const std::string waits = states("Running", kNotReady, "{name: main, state: {running: {}}}");
  const std::string starts =
      states("Pending", kNotReady, "{name: main, state: {waiting: {reason: ContainerCreating}}}");
  CHECK(both(works, waits) == "at work");
  CHECK(both(starts, waits) == "NotReady exactly 2 h");
  support::Scene scene = scene_of(pod_ref("p") + ", " + pod_ref("gone"));
  scene.pod("p", kClaim, kUses, waits);
  CHECK(shown(scene) == "NotReady atMost 2 h");
}

TEST_CASE("shares count as their part") {
  support::Scene scene;
  scene.slice({.name = "s",
               .where = "nodeName: n1",
               .devices = "{name: nic-0, allowMultipleAllocations: true, capacity: {bandwidth: "
                          "{value: 100G}}}"});
  scene.claim("c", support::exactly("gpu", 1),
              "allocation: {allocationTimestamp: \"2026-11-20T08:00:00Z\", devices: {results: "
              "[{request: gpu, driver: gpu.example.com, pool: pool, device: nic-0, shareID: a, "
              "consumedCapacity: {bandwidth: 25G}}]}}");
  CHECK(shown(scene) == "Unreserved atMost 1 h");
}

}  // namespace dra::engine::idle_devices_test
