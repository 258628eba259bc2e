// tests/answers/problems/healthy_clusters_test.cpp: generated clusters in which nothing is wrong.
// No problem is found in them, and each pod that has devices is said to run.

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "dra/answers/explain/explanation.h"
#include "tests/answers/problems/problems_text.h"
#include "tests/support/seed.h"

namespace dra::answers::problems {
namespace {

using support::pick;

struct Driver {
  const char* name;
  const char* device_class;
  const char* daemon;
};
constexpr std::array kDrivers = {Driver{"gpu.example.com", "gpu", "dra-example-driver"},
                                 Driver{"net.vendor.io", "nic", "vendor-dra-net"},
                                 Driver{"chip.acme.com", "chip", "acme-dra-chip"}};

constexpr const char* kReady = "conditions: [{type: Ready, status: 'True'}]";

class Healthy {
 public:
  explicit Healthy(std::mt19937_64& random) : random_(random) {
    scene_.device_class("nic", "device.driver == 'net.vendor.io'");
    scene_.device_class("chip", "device.driver == 'chip.acme.com'");
    // Classes that drivers install and no claim asks for.
    if (one_in(2)) scene_.device_class("mig", "device.driver == 'gpu.example.com' && false");
    const std::uint64_t nodes = 1 + pick(random_, 5);
    for (std::uint64_t i = 0; i < nodes; ++i)
      add_node(base::format("n{}", i));
    add_others();
  }

  const support::Scene& scene() const { return scene_; }
  const std::vector<std::string>& running() const { return running_; }

 private:
  bool one_in(std::uint64_t of) { return pick(random_, of) == 0; }

  void add_node(const std::string& name) {
    const char* cordoned = one_in(6) ? "true" : "false";
    scene_.yaml(base::format(
        "{{apiVersion: v1, kind: Node, metadata: {{name: {}, labels: {{pool: {}}}}}, spec: "
        "{{unschedulable: {}}}, status: {{{}, nodeInfo: {{kubeletVersion: v1.37.{}}}, allocatable: "
        "{{cpu: '64', memory: 512Gi, pods: '110'}}}}}}",
        name, one_in(2) ? "a" : "b", cordoned, kReady, pick(random_, 3)));
    bool any = false;
    for (const Driver& driver : kDrivers) {
      if (any && one_in(2)) continue;
      any = true;
      add_driver(name, driver);
    }
  }

  // The driver's plugin, its slices, and claims for some of its devices.
  void add_driver(const std::string& node, const Driver& driver) {
    scene_.yaml(base::format(
        "{{apiVersion: v1, kind: Pod, metadata: {{name: {0}-{1}, namespace: drivers, uid: {0}-{1}, "
        "ownerReferences: [{{apiVersion: apps/v1, kind: DaemonSet, name: {0}, uid: {0}, "
        "controller: "
        "true}}]}}, spec: {{nodeName: {1}, volumes: [{{name: plugin, hostPath: {{path: "
        "/var/lib/kubelet/plugins/{2}}}}}]}}, status: {{phase: Running, {3}, containerStatuses: "
        "[{{name: plugin, ready: true, restartCount: {4}, state: {{running: {{startedAt: "
        "'2026-11-18T10:00:00Z'}}}}}}]}}}}",
        driver.daemon, node, driver.name, kReady, pick(random_, 2)));
    const std::uint64_t count = 1 + pick(random_, 6);
    const std::uint64_t slices = 1 + pick(random_, 2);
    std::vector<std::vector<std::string>> devices(slices);
    for (std::uint64_t i = 0; i < count; ++i)
      devices[i % slices].push_back(base::format("{{name: dev-{}}}", i));
    for (std::uint64_t i = 0; i < slices; ++i)
      scene_.slice({.name = base::format("{}-{}-{}", node, driver.device_class, i),
                    .driver = driver.name,
                    .pool = node,
                    .count = static_cast<int>(slices),
                    .where = base::format("nodeName: {}", node),
                    .devices = base::join(devices[i], ", ")});
    for (std::uint64_t i = 0; i < count; ++i) {
      if (one_in(2)) hold(node, driver, base::format("dev-{}", i));
    }
  }

  void hold(const std::string& node, const Driver& driver, const std::string& device) {
    const std::string claim = base::format("{}-{}-{}", driver.device_class, node, device);
    const std::uint64_t users = one_in(4) ? 2 : 1;
    std::vector<std::string> reserved;
    for (std::uint64_t i = 0; i < users; ++i) {
      const std::string pod = base::format("{}-{}", claim, i);
      reserved.push_back(base::format("{{resource: pods, name: {0}, uid: {0}}}", pod));
      add_pod(pod, claim, node);
    }
    scene_.claim(claim, support::exactly(driver.device_class, 1),
                 base::format("allocation: {{devices: {{results: [{{request: {}, driver: {}, pool: "
                              "{}, device: {}}}]}}, {}}}, reservedFor: [{}]",
                              driver.device_class, driver.name, node, device,
                              support::on_node(node), base::join(reserved, ", ")));
  }

