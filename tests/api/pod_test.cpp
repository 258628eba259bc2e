// tests/api/pod_test.cpp

#include "dra/api/pod.h"

#include <doctest/doctest.h>

#include "tests/support/builders.h"

namespace dra::api {
namespace {

using support::scene;

TEST_CASE("a pod's claims, where containers use them, and what became of them") {
  const auto snapshot =
      scene()
          .pod("p", "{name: a, resourceClaimName: x}, {name: b, resourceClaimTemplateName: t}",
               "schedulerName: other, schedulingGates: [{name: g}], nodeName: n1, initContainers: "
               "[{name: i, resources: {claims: [{name: a, request: r}]}}], containers: [{name: c, "
               "resources: {claims: [{name: b}]}}]",
               "phase: Pending, resourceClaimStatuses: [{name: b, resourceClaimName: p-b-1}, "
               "{name: c}], "
               "extendedResourceClaimStatus: {resourceClaimName: p-extended}")
          .build();
  const Pod& pod = snapshot.all<Pod>().front();
  CHECK(pod.spec.claims[0].claim_name == "x");
  CHECK(pod.spec.claims[1].template_name == "t");
  CHECK(pod.spec.scheduler_name == "other");
  CHECK(pod.spec.gates.front().name == "g");
  CHECK(pod.spec.node_name == "n1");
  CHECK(pod.spec.init_containers.front().resources.claims.front().request == "r");
  CHECK(pod.spec.containers.front().resources.claims.front().name == "b");
  CHECK(pod.status.claims[0].claim_name == "p-b-1");
  CHECK_FALSE(pod.status.claims[1].claim_name);
  CHECK(pod.status.extended_resource_claim->claim_name == "p-extended");
}

struct PhaseCase {
  const char* name;
  const char* phase;
  bool finished;
};

const PhaseCase kPhases[] = {
    {"a pod that succeeded is done", "Succeeded", true},
    {"a pod that failed is done", "Failed", true},
    {"a running pod is not", "Running", false},
    {"a pod nobody heard of is not", "Unknown", false},
    {"a new pod is not", "", false},
};

TEST_CASE("finished pods") {
  for (const PhaseCase& row : kPhases) {
    CAPTURE(row.name);
    Pod pod;
    pod.status.phase = row.phase;
    CHECK(pod.finished() == row.finished);
  }
}

}  // namespace
}  // namespace dra::api
