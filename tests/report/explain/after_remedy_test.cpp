// tests/engine/running/after_scheduling_kubelet_test.cpp: what to do about parameters that a driver
// does not take: that depends on where the claim has them from.

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "dra/engine/running/after_scheduling.h"
#include "tests/support/builders.h"

namespace dra::engine {
namespace {

using support::exactly;
using support::Scene;
using support::scene;

constexpr const char* kByName = "{name: gpu, resourceClaimName: c}";
constexpr const char* kByTemplate = "{name: gpu, resourceClaimTemplateName: t}";
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

std::string remedy_of(const Scene& scene) {
  const auto snapshot = scene.build();
  const Inventory inventory(snapshot);
  const Subject subject = subject_of_pod(snapshot, *snapshot.find<api::Pod>("default", "p"));
  const auto findings = after_scheduling(snapshot, inventory, subject, {});
  return findings.size() == 1 ? findings.front().remedy : "";
}

TEST_CASE("parameters are corrected where they come from, and what keeps them is made anew") {
  const std::string by_hand = " Pod p has no controller: create it again by hand.";
  const std::string owner =
      ", ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: p, controller: true}]";
  const auto of_claim = [](Scene scene) {
    return remedy_of(scene.pod("p", kByName, "nodeName: n1", "phase: Pending"));
  };
  CHECK(of_claim(refused({"FromClaim"})) ==
        "A claim keeps its parameters: delete pod p and claim c, then create the claim anew with "
        "corrected parameters." +
            by_hand);
  CHECK(of_claim(refused({"FromClass", "FromClaim"})) ==
        "A claim keeps its parameters: delete pod p and claim c, then create the claim anew with "
        "corrected parameters (spec.config of class tuned has some, too)." +
            by_hand);
  CHECK(of_claim(refused({"FromClass"})) ==
        "Correct spec.config of class tuned, then delete pod p: till then the claim keeps its "
        "parameters." +
            by_hand);
  CHECK(
      remedy_of(refused({"FromClaim"}, owner).pod("p", kByTemplate, "nodeName: n1", kOfTemplate)) ==
      "Correct template t, then delete pod p: a claim keeps its parameters." + by_hand);
}

}  // namespace
}  // namespace dra::engine
