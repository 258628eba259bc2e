// tests/engine/running/after_scheduling_test.cpp: each cause that keeps a pod with a node from
// running, and the twin of it that is well.

#include "dra/engine/running/after_scheduling.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::after_scheduling_test {
namespace {

using support::allocated;
using support::exactly;
using support::Scene;
using support::scene;

constexpr const char* kClaim = "{name: gpu, resourceClaimName: c}";
constexpr const char* kOnNode = "nodeName: n1";
constexpr const char* kPending = "phase: Pending";
constexpr const char* kReserved = "reservedFor: [{resource: pods, name: p, uid: p}]";

std::vector<AfterFinding> findings_of(const snapshot::Snapshot& snapshot) {
  const Inventory inventory(snapshot);
  const Subject subject = subject_of_pod(snapshot, *snapshot.find<api::Pod>("default", "p"));
  return after_scheduling(snapshot, inventory, subject, {});
}

// "DriverNotRegistered(prepare gpu.example.com)"
std::string to_line(const std::vector<AfterFinding>& findings) {
  std::vector<std::string> parts;
  for (const AfterFinding& finding : findings) {
    parts.push_back(base::format("{}({}{}{})", diag::name_of(finding.finding.code),
                                 name_of(finding.fails), finding.driver.empty() ? "" : " ",
                                 finding.driver));
  }
  return base::join(parts, " ");
}

std::string event(std::string_view message, std::string_view uid = "p",
                  std::string_view reason = "FailedPrepareDynamicResources") {
  return base::format(
      "{{apiVersion: v1, kind: Event, metadata: {{name: p.1, namespace: default}}, type: Warning, "
      "reason: {}, message: '{}', involvedObject: {{kind: Pod, namespace: default, name: p, uid: "
      "{}}}, count: 3, lastTimestamp: '2026-11-20T08:00:00Z'}}",
      reason, message, uid);
}

// A claim's status: the results, and what else there is.
std::string status_with(std::string_view results, std::string_view more = kReserved) {
  return more.empty() ? allocated(results) : base::format("{}, {}", allocated(results), more);
}

// A claim with the device gpu-0 of the node n1, which is published, for the pod p.
Scene well(std::string_view more = kReserved) {
  return scene()
      .node("n1")
      .slice("n1", {"gpu-0"})
      .claim("c", exactly("gpu", 1), status_with("{device: gpu-0, pool: n1}", more));
}

Scene waiting(std::string_view status = kPending) {
  return well().pod("p", kClaim, kOnNode, status);
}

struct Row {
  const char* name;
  Scene scene;
  const char* findings;
  const char* message = "";  // of the first; empty: not asked
};

void check(const Row& row) {
  CAPTURE(row.name);
  const auto snapshot = row.scene.build();
  const auto findings = findings_of(snapshot);
  CHECK(to_line(findings) == std::string(row.findings));
  if (findings.empty()) return;
  if (*row.message != '\0') CHECK(findings.front().finding.message == std::string(row.message));
  for (const AfterFinding& finding : findings) {
    CHECK_FALSE(finding.finding.message.empty());
    CHECK(finding.repair.command != Command::None);
  }
}

TEST_CASE("a pod that is well, or that others have to look after, has no finding") {
  const Row rows[] = {
      {"it only starts", waiting(), ""},
      {"it runs", waiting("phase: Running"), ""},
      {"it is done", well("").pod("p", kClaim, kOnNode, "phase: Succeeded"), ""},
      {"what the kubelet reported about an earlier pod of that name",
       waiting().yaml(event(
           "prepare dynamic resources: DRA driver gpu.example.com is not registered", "older")),
       ""},
      {"what the kubelet said before it ran",
       waiting("phase: Running")
           .yaml(event("prepare dynamic resources: DRA driver gpu.example.com is not registered")),
       ""},
      {"what the kubelet said before the claim was reserved",
       waiting().yaml(event("prepare dynamic resources: pod p (p) is not allowed to use "
                            "ResourceClaim c (c)")),
       ""},
  };
  for (const Row& row : rows)
    check(row);
}

TEST_CASE("what the kubelet says") {
  const std::string says = "prepare dynamic resources: ";
  const Row rows[] = {
      {"the driver is not registered",
       waiting().yaml(event(says + "DRA driver gpu.example.com is not registered")),
       "DriverNotRegistered(prepare gpu.example.com)",
       "driver gpu.example.com is not registered on node n1"},
      {"that its slices are gone follows from the same",
       scene()
           .node("n1")
           .claim("c", exactly("gpu", 1), status_with("{device: gpu-0, pool: n1}"))
           .pod("p", kClaim, kOnNode, kPending)
           .yaml(event(says + "DRA driver gpu.example.com is not registered")),
       "DriverNotRegistered(prepare gpu.example.com)"},
      {"the driver refuses",
       waiting().yaml(event(says + "NodePrepareResources failed for ResourceClaim c: too hot")),
       "PrepareFailed(prepare gpu.example.com)",
       "driver gpu.example.com could not prepare claim c: too hot"},
      {"the driver does not take the parameters",
       waiting().yaml(event(says +
                            "NodePrepareResources failed for ResourceClaim c: strict decoding "
                            "error: unknown field \"x\"")),
       "PrepareFailed(prepare gpu.example.com)",
       "driver gpu.example.com refuses the configuration of claim c: strict decoding error: "
       "unknown "
       "field \"x\""},
      {"the driver leaves the claim out of its answer",
       waiting().yaml(event(says + "NodePrepareResources skipped 1 ResourceClaims")),
       "PrepareFailed(prepare gpu.example.com)",
       "driver gpu.example.com has returned no result for claim c, probably as its own time limit "
       "was "
       "over, and does not say why"},
      {"the driver is missing a permission",
       waiting().yaml(event(says +
                            "NodePrepareResources: get resource claims: retrieve claim default/c: "
                            "resourceclaims.resource.k8s.io \"c\" is forbidden: User "
                            "\"system:serviceaccount:sys:dra\" cannot get resource "
                            "\"resourceclaims\" in API group \"resource.k8s.io\"")),
       "PrepareFailed(prepare gpu.example.com)",
       "driver gpu.example.com cannot read claims: its service account sys/dra is missing the "
       "permission to get resourceclaims"},
      {"an error of the kubelet is not the driver's",
       waiting().yaml(event(says +
                            "internal error: unable to get claim info for ResourceClaim c in "
                            "namespace default")),
       "PrepareFailed(prepare)",
       "the kubelet could not prepare claim c: internal error: unable to get claim info for "
       "ResourceClaim c in namespace default"},
      {"the kubelet may not write",
       waiting().yaml(event(says +
                            "checkpoint ResourceClaim cache: open /var/lib/kubelet/x: read-only "
                            "file system")),
       "PrepareFailed(prepare)",
       "the kubelet cannot save its state: open /var/lib/kubelet/x: read-only file system"},
      {"the claim cannot be read",
       scene()
           .node("n1")
           .pod("p", kClaim, kOnNode, kPending)
           .yaml(event(says + "pod p (p) is not allowed to use ResourceClaim c (c)"))
           .cannot_read(api::Kind::Claim),
       "NotReserved(prepare)", "pod p (p) is not allowed to use ResourceClaim c (c)"},
      {"the driver does not answer",
       waiting().yaml(event(says + "NodePrepareResources: rpc error: code = Unavailable")),
       "PrepareFailed(prepare gpu.example.com)",
       "the call of driver gpu.example.com failed: rpc error: code = Unavailable"},
      {"an older claim of the name is prepared",
       waiting().yaml(event(says + "old ResourceClaim with same name c and different UID u still "
                                   "exists (previous pod force-deleted?!)")),
       "PrepareFailed(prepare gpu.example.com)", "an older claim c is still prepared on the node"},
      {"the device is gone, and so the driver refuses",
       scene()
           .node("n1")
           .slice("n1", {"gpu-1"})
           .claim("c", exactly("gpu", 1), status_with("{device: gpu-0, pool: n1}"))
           .pod("p", kClaim, kOnNode, kPending)
           .yaml(event(says + "NodePrepareResources failed for ResourceClaim c: no gpu-0")),
       "DeviceGone(prepare gpu.example.com)",
       "driver gpu.example.com does not publish device gpu-0 any more"},
      {"a container misses its device",
       waiting("phase: Running, containerStatuses: [{name: main, state: {waiting: {reason: "
               "CreateContainerError, message: 'failed to inject CDI devices: unresolvable'}}}]"),
       "PrepareFailed(start gpu.example.com)",
       "container main cannot be created: the container runtime does not find what was prepared "
       "for "
       "it any more"},
      {"a container cannot be created for another reason",
       waiting("phase: Pending, containerStatuses: [{name: main, state: {waiting: {reason: "
               "CreateContainerError, message: 'no such file'}}}]"),
       "ContainerNotStarted(start)",
       "its devices are prepared, but container main cannot be started: CreateContainerError: no "
       "such file"},
      {"the kubelet refuses the pod",
       waiting("phase: Failed, reason: UnexpectedAdmissionError, message: 'no resources'"),
       "PodFailed(start)"},
      {"the kubelet refuses the pod for a reason of its own",
       waiting(
           "phase: Failed, reason: SMTAlignmentError, message: 'Pod was rejected: SMT Alignment "
           "Error: requested 3 cpus'"),
       "PodFailed(start)",
       "the kubelet refused the pod (SMTAlignmentError): SMT Alignment Error: requested 3 cpus"},
      {"the kubelet refuses the pod as its node has no room on disk",
       waiting("phase: Failed, reason: Evicted, message: 'Pod was rejected: The node had "
               "condition: [DiskPressure]. '"),
       "PodFailed(start)",
       "the kubelet refused the pod (Evicted): The node had condition: [DiskPressure]. "},
  };
  for (const Row& row : rows)
    check(row);
}

TEST_CASE("states of containers") {
  const auto listed = [](const char* claims, const char* state) {
    return well(kReserved).yaml(base::format(
        "{{apiVersion: v1, kind: Pod, metadata: {{name: p, namespace: default, uid: p}}, spec: "
        "{{nodeName: n1, containers: [{{name: main, resources: {{claims: [{}]}}}}], "
        "resourceClaims: [{}]}}, status: {{phase: Running, containerStatuses: [{{name: main, "
        "{}}}]}}}}",
        claims, kClaim, state));
  };
  constexpr const char* crash =
      "restartCount: 7, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: "
      "{exitCode: 137, reason: OOMKilled}}";
  const std::string sandbox = event("rpc error: hook failed", "p", "FailedCreatePodSandBox");
  const Row rows[] = {
      {"it is created just now",
       waiting("phase: Pending, containerStatuses: [{name: main, state: {waiting: {reason: "
               "ContainerCreating}}}]"),
       ""},
      {"its image is not there",
       waiting("phase: Pending, containerStatuses: [{name: main, state: {waiting: {reason: "
               "ErrImagePull, message: 'not found'}}}]"),
       "ContainerNotStarted(start)",
       "its devices are prepared, but the image of container main cannot be pulled: ErrImagePull: "
       "not found"},
      {"an image for its start is not there",
       waiting("phase: Pending, initContainerStatuses: [{name: init, state: {waiting: {reason: "
               "InvalidImageName}}}]"),
       "ContainerNotStarted(start)",
       "its devices are prepared, but the image of container init cannot be pulled: "
       "InvalidImageName"},
      {"it crashes",
       listed("{name: gpu}",
              "restartCount: 7, state: {waiting: {reason: CrashLoopBackOff}}, lastState: "
              "{terminated: {exitCode: 1, reason: Error}}"),
       "ContainerCrashes(run)",
       "container main crashes again and again (7 restarts, last with exit code 1 (Error))"},
      {"it uses too much memory", listed("{name: gpu}", crash), "ContainerCrashes(run)",
       "container main is killed again and again for using more memory than its limit (7 restarts, "
       "exit code 137 (OOMKilled))"},
      {"the runtime fails before it",
       listed("{name: gpu}",
              "restartCount: 2, state: {waiting: {reason: CrashLoopBackOff}}, lastState: "
              "{terminated: {exitCode: 128, reason: StartError, message: 'hook failed'}}"),
       "ContainerNotStarted(start)",
       "container main does not start (StartError, 2 attempts): hook failed"},
      {"it does not answer its readiness probe",
       listed("{name: gpu}", "state: {running: {}}")
           .yaml(event("Readiness probe failed: 503", "p", "Unhealthy")),
       "ContainerNotReady(run)", "container main is not ready: Readiness probe failed: 503"},
      {"it is restarted by its liveness probe",
       listed("{name: gpu}", "ready: true, restartCount: 9, state: {running: {}}")
           .yaml(event("Liveness probe failed: 500", "p", "Unhealthy")),
       "ContainerCrashes(run)",
       "container main is restarted again and again (9 restarts): Liveness probe failed: 500"},
      {"the runtime has never found its devices",
       waiting("phase: Pending, containerStatuses: [{name: main, state: {waiting: {reason: "
               "CreateContainerError, message: 'unresolvable CDI devices x'}}}]"),
       "ContainerNotStarted(start gpu.example.com)",
       "its devices are prepared, but the container runtime does not find them for container main: "
       "unresolvable CDI devices x"},
      {"it crashes without its devices", listed("", crash), "ContainerCrashes(run)",
       "no container lists claim gpu in resources.claims, so none sees its devices; container main "
       "crashes again and again (7 restarts, last with exit code 137 (OOMKilled))"},
      {"its sandbox is not made", waiting("phase: Pending").yaml(sandbox),
       "ContainerNotStarted(start)",
       "its devices are prepared, but its sandbox cannot be made: rpc error: hook failed"},
      {"it runs, and is not ready yet", listed("{name: gpu}", "state: {running: {}}"), ""},
      {"it has ended before the driver refused",
       listed("{name: gpu}",
              "state: {terminated: {exitCode: 255, finishedAt: '2026-06-01T08:00:00Z'}}")
           .yaml(
               event("prepare dynamic resources: NodePrepareResources failed for ResourceClaim c: "
                     "no")),
       "PrepareFailed(prepare gpu.example.com)"},
      {"it has ended after that",
       listed("{name: gpu}",
              "state: {terminated: {exitCode: 255, finishedAt: '2036-06-01T08:00:00Z'}}")
           .yaml(
               event("prepare dynamic resources: NodePrepareResources failed for ResourceClaim c: "
                     "no")),
       ""},
  };
  for (const Row& row : rows)
    check(row);
}

TEST_CASE("a pod that does not go away") {
  const auto deleted = [](const char* state) {
    return well(kReserved).yaml(base::format(
        "{{apiVersion: v1, kind: Pod, metadata: {{name: p, namespace: default, uid: p, "
        "deletionTimestamp: '2026-06-01T08:00:00Z'}}, spec: {{nodeName: n1, resourceClaims: "
        "[{}]}}, "
        "status: {{phase: Running, containerStatuses: [{{name: main, state: {}}}]}}}}",
        kClaim, state));
  };
  const Row rows[] = {
      {"its container has ended", deleted("{terminated: {exitCode: 0}}"),
       "PodNotGone(end gpu.example.com)",
       "its containers have ended, and the kubelet has not taken its devices back"},
      {"its container still runs", deleted("{running: {}}"), ""},
  };
  for (const Row& row : rows)
    check(row);
}

TEST_CASE("a pod that has failed") {
  const Row rows[] = {
      {"the kubelet refused it",
       waiting("phase: Failed, reason: TopologyAffinityError, message: no locality"),
       "PodFailed(start)", "the kubelet refused the pod (TopologyAffinityError): no locality"},
      {"its time was over", waiting("phase: Failed, reason: DeadlineExceeded, message: too long"),
       "PodFailed(run)", "DeadlineExceeded: too long"},
      {"its program ended with an error",
       waiting("phase: Failed, containerStatuses: [{name: main, state: {terminated: {exitCode: 3, "
               "reason: Error, message: no data}}}]"),
       "PodFailed(run)", "container main ended with exit code 3 (Error): no data"},
  };
  for (const Row& row : rows)
    check(row);
}

TEST_CASE("reservations") {
  const Row rows[] = {
      {"nobody has reserved the claim", well("").pod("p", kClaim, kOnNode, kPending),
       "NotReserved(prepare)", "claim default/c is not reserved for it"},
      {"another pod has",
       well("reservedFor: [{resource: pods, name: q, uid: q}]").pod("p", kClaim, kOnNode, kPending),
       "NotReserved(prepare)", "claim default/c is not reserved for it"},
      {"an older pod of that name has",
       well("reservedFor: [{resource: pods, name: p, uid: older}]")
           .pod("p", kClaim, kOnNode, kPending),
       "NotReserved(prepare)",
       "claim default/c is reserved for an older pod of the same name, and not for it"},
      {"the claim is not even allocated",
       scene().node("n1").claim("c", exactly("gpu", 1)).pod("p", kClaim, kOnNode, kPending),
       "NotReserved(prepare)", "claim default/c is neither allocated nor reserved for it"},
      {"the claim is not there", scene().node("n1").pod("p", kClaim, kOnNode, kPending),
       "PrepareFailed(prepare)", "claim default/c does not exist"},
      {"the claim may be there",
       scene().node("n1").pod("p", kClaim, kOnNode, kPending).cannot_read(api::Kind::Claim), ""},
      {"a pod without a node has none yet", well("").pod("p", kClaim, "", kPending), ""},
  };
  for (const Row& row : rows)
    check(row);
}

TEST_CASE("devices") {
  const std::string status_of =
      "devices: [{driver: gpu.example.com, pool: n1, device: gpu-0, "
      "conditions: [{type: Ready, status: 'False', reason: Lost}]}], ";
  const std::string unwell =
      "containerStatuses: [{name: main, allocatedResourcesStatus: [{name: 'claim:gpu', resources: "
      "[{resourceID: gpu-0, health: ";
  const Row rows[] = {
      {"one is not published any more, and the pod runs",
       scene()
           .node("n1")
           .slice("n1", {"gpu-1"})
           .claim("c", exactly("gpu", 1), status_with("{device: gpu-0, pool: n1}"))
           .pod("p", kClaim, kOnNode, "phase: Running"),
       "DeviceGone(run gpu.example.com)"},
      {"an incomplete pool may have it",
       scene()
           .node("n1")
           .slice({.name = "s",
                   .pool = "n1",
                   .count = 2,
                   .where = "nodeName: n1",
                   .devices = "{name: gpu-1}"})
           .claim("c", exactly("gpu", 1), status_with("{device: gpu-0, pool: n1}"))
           .pod("p", kClaim, kOnNode, kPending),
       ""},
      {"slices that cannot be read may have it",
       scene()
           .node("n1")
           .claim("c", exactly("gpu", 1), status_with("{device: gpu-0, pool: n1}"))
           .pod("p", kClaim, kOnNode, kPending)
           .cannot_read(api::Kind::Slice),
       ""},
      {"one is not ready, and the pod has not started",
       well(status_of + kReserved).pod("p", kClaim, kOnNode, kPending),
       "PrepareFailed(prepare gpu.example.com)", "device gpu-0 is not ready: Lost"},
      {"one is not ready any more",
       well(status_of + kReserved).pod("p", kClaim, kOnNode, "phase: Running"),
       "DeviceUnhealthy(run gpu.example.com)"},
      {"one is ill, the kubelet says",
       waiting("phase: Running, " + unwell + "Unhealthy, message: hot}]}]}]"),
       "DeviceUnhealthy(run)", "device gpu-0 is unhealthy: hot"},
      {"of one it is not known", waiting("phase: Running, " + unwell + "Unknown}]}]}]"), ""},
      {"one is tainted, and evicts",
       waiting("phase: Running")
           .taint_rule("rule", "deviceSelector: {driver: gpu.example.com}",
                       "key: bad, effect: NoExecute"),
       "DeviceUnhealthy(run gpu.example.com)",
       "device gpu-0 has taint bad:NoExecute: pods that have it are evicted"},
      {"a taint that only keeps others away",
       waiting("phase: Running")
           .taint_rule("rule", "deviceSelector: {driver: gpu.example.com}",
                       "key: bad, effect: NoSchedule"),
       ""},
  };
  for (const Row& row : rows)
    check(row);
}

TEST_CASE("conditions that the scheduler waits for") {
  const std::string waits =
      "{device: gpu-0, pool: n1, bindingConditions: [attached], bindingFailureConditions: "
      "[broken]}";
  const auto with = [&waits](const std::string& conditions) {
    const std::string devices =
        conditions.empty() ? ""
                           : "devices: [{driver: gpu.example.com, pool: n1, device: gpu-0, "
                             "conditions: [" +
                                 conditions + "]}], ";
    return scene()
        .node("n1")
        .slice("n1", {"gpu-0"})
        .claim("c", exactly("gpu", 1), status_with(waits, devices + kReserved));
  };
  const Row rows[] = {
      {"none is set yet", with("").pod("p", kClaim), "BindingPending(bind gpu.example.com)",
       "device gpu-0 waits for driver gpu.example.com to set attached"},
      {"it is false", with("{type: attached, status: 'False'}").pod("p", kClaim),
       "BindingPending(bind gpu.example.com)"},
      {"the driver has failed",
       with("{type: broken, status: 'True', reason: Cable}").pod("p", kClaim),
       "BindingLate(bind gpu.example.com)",
       "driver gpu.example.com could not attach device gpu-0: broken, Cable"},
      {"the scheduler has given up",
       with("").pod("p", kClaim).yaml(event("device binding timeout", "p", "FailedScheduling")),
       "BindingLate(bind gpu.example.com)",
       "driver gpu.example.com has not set attached of device gpu-0 in time"},
      {"it is set", with("{type: attached, status: 'True'}").pod("p", kClaim), ""},
      {"a pod that has its node waits no more", with("").pod("p", kClaim, kOnNode, kPending), ""},
      {"nobody waits where the feature is off",
       with("").pod("p", kClaim).gate("DRADeviceBindingConditions", false), ""},
  };
  for (const Row& row : rows)
    check(row);
}

TEST_CASE("what has to be mended first stands first") {
  const auto snapshot = scene()
                            .node("n1")
                            .slice("n1", {"gpu-1"})
                            .claim("c", exactly("gpu", 1), allocated("{device: gpu-0, pool: n1}"))
                            .pod("p", kClaim, kOnNode, kPending)
                            .taint_rule("rule", "deviceSelector: {driver: gpu.example.com}",
                                        "key: bad, effect: NoExecute")
                            .build();
  CHECK(to_line(findings_of(snapshot)) ==
        "NotReserved(prepare) DeviceGone(prepare gpu.example.com) DeviceUnhealthy(run "
        "gpu.example.com)");
}

TEST_CASE("a claim that is named stands for the pods that use it") {
  const auto findings = [](Scene scene) {
    const auto snapshot = scene.build();
    const Inventory inventory(snapshot);
    return to_line(
        after_scheduling(snapshot, inventory, subject_of_claims(snapshot, "default", {"c"}), {}));
  };
  CHECK(findings(waiting()).empty());
  const std::string waits = "{device: gpu-0, pool: n1, bindingConditions: [attached]}";
  const auto attached_for = [&](const char* node) {
    return findings(scene()
                        .node("n1")
                        .slice("n1", {"gpu-0"})
                        .claim("c", exactly("gpu", 1), status_with(waits))
                        .pod("p", kClaim, node, kPending));
  };
  CHECK(attached_for("") == "BindingPending(bind gpu.example.com)");
  CHECK_MESSAGE(attached_for(kOnNode).empty(), "the pod has its node");
  CHECK(findings(waiting().yaml(
            event("prepare dynamic resources: DRA driver gpu.example.com is not registered"))) ==
        "DriverNotRegistered(prepare gpu.example.com)");
}

}  // namespace
}  // namespace dra::engine::after_scheduling_test
