// tests/engine/running/lost_claim_names_test.cpp

#include <doctest/doctest.h>

#include "dra/base/text.h"
#include "dra/engine/running/after_scheduling.h"
#include "tests/support/builders.h"

namespace dra::engine::lost_claim_names_test {
namespace {

using support::allocated;
using support::Scene;
using support::scene;

// The claim of pod p, on a node whose kubelet has that version.
Scene with_claim(std::string_view kubelet, std::string_view owner = "p") {
  return scene()
      .yaml(base::format("{{apiVersion: v1, kind: Node, metadata: {{name: n1}}, status: "
                         "{{nodeInfo: {{kubeletVersion: {}}}}}}}",
                         kubelet))
      .slice("n1", {"gpu-0"})
      .yaml(base::format(
          "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: p-a-x, "
          "namespace: default, annotations: {{resource.kubernetes.io/pod-claim-name: a}}, "
          "ownerReferences: [{{kind: Pod, name: p, uid: {}, controller: true}}]}}, status: {{{}, "
          "reservedFor: [{{resource: pods, name: p, uid: p}}]}}}}",
          owner, allocated("{device: gpu-0, pool: n1}")));
}

std::string pod(std::string_view meta, std::string_view status) {
  return base::format(
      "{{apiVersion: v1, kind: Pod, metadata: {{name: p, namespace: default, uid: p{}}}, spec: "
      "{{nodeName: n1, resourceClaims: [{{name: a, resourceClaimTemplateName: t}}]}}, status: "
      "{{{}}}}}",
      meta, status);
}

constexpr const char* kDeleted = ", deletionTimestamp: '2026-06-01T08:00:00Z'";
constexpr const char* kEnded =
    "phase: Running, containerStatuses: [{name: m, state: {terminated: {exitCode: 0}}}]";

// The action of the first finding about names; no value: there is none.
std::optional<Action> action_for(Scene scene) {
  const snapshot::Snapshot snapshot = scene.build();
  const Inventory inventory(snapshot);
  const Subject subject = subject_of_pod(snapshot, *snapshot.find<api::Pod>("default", "p"));
  for (const AfterFinding& found : after_scheduling(snapshot, inventory, subject, {})) {
    if (found.what == "lost claim names") return found.repair.action;
  }
  return std::nullopt;
}

TEST_CASE("a claim of the pod that its status does not name") {
  CHECK(action_for(with_claim("v1.36.1").yaml(pod(kDeleted, kEnded))) == Action::RestoreClaimNames);
  CHECK(action_for(with_claim("v1.36.1").yaml(pod("", "phase: Pending"))) ==
        Action::AwaitClaimNames);
  // From v1.37 on the kubelet does not need the name to take the devices back.
  CHECK(!action_for(with_claim("v1.37.0").yaml(pod(kDeleted, kEnded))));
  // A pod that runs needs it only at its end.
  CHECK(!action_for(with_claim("v1.36.1").yaml(pod("", "phase: Running"))));
  // A claim of an older pod of the same name.
  CHECK(!action_for(with_claim("v1.36.1", "older").yaml(pod(kDeleted, kEnded))));
  CHECK(!action_for(with_claim("v1.36.1").yaml(
      pod(kDeleted, base::format("{}, resourceClaimStatuses: [{{name: a, resourceClaimName: "
                                 "p-a-x}}]",
                                 kEnded)))));
}

}  // namespace
}  // namespace dra::engine::lost_claim_names_test
