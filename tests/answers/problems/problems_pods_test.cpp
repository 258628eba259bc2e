// tests/answers/problems/problems_pods_test.cpp: pods that wait, and pods whose devices are not
// prepared.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "dra/base/text.h"
#include "tests/answers/problems/problems_text.h"

namespace dra::answers::problems_pods_test {
namespace {

using problems::Case;
using problems::check;
using problems::problems_of;
using support::exactly;
using support::scene;
using Words = support::Scene;

Words waiting(Words words, std::string_view name) {
  return words.claim(name, exactly("gpu", 1))
      .pod(name, base::format("{{name: a, resourceClaimName: {}}}", name));
}

TEST_CASE("pods that wait") {
  const Words nothing = scene().node("n1").node("n2");
  const Case rows[] = {
      {"a pod that fits nowhere", waiting(nothing, "p"),
       "error CountShort: Pod default/p: Pending. Request gpu needs 1 device, and no driver "
       "publishes any here. > explain pod p -n default\n"},
      {"pods with the same cause are one problem",
       waiting(waiting(waiting(waiting(nothing, "p1"), "p2"), "p3"), "p4"),
       "error CountShort: 4 pods (default/p1, default/p2, +2): Pending. Request gpu needs 1 "
       "device, and no driver publishes any here. > explain pod p1 -n default\n"},
      {"a pod that is blocked", scene().pod("p", "{name: a, resourceClaimName: none}"),
       "error ClaimMissing: Pod default/p: Pending. Claim default/none does not exist. > explain "
       "pod p -n default\n"},
      {"a gate is meant",
       scene()
           .claim("c", exactly("gpu", 1))
           .pod("p", "{name: a, resourceClaimName: c}", "schedulingGates: [{name: kueue}]"),
       "hint SchedulingGated: Pod default/p: Pending. Scheduling waits for gate kueue to be "
       "removed. > explain pod p -n default\n"},
      {"nothing stands in its way", waiting(scene().slice("n1", {"d"}), "p"),
       "hint NotSimulated: Pod default/p: Pending. It fits; the scheduler has not acted yet. > "
       "explain pod p -n default\n"},
      {"pods that run, are done or go away do not wait",
       scene()
           .pod("a", "{name: a, resourceClaimName: none}", "nodeName: n1")
           .pod("b", "{name: a, resourceClaimName: none}", "", "phase: Failed"),
       ""},
      {"a name that a shell would take for more is quoted",
       scene().yaml(
           "{apiVersion: v1, kind: Pod, metadata: {name: 'p; reboot', namespace: default}, "
           "spec: {resourceClaims: [{name: a, resourceClaimName: none}]}}"),
       "error ClaimMissing: Pod default/p; reboot is blocked: claim default/none does not exist. > "
       "explain pod 'p; reboot' -n default\n"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("what is in the way of who asks for all of one kind") {
  Words words = scene();
  words.node("n1").device_class("nic", "device.driver == 'nic.example.com'");
  words.device_class("card", "device.driver == 'gpu.example.com'");
  words.slice({.name = "g",
               .pool = "n1",
               .where = "nodeName: n1",
               .devices = "{name: gpu-0}, {name: gpu-1, taints: [{key: a/b, effect: NoSchedule}]}, "
                          "{name: gpu-2, taints: [{key: c/d, effect: NoSchedule}]}"});
  words.slice({.name = "nic-slice",
               .driver = "nic.example.com",
               .pool = "n1",
               .where = "nodeName: n1",
               .devices = "{name: nic-0}, {name: nic-1}"});
  words.held("n1", "gpu-0");
  words.claim("nics", exactly("nic", 1),
              "allocation: {devices: {results: [{request: nic, driver: nic.example.com, pool: n1, "
              "device: nic-0}]}}, reservedFor: [{resource: pods, name: b, uid: b}]");
  words.claim("c", support::all("card") + ", " + exactly("nic", 1));
  words.pod("p", "{name: a, resourceClaimName: c}");
  const auto problems = problems_of(words);
  const auto waits = std::ranges::find(problems, diag::Code::AllUnusable,
                                       [](const Problem& one) { return one.finding.code; });
  REQUIRE(waits != problems.end());
  CHECK(waits->remedy.text ==
        "On node n1, pod default/user holds gpu-0 until it is done or deleted; taint a/b is on "
        "gpu-1, taint c/d is on gpu-2: take them away, or tolerate them in the request. A request "
        "for a count does not need all of them.");
}

TEST_CASE("a pod whose devices could not be prepared") {
  const char* event =
      "{apiVersion: v1, kind: Event, metadata: {name: e, namespace: default}, type: Warning, "
      "reason: "
      "FailedPrepareDynamicResources, involvedObject: {kind: Pod, namespace: default, name: p}, "
      "message: 'Failed to prepare dynamic resources: prepare dynamic resources: driver x is not "
      "registered'}";
  const Case rows[] = {
      {"is told with the driver's words",
       scene().pod("p", "", "nodeName: n1", "phase: Pending").yaml(event),
       "error DriverNotRegistered: Pod default/p: Pending on n1. Driver x is not registered on "
       "node "
       "n1. > explain pod p -n default\n"},
      {"of a long story, both ends",
       scene()
           .pod("p", "", "nodeName: n1", "phase: Pending")
           .yaml(base::format(
               "{{apiVersion: v1, kind: Event, metadata: {{name: e, namespace: default}}, type: "
               "Warning, reason: "
               "FailedPrepareDynamicResources, involvedObject: {{kind: Pod, namespace: default, "
               "name: "
               "p}}, message: 'Failed to prepare dynamic resources: prepare dynamic resources: "
               "NodePrepareResources failed for claim {}: too few'}}",
               std::string(200, 'x'))),
       "error PrepareFailed: Pod default/p: Pending on n1. The driver could not prepare claim "
       "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
       " … "
       "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
       "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
       ": too few. > explain pod p -n default\n"},
      {"until it runs", scene().pod("p", "", "nodeName: n1", "phase: Running").yaml(event), ""},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("more different pods than are looked at") {
  Words words = scene();
  for (int i = 0; i < 40; ++i) {
    words.pod(base::format("p{}", i + 10), base::format("{{name: a, resourceClaimName: c{}}}", i));
  }
  const auto problems = problems_of(words);
  REQUIRE(problems.size() == 33);
  CHECK(problems.back().finding.message ==
        "8 further pods (default/p42, default/p43, +6) wait, and were not looked at: too many "
        "different ones wait.");
  CHECK(problems.back().finding.subjects.size() == 8);
}

// A card that is tainted, and one that somebody has.
Words one_tainted_one_held() {
  Words words = scene();
  words.node("n1").device_class("card", "device.driver == 'gpu.example.com'");
  words.slice(
      {.name = "g",
       .pool = "n1",
       .where = "nodeName: n1",
       .devices = "{name: gpu-0, taints: [{key: a/b, effect: NoSchedule}]}, {name: gpu-1}"});
  return words;
}

std::string advice_for_all(const Words& words) {
  for (const Problem& problem : problems_of(words)) {
    if (problem.finding.code == diag::Code::AllUnusable) return problem.remedy.text;
  }
  return "no such problem";
}

TEST_CASE("who watches all devices waits for no holder") {
  Words words = one_tainted_one_held();
  words.held("n1", "gpu-1");
  words.claim(
      "c", "{name: r, exactly: {deviceClassName: card, allocationMode: All, adminAccess: true}}");
  words.pod("p", "{name: a, resourceClaimName: c}");
  CHECK(advice_for_all(words) ==
        "On node n1, taint a/b is on gpu-0: take it away, or tolerate it in the request. A request "
        "for a count does not need all of them.");
}

TEST_CASE("what another claim of the same pod has is not to be deleted") {
  Words words = one_tainted_one_held();
  words.claim("mine", exactly("card", 1),
              "allocation: {devices: {results: [{request: card, driver: gpu.example.com, pool: n1, "
              "device: gpu-1}]}}");
  words.claim("c", support::all("card"));
  words.pod("p", "{name: a, resourceClaimName: mine}, {name: b, resourceClaimName: c}");
  CHECK(advice_for_all(words) ==
        "On node n1, the pod's own claim mine has gpu-1; taint a/b is on gpu-0: take it away, or "
        "tolerate it in the request. A request for a count does not need all of them.");
}

// The driver refuses a part of a host whether or not the kubelet has said so yet.
TEST_CASE("a pod that has a part of a TPU host") {
  const auto with = [](int chips) {
    Words words = scene();
    words.node("n1").device_class("tpu", "device.driver == 'tpu.google.com'");
    std::string devices;
    std::string results;
    for (int i = 0; i < 4; ++i) {
      const char* comma = i == 0 ? "" : ", ";
      devices += base::format("{}{{name: '{}', attributes: {{chipCount: {{int: 4}}}}}}", comma, i);
      if (i >= chips) continue;
      results += base::format("{}{{request: tpu, driver: tpu.google.com, pool: n1, device: '{}'}}",
                              comma, i);
    }
    words.slice({.name = "s",
                 .driver = "tpu.google.com",
                 .pool = "n1",
                 .where = "nodeName: n1",
                 .devices = devices});
    words.claim(
        "c", exactly("tpu", chips),
        base::format("allocation: {{devices: {{results: [{}]}}}}, reservedFor: [{{resource: "
                     "pods, name: p, uid: p}}]",
                     results));
    return words.pod("p", "{name: a, resourceClaimName: c}", "nodeName: n1", "phase: Pending");
  };
  check({"all of it", with(4), ""});
  check({"three of four", with(3),
         "error PartialHost: Pod default/p: Pending on n1. The claim has 3 of the 4 chips of TPU "
         "host n1, and the driver prepares all or none. > explain pod p -n default\n"});
}

}  // namespace
}  // namespace dra::answers::problems_pods_test
