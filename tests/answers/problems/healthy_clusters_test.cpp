// tests/answers/problems/healthy_clusters_test.cpp: generated clusters in which nothing is wrong.
// No problem is found in them, and each pod that has devices is said to run.

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "dra/answers/explain/explanation.h"
#include "dra/answers/problems/overview.h"
#include "dra/engine/cluster/inventory.h"
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

constexpr Driver kPartitions = {"parts.example.com", "part", "parts-dra-driver"};
constexpr Driver kShared = {"net.example.com", "port", "net-dra-driver"};
constexpr Driver kExtended = {"card.example.com", "card", "card-dra-driver"};

constexpr const char* kReady = "conditions: [{type: Ready, status: 'True'}]";

class Healthy {
 public:
  explicit Healthy(std::mt19937_64& random) : random_(random) {
    scene_.device_class("nic", "device.driver == 'net.vendor.io'");
    scene_.device_class("chip", "device.driver == 'chip.acme.com'");
    scene_.device_class("part", "device.driver == 'parts.example.com'");
    scene_.device_class("port", "device.driver == 'net.example.com'");
    scene_.yaml(
        "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: card}, spec: "
        "{extendedResourceName: example.com/card, selectors: [{cel: {expression: \"device.driver "
        "== "
        "'card.example.com'\"}}]}}");
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
    if (one_in(3)) add_partitions(name);
    if (one_in(3)) add_shared(name);
    if (one_in(3)) add_extended(name);
  }

  // The parts of one device, which share its memory; the whole is blocked while a part is in use.
  void add_partitions(const std::string& node) {
    const auto part = [](std::string_view name, int memory) {
      return base::format(
          "{{name: {}, consumesCounters: [{{counterSet: whole, counters: {{memory: {{value: "
          "{}Gi}}}}}}]}}",
          name, memory);
    };
    const Driver& driver = kPartitions;
    scene_.slice({.name = node + "-counters",
                  .driver = driver.name,
                  .pool = node,
                  .count = 2,
                  .where = base::format("nodeName: {}", node),
                  .more = "sharedCounters: [{name: whole, counters: {memory: {value: 80Gi}}}]"});
    std::vector<std::string> devices = {part("all", 80)};
    for (int i = 0; i < 4; ++i)
      devices.push_back(part(base::format("part-{}", i), 20));
    scene_.slice({.name = node + "-parts",
                  .driver = driver.name,
                  .pool = node,
                  .count = 2,
                  .where = base::format("nodeName: {}", node),
                  .devices = base::join(devices, ", ")});
    add_plugin(node, driver);
    if (one_in(4)) return hold(node, driver, "all");
    for (int i = 0; i < 4; ++i) {
      if (one_in(2)) hold(node, driver, base::format("part-{}", i));
    }
  }

  // A device that several claims share; a taint without an effect is only a note.
  void add_shared(const std::string& node) {
    const Driver& driver = kShared;
    scene_.slice(
        {.name = node + "-shared",
         .driver = driver.name,
         .pool = node,
         .where = base::format("nodeName: {}", node),
         .devices = base::format(
             "{{name: port, allowMultipleAllocations: true, capacity: {{bandwidth: {{value: "
             "'100'}}}}{}}}",
             one_in(2) ? ", taints: [{key: example.com/note, value: old, effect: None}]" : "")});
    add_plugin(node, driver);
    const std::uint64_t shares = pick(random_, 4);
    for (std::uint64_t i = 0; i < shares; ++i) {
      const std::string claim = base::format("port-{}-{}", node, i);
      add_pod(claim + "-user", claim, node);
      scene_.claim(
          claim, support::exactly("port", 1, "capacity: {requests: {bandwidth: '25'}}"),
          base::format(
              "allocation: {{devices: {{results: [{{request: port, driver: {}, pool: {}, "
              "device: port, shareID: 00000000-0000-4000-8000-00000000000{}, "
              "consumedCapacity: {{bandwidth: '25'}}}}]}}, {}}}, reservedFor: [{{resource: "
              "pods, name: {}-user, uid: {}-user}}], devices: [{{driver: {}, pool: {}, "
              "device: port, shareID: 00000000-0000-4000-8000-00000000000{}, conditions: "
              "[{{type: Ready, status: 'True', reason: Attached, message: '', "
              "lastTransitionTime: '2026-11-18T12:00:00Z'}}], networkData: {{interfaceName: "
              "net1}}}}]",
              driver.name, node, i, support::on_node(node), claim, claim, driver.name, node, i));
    }
  }

