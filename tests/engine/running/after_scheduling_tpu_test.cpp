// tests/engine/running/after_scheduling_tpu_test.cpp: hosts of TPUs that a claim has in part, or
// would get in part, and slices of which hosts are lost.

#include <doctest/doctest.h>

#include "dra/base/text.h"
#include "dra/engine/running/after_scheduling.h"
#include "tests/support/builders.h"
#include "tests/support/node_result.h"

namespace dra::engine::after_scheduling_tpu_test {
namespace {

using support::exactly;
using support::Scene;
using support::scene;

constexpr const char* kClaim = "{name: gpu, resourceClaimName: c}";

// The findings about the pod p.
std::vector<AfterFinding> findings_of(const Scene& scene) {
  const auto snapshot = scene.build();
  const Subject subject = subject_of_pod(snapshot, *snapshot.find<api::Pod>("default", "p"));
  support::EvaluatorParts parts(snapshot, subject);
  std::vector<NodeResult> nodes;
  for (const api::Node& node : snapshot.all<api::Node>())
    nodes.push_back(parts.evaluator.evaluate(node));
  return after_scheduling(snapshot, parts.inventory, subject, nodes);
}

std::string to_line(const std::vector<AfterFinding>& findings,
                    diag::Code code = diag::Code::PartialHost) {
  std::vector<std::string> parts;
  for (const AfterFinding& finding : findings) {
    CHECK(finding.finding.code == code);
    CHECK(finding.finding.certainty == diag::Certainty::Heuristic);
    CHECK(finding.repair.command != Command::None);
    std::string line = finding.finding.message;
    for (const diag::Fact& fact : finding.finding.evidence)
      line += base::format("; {}: {}", fact.about, fact.text);
    parts.push_back(std::move(line));
  }
  return base::join(parts, " | ");
}

// A host of four chips, of which some are there.
void add_host(Scene& scene, const char* node, std::initializer_list<int> chips,
              const char* labels = "cloud.google.com/gke-accelerator-count: '4'") {
  std::string devices;
  for (const int chip : chips)
    devices += base::format("{}{{name: '{}'}}", devices.empty() ? "" : ", ", chip);
  scene.node(node, labels);
  if (chips.size() == 0) return;
  scene.slice({.name = node,
               .driver = "tpu.google.com",
               .pool = node,
               .where = base::format("nodeName: {}", node),
               .devices = devices});
}

std::string held(std::initializer_list<int> chips) {
  std::string results;
  for (const int chip : chips) {
    results += base::format("{}{{request: gpu, driver: tpu.google.com, pool: n1, device: '{}'}}",
                            results.empty() ? "" : ", ", chip);
  }
  return base::format(
      "allocation: {{devices: {{results: [{}]}}}}, reservedFor: [{{resource: pods, name: p, uid: "
      "p}}]",
      results);
}

TEST_CASE("a claim that has a part of a host") {
  const auto says = [](std::initializer_list<int> published, std::initializer_list<int> taken,
                       const char* phase = "phase: Pending") {
    Scene one = scene();
    add_host(one, "n1", published);
    one.claim("c", exactly("gpu", static_cast<int>(taken.size())), held(taken));
    return to_line(findings_of(one.pod("p", kClaim, "nodeName: n1", phase)));
  };
  CHECK(says({0, 1, 2, 3}, {0, 1, 2, 3}).empty());
  CHECK(says({0, 1, 2, 3}, {0, 1}) ==
        "the claim has 2 of the 4 chips of TPU host n1, and the driver prepares all or none; host: "
        "n1 has 4 chips");
  CHECK(says({0, 1, 3}, {0, 1, 3}) ==
        "TPU host n1 has 3 of its 4 chips, and the driver prepares all or none; host: chip 2 "
        "missing");
  CHECK_MESSAGE(says({0, 1, 2, 3}, {0, 1}, "phase: Running").empty(), "it was prepared");
}

TEST_CASE("a claim that would get a part of a host") {
  const auto says = [](int count, std::initializer_list<int> second) {
    Scene two = scene();
    add_host(two, "n1", {0, 1, 2, 3});
    add_host(two, "n2", second);
    return to_line(findings_of(two.claim("c", exactly("gpu", count)).pod("p", kClaim)));
  };
  CHECK(says(4, {0, 1, 2, 3}).empty());
  CHECK(says(2, {0, 1, 2, 3}) ==
        "it would get 2 of the 4 chips of TPU host n1, and the driver prepares all or none; hosts: "
        "the same on 2 of 2 nodes that fit: n1, n2; host: n1 has 4 chips");
  CHECK_MESSAGE(says(4, {0, 1}).empty(), "only the whole host fits");

  Scene small = scene();
  add_host(small, "n1", {0, 1, 2, 3});
  add_host(small, "n2", {0, 1}, "cloud.google.com/gke-accelerator-count: '2'");
  const auto found = findings_of(small.claim("c", exactly("gpu", 2)).pod("p", kClaim));
  CHECK(to_line(found) ==
        "on TPU host n1 it would get 2 of 4 chips, and the driver prepares all or none; hosts: "
        "the same on 1 of 2 nodes that fit: n1; host: n1 has 4 chips");
  REQUIRE(found.size() == 1);
  CHECK(found.front().on_some_nodes);
  CHECK(found.front().repair.action == Action::AskForWholeHost);
}

constexpr const char* kOfSlice =
    "cloud.google.com/gke-nodepool: pool, cloud.google.com/gke-tpu-topology: 2x2x3, "
    "cloud.google.com/gke-accelerator-count: '4'";

TEST_CASE("a slice of which hosts are lost") {
  const auto says = [](std::initializer_list<int> second) {
    Scene three = scene();
    add_host(three, "n1", {0, 1, 2, 3}, kOfSlice);
    add_host(three, "n2", second, kOfSlice);
    add_host(three, "n3", {0, 1, 3}, kOfSlice);
    three.claim("other", exactly("gpu", 4), held({0, 1, 2, 3}));
    return to_line(findings_of(three.claim("c", exactly("gpu", 4)).pod("p", kClaim)),
                   diag::Code::HostLost);
  };
  CHECK(says({}) ==
        "host n2 of TPU slice pool (2x2x3, 3 hosts) is lost: its node is ready, but publishes no "
        "chips; "
        "degraded host: n3: 3 of 4 chips");
  CHECK_MESSAGE(says({0, 1, 2, 3}).empty(), "it fits on the second host");
}

TEST_CASE("a node pool may hold several slices, if its nodes say which is whose") {
  Scene nodes = scene();
  for (const char* node : {"n1", "n2", "n3", "n4", "n5", "n6"}) {
    const std::string labels =
        base::format("{}, cloud.google.com/gke-tpu-slice: {}", kOfSlice, node[1] < '4' ? "a" : "b");
    const bool lost = std::string_view(node) != "n1";
    lost ? add_host(nodes, node, {}, labels.c_str())
         : add_host(nodes, node, {0, 1, 2, 3}, labels.c_str());
  }
  nodes.claim("other", exactly("gpu", 4), held({0, 1, 2, 3}));
  const std::string text = to_line(
      findings_of(nodes.claim("c", exactly("gpu", 4)).pod("p", kClaim)), diag::Code::HostLost);
  CHECK_MESSAGE(text.starts_with("host n2 of TPU slice a (2x2x3, 3 hosts) is lost"), text);
  CHECK_MESSAGE(text.find("host n4 of TPU slice b (2x2x3, 3 hosts) is lost") != std::string::npos,
                text);
}

// A pod of a job, which holds the claim of its name.
std::string pod_of_job(const char* name, const char* job) {
  return base::format(
      "{{apiVersion: v1, kind: Pod, metadata: {{name: {0}, namespace: default, uid: {0}, labels: "
      "{{job-name: {1}}}}}, spec: {{resourceClaims: [{{name: gpu, resourceClaimName: {2}}}]}}}}",
      name, job, std::string_view(name) == "p" ? "c" : name);
}

// A slice of two hosts, of which one publishes nothing.
Scene half_a_slice() {
  constexpr const char* of_two =
      "cloud.google.com/gke-nodepool: pool, cloud.google.com/gke-tpu-topology: 2x2x2, "
      "cloud.google.com/gke-accelerator-count: '4'";
  Scene two = scene();
  add_host(two, "n1", {0, 1, 2, 3}, of_two);
  add_host(two, "n2", {}, of_two);
  return two;
}

TEST_CASE("for a lost host waits who would only have to share with its own") {
  const auto waits = [](const char* holder) {
    Scene two = half_a_slice();
    two.claim("c", exactly("gpu", 4));
    two.yaml(holder).yaml(pod_of_job("p", "train"));
    const auto findings = findings_of(two);
    REQUIRE(findings.size() == 1);
    CHECK(findings.front().finding.code == diag::Code::HostLost);
    return findings.front().held_by_own;
  };
  const auto holder = [](const char* job, bool all) {
    return base::format(
        "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: held, namespace: "
        "default}}, spec: {{devices: {{requests: [{{name: gpu, exactly: {{deviceClassName: gpu, "
        "allocationMode: All}}}}]}}}}, status: {{allocation: {{devices: {{results: [{{request: "
        "gpu, driver: tpu.google.com, pool: n1, device: '0'}}, {{request: gpu, driver: "
        "tpu.google.com, pool: n1, device: '1'}}, {{request: gpu, driver: tpu.google.com, pool: "
        "n1, device: '2'}}{}]}}}}, reservedFor: [{{resource: pods, name: q, uid: "
        "q}}]}}}}\n---\n{}",
        all ? ", {request: gpu, driver: tpu.google.com, pool: n1, device: '3'}" : "",
        pod_of_job("q", job));
  };
  CHECK(waits(holder("train", true).c_str()));
  CHECK_FALSE_MESSAGE(waits(holder("other", true).c_str()), "it may end");
  CHECK_FALSE_MESSAGE(waits(holder("train", false).c_str()), "something else keeps it from a chip");
}

TEST_CASE("who wants devices of another driver does not wait for a lost host") {
  const auto lost_for = [](const char* device_class) {
    Scene two = half_a_slice();
    two.device_class("tpu", "device.driver == 'tpu.google.com'");
    two.device_class("nic", "device.driver == 'nic.example.com'");
    two.slice(
        {.name = "nics", .driver = "nic.example.com", .pool = "f", .devices = "{name: nic-0}"});
    two.claim("c", exactly(device_class, 9)).pod("p", kClaim);
    return to_line(findings_of(two), diag::Code::HostLost);
  };
  CHECK_FALSE(lost_for("tpu").empty());
  CHECK(lost_for("nic").empty());
}

}  // namespace
}  // namespace dra::engine::after_scheduling_tpu_test