  void add_pod(const std::string& name, const std::string& claim, const std::string& node) {
    running_.push_back(name);
    scene_.yaml(base::format(
        "{{apiVersion: v1, kind: Pod, metadata: {{name: {0}, namespace: default, uid: {0}, "
        "creationTimestamp: '2026-11-18T11:00:00Z'}}, spec: {{nodeName: {1}, containers: [{{name: "
        "main, resources: {{claims: [{{name: c}}]}}}}], resourceClaims: [{{name: c, "
        "resourceClaimName: {2}}}]}}, status: {{phase: Running, {3}, containerStatuses: [{{name: "
        "main, ready: true, restartCount: {4}, state: {{running: {{startedAt: "
        "'2026-11-18T12:00:00Z'}}}}}}]}}}}",
        name, node, claim, kReady, pick(random_, 2)));
    // What was said before it ran.
    if (one_in(3)) warn(name, "FailedScheduling", "0/3 nodes are available: cannot allocate");
    if (one_in(3))
      warn(name, "FailedPrepareDynamicResources",
           "Failed to prepare dynamic resources: NodePrepareResources: timeout");
  }

  void warn(const std::string& pod, const char* reason, const char* message) {
    scene_.yaml(base::format(
        "{{apiVersion: v1, kind: Event, metadata: {{name: e{3}, namespace: default}}, type: "
        "Warning, "
        "reason: {1}, message: '{2}', count: 2, lastTimestamp: '2026-11-18T11:30:00Z', "
        "involvedObject: {{kind: Pod, namespace: default, name: {0}, uid: {0}}}}}",
        pod, reason, message, events_++));
  }

  // What has nothing to do with devices, or has done its work.
  void add_others() {
    if (one_in(2))
      scene_.yaml(
          "{apiVersion: v1, kind: Pod, metadata: {name: done, namespace: default, uid: done}, "
          "spec: "
          "{nodeName: n0, resourceClaims: [{name: c, resourceClaimTemplateName: t}]}, status: "
          "{phase: Succeeded}}");
    if (one_in(2))
      scene_.yaml(
          "{apiVersion: batch/v1, kind: Job, metadata: {name: old, namespace: default, uid: old}, "
          "spec: {template: {spec: {resourceClaims: [{name: c, resourceClaimTemplateName: t}]}}}, "
          "status: {conditions: [{type: Complete, status: 'True'}]}}");
    if (one_in(2))
      scene_.yaml(
          "{apiVersion: apps/v1, kind: Deployment, metadata: {name: zero, namespace: default, uid: "
          "zero}, spec: {replicas: 0, template: {spec: {resourceClaims: [{name: c, "
          "resourceClaimTemplateName: t}]}}}}");
    if (one_in(2))
      scene_.yaml(
          "{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: default, uid: web}, spec: "
          "{nodeName: n0}, status: {phase: Running}}");
    scene_.yaml(
        "{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t, "
        "namespace: default}, spec: {spec: {devices: {requests: [{name: gpu, exactly: "
        "{deviceClassName: gpu}}]}}}}");
  }

  std::mt19937_64& random_;
  support::Scene scene_;
  std::vector<std::string> running_;
  int events_ = 0;
};

// Hints are no alarm.
std::string alarms_of(const Healthy& cluster) {
  std::vector<Problem> problems = problems_of(cluster.scene());
  std::erase_if(problems, [](const Problem& problem) {
    return problem.finding.severity == diag::Severity::Hint;
  });
  return text_of(problems);
}

TEST_CASE("healthy clusters are silent") {
  auto random = support::seeded();
  for (std::uint64_t i = 0; i < support::cases(150); ++i) {
    CAPTURE(i);
    const Healthy cluster(random);
    CHECK(alarms_of(cluster) == "");
    if (cluster.running().empty()) continue;
    const auto snapshot = cluster.scene().build();
    const std::string& name = cluster.running()[pick(random, cluster.running().size())];
    const Explanation explanation =
        explain_pod(snapshot, *snapshot.find<api::Pod>("default", name));
    CHECK(explanation.verdict == Verdict::Scheduled);
    CHECK_MESSAGE(!explanation.fails_after(), explanation.headline.text());
  }
}

}  // namespace
}  // namespace dra::answers::problems
