// tests/answers/explain/after_remedy_test.cpp: what to do about a finding after scheduling. About
// parameters that a driver does not take that depends on where the claim has them from.

#include "dra/answers/explain/after_remedy.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"
#include "tests/support/pod_claims.h"

namespace dra::answers::after_remedy_test {
namespace {

using support::exactly;
using support::kByName;
using support::kByTemplate;
using support::Scene;
using support::scene;

constexpr const char* kOfTemplate =
    "phase: Pending, resourceClaimStatuses: [{name: gpu, resourceClaimName: c}]";

// The claim c of the class `tuned`, whose parameters are of `sources`: "FromClass", "FromClaim".
Scene refused(std::initializer_list<std::string_view> sources, std::string_view owner = "") {
  const std::string opaque = "opaque: {driver: gpu.example.com, parameters: {a: b}}";
  std::vector<std::string> config;
  for (const std::string_view source : sources)
    config.push_back(base::format("{{source: {}, {}}}", source, opaque));
  Scene made = scene();
  made.node("n1").slice("n1", {"gpu-0"});
  made.yaml(
      "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: tuned}, spec: {config: "
      "[{" +
      opaque + "}]}}");
  made.yaml(base::format(
      "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: c, namespace: "
      "default{}}}, spec: {{devices: {{requests: [{}]}}}}, status: {{reservedFor: [{{resource: "
      "pods, name: p, uid: p}}], allocation: {{devices: {{results: [{{request: tuned, driver: "
      "gpu.example.com, pool: n1, device: gpu-0}}], config: [{}]}}}}}}}}",
      owner, exactly("tuned", 1), base::join(config, ", ")));
  return made.yaml(
      "{apiVersion: v1, kind: Event, metadata: {name: p.1, namespace: default}, type: Warning, "
      "reason: FailedPrepareDynamicResources, message: 'prepare dynamic resources: "
      "NodePrepareResources failed for ResourceClaim c: strict decoding error', involvedObject: "
      "{kind: Pod, namespace: default, name: p, uid: p}, lastTimestamp: '2026-11-20T08:00:00Z'}");
}

// Of the only finding about the pod p.
diag::Remedy remedy_for(const Scene& scene) {
  const auto snapshot = scene.build();
  const engine::Inventory inventory(snapshot);
  const engine::Subject subject =
      engine::subject_of_pod(snapshot, *snapshot.find<api::Pod>("default", "p"));
  const auto findings = engine::after_scheduling(snapshot, inventory, subject, {});
  REQUIRE(findings.size() == 1);
  return remedy_of(findings.front());
}

TEST_CASE("parameters are corrected where they come from, and what keeps them is made anew") {
  const std::string by_hand =
      " Pod p has no controller: save its manifest first, and create it again. Until then every "
      "node refuses the claim, however often the kubelet tries. If the driver names something that "
      "is switched off in it, switching that on is enough.";
  const std::string owner =
      ", ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: p, controller: true}]";
  const auto of_claim = [](Scene scene) {
    return remedy_for(scene.pod("p", kByName, "nodeName: n1", "phase: Pending")).text;
  };
  CHECK(of_claim(refused({"FromClaim"})) ==
        "A claim keeps its parameters: delete pod p and claim c, then re-create the claim with "
        "corrected parameters." +
            by_hand);
  CHECK(of_claim(refused({"FromClass", "FromClaim"})) ==
        "A claim keeps its parameters: delete pod p and claim c, then re-create the claim with "
        "corrected parameters (spec.config of class tuned has some, too)." +
            by_hand);
  CHECK(of_claim(refused({"FromClass"})) ==
        "Correct spec.config of class tuned, then delete pod p: till then the claim keeps its "
        "parameters." +
            by_hand);
  CHECK(remedy_for(refused({"FromClaim"}, owner).pod("p", kByTemplate, "nodeName: n1", kOfTemplate))
            .text ==
        "Re-create template t with correct parameters, then delete pod p: a claim keeps its "
        "parameters." +
            by_hand);
}

// A pod on the node n1, whose device is published there.
Scene waiting(std::string_view status) {
  return scene()
      .node("n1")
      .slice("n1", {"gpu-0"})
      .claim("c", exactly("gpu", 1),
             base::format("{}, reservedFor: [{{resource: pods, name: p, uid: p}}]",
                          support::allocated("{device: gpu-0, pool: n1}")))
      .pod("p", kByName, "nodeName: n1", status);
}

// The allocator does not know that the device is ill.
TEST_CASE("of an ill device it is said how not to get it back") {
  const auto remedy = [](bool rules) {
    return remedy_for(waiting("phase: Running, containerStatuses: [{name: main, "
                              "allocatedResourcesStatus: [{name: 'claim:gpu', resources: "
                              "[{resourceID: gpu-0, health: Unhealthy}]}]}]")
                          .gate("DRADeviceTaintRules", rules));
  };
  CHECK(remedy(true).text.find("DeviceTaintRule") != std::string::npos);
  CHECK(remedy(false).text ==
        "The driver reports it. A new pod may get the same device: first cordon the node, then "
        "delete "
        "pod p. Pod p has no controller: save its manifest first, and create it again.");
  CHECK(remedy(false).command == "kubectl cordon n1");
}

std::string plugin_on(std::string_view node, std::string_view container) {
  return base::format(
      "{{apiVersion: v1, kind: Pod, metadata: {{name: dra-example-driver-x7, namespace: drivers, "
      "ownerReferences: [{{kind: DaemonSet, name: dra-example-driver, uid: d, controller: "
      "true}}]}}, "
      "spec: {{nodeName: {}}}, status: {{phase: Running, containerStatuses: [{}]}}}}",
      node, container);
}

TEST_CASE("the driver's pods say where to look") {
  const auto command = [](const std::string& plugin) {
    Scene scene = waiting("phase: Pending")
                      .yaml(
                          "{apiVersion: v1, kind: Event, metadata: {name: p.1, namespace: "
                          "default}, type: Warning, reason: FailedPrepareDynamicResources, "
                          "message: 'prepare dynamic resources: DRA driver gpu.example.com is "
                          "not registered', involvedObject: {kind: Pod, namespace: default, "
                          "name: p, uid: p}, lastTimestamp: '2026-11-20T08:00:00Z'}");
    if (!plugin.empty()) scene.yaml(plugin);
    return remedy_for(scene).command;
  };
  CHECK(command("") == "kubectl get pods -A -o wide --field-selector spec.nodeName=n1");
  CHECK(command(plugin_on("n2", "")) == "kubectl describe daemonset dra-example-driver -n drivers");
  CHECK(command(plugin_on("n1", "")) ==
        "kubectl logs dra-example-driver-x7 -n drivers --all-containers --tail=50");
  CHECK(command(plugin_on("n1",
                          "{name: a, restartCount: 4, state: {waiting: {reason: "
                          "CrashLoopBackOff}}}")) ==
        "kubectl logs dra-example-driver-x7 -n drivers -c a --previous");
}

TEST_CASE("a sentence ends with a full stop") {
  for (int action = 0; action <= static_cast<int>(engine::Action::RepairHostOfClaim); ++action) {
    CAPTURE(action);
    const engine::AfterFinding found{
        .finding = {.code = diag::Code::PrepareFailed},
        .repair = {.action = static_cast<engine::Action>(action), .pods = {"p"}, .devices = {"d"}}};
    CHECK(remedy_of(found).text.ends_with('.'));
  }
}

// What was refused once is refused again, unless what the kubelet names has changed.
TEST_CASE("a pod that the kubelet refused") {
  const auto refused_for = [](const char* reason) {
    return remedy_for(
               scene()
                   .node("n1")
                   .claim("c", exactly("gpu", 1))
                   .pod("p", kByName, "nodeName: n1",
                        base::format("phase: Failed, reason: {}, message: 'Pod was rejected: m'",
                                     reason)))
        .text;
  };
  constexpr const char* then =
      ". The kubelet does not try pod p again: delete it then. Pod p has no controller: the "
      "command "
      "saves it first, and `kubectl create -f p.json` makes it again.";
  CHECK(refused_for("NodePorts") ==
        std::string("Another pod on the node has the port: use another one, or another node") +
            then);
  CHECK(refused_for("OutOfexample.com/nic").starts_with("The node has too little of what"));
  CHECK(refused_for("TopologyAffinityError").find("not at devices of DRA") != std::string::npos);
  CHECK(refused_for("UnexpectedAdmissionError") ==
        std::string("Repair what the message names: it is not about claims") + then);
}

}  // namespace
}  // namespace dra::answers::after_remedy_test