  // A device that a pod asks for as an extended resource: the scheduler makes the claim.
  void add_extended(const std::string& node) {
    const Driver& driver = kExtended;
    scene_.slice({.name = node + "-extended",
                  .driver = driver.name,
                  .pool = node,
                  .where = base::format("nodeName: {}", node),
                  .devices = "{name: card}"});
    add_plugin(node, driver);
    if (one_in(2)) return;
    const std::string pod = base::format("card-{}", node);
    running_.push_back(pod);
    scene_.yaml(base::format(
        "{{apiVersion: v1, kind: Pod, metadata: {{name: {0}, namespace: default, uid: {0}, "
        "creationTimestamp: '2026-11-18T11:00:00Z'}}, spec: {{nodeName: {1}, containers: [{{name: "
        "main, resources: {{requests: {{example.com/card: '1'}}, limits: {{example.com/card: "
        "'1'}}}}}}]}}, status: {{phase: Running, {2}, extendedResourceClaimStatus: "
        "{{resourceClaimName: {0}-claim, requestMappings: [{{containerName: main, resourceName: "
        "example.com/card, requestName: card}}]}}, containerStatuses: [{{name: main, ready: true, "
        "restartCount: 0, state: {{running: {{startedAt: '2026-11-18T12:00:00Z'}}}}}}]}}}}",
        pod, node, kReady));
    scene_.yaml(base::format(
        "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: {0}-claim, "
        "namespace: default, uid: {0}-claim, annotations: "
        "{{resource.kubernetes.io/extended-resource-"
        "claim: 'true'}}, ownerReferences: [{{apiVersion: v1, kind: Pod, name: {0}, uid: {0}, "
        "controller: true}}]}}, spec: {{devices: {{requests: [{{name: card, exactly: "
        "{{deviceClassName: card, allocationMode: ExactCount, count: 1}}}}]}}}}, status: "
        "{{allocation: {{devices: {{results: [{{request: card, driver: {1}, pool: {2}, device: "
        "card}}]}}, {3}}}, reservedFor: [{{resource: pods, name: {0}, uid: {0}}}]}}}}",
        pod, driver.name, node, support::on_node(node)));
  }

  void add_plugin(const std::string& node, const Driver& driver) {
    scene_.yaml(base::format(
        "{{apiVersion: v1, kind: Pod, metadata: {{name: {0}-{1}, namespace: drivers, uid: {0}-{1}, "
        "ownerReferences: [{{apiVersion: apps/v1, kind: DaemonSet, name: {0}, uid: {0}, "
        "controller: "
        "true}}]}}, spec: {{nodeName: {1}, volumes: [{{name: plugin, hostPath: {{path: "
        "/var/lib/kubelet/plugins/{2}}}}}]}}, status: {{phase: Running, {3}, containerStatuses: "
        "[{{name: plugin, ready: true, restartCount: {4}, state: {{running: {{startedAt: "
        "'2026-11-18T10:00:00Z'}}}}}}]}}}}",
        driver.daemon, node, driver.name, kReady, pick(random_, 2)));
  }

  // The driver's plugin, its slices, and claims for some of its devices.
  void add_driver(const std::string& node, const Driver& driver) {
    add_plugin(node, driver);
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

// Hints are no alarm, and the class gpu is in each scene.
std::string alarms_of(const std::vector<Problem>& problems) {
  std::vector<Problem> alarms;
  for (const Problem& problem : problems) {
    if (problem.finding.severity != diag::Severity::Hint &&
        (problem.finding.code != diag::Code::ClassMatchesNothing ||
         problem.finding.subjects.front().name != "gpu"))
      alarms.push_back(problem);
  }
  return text_of(alarms);
}

TEST_CASE("healthy clusters are silent") {
  auto random = support::seeded();
  for (std::uint64_t i = 0; i < support::cases(250); ++i) {
    CAPTURE(i);
    const Healthy cluster(random);
    const auto snapshot = cluster.scene().build();
    const engine::Inventory inventory(snapshot);
    const Overview overview = overview_of({snapshot, inventory, kNow}, {});
    CHECK(alarms_of(overview.problems) == "");
    CHECK((overview.waiting && overview.waiting->empty()));
    for (const std::string& name : cluster.running()) {
      CAPTURE(name);
      const Explanation explanation =
          explain_pod(snapshot, *snapshot.find<api::Pod>("default", name));
      CHECK(explanation.verdict == Verdict::Scheduled);
      CHECK_MESSAGE(!explanation.fails_after(), explanation.headline.text());
      if (pick(random, 4) == 0) break;
    }
  }
}

}  // namespace
}  // namespace dra::answers::problems
