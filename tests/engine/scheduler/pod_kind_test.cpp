// tests/engine/scheduler/pod_kind_test.cpp: pods of one kind ask for the same, and no others.

#include "dra/engine/scheduler/pod_kind.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::pod_kind_test {
namespace {

struct Asked {
  std::string requests = "{name: gpu, exactly: {deviceClassName: gpu, count: 1}}";
  std::string more = {};  // of the claim's devices
  std::string spec = "nodeSelector: {a: b}, containers: [{name: c}]";
};

bool are_alike(const Asked& a, const Asked& b, bool alone = false) {
  support::Scene words = support::scene().node("n1");
  const auto add = [&words](std::string_view name, const Asked& asked) {
    words.yaml(base::format(
        "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: c-{}, namespace: "
        "default}}, spec: {{devices: {{requests: [{}]{}}}}}}}",
        name, asked.requests, asked.more));
    words.pod(name, base::format("{{name: gpu, resourceClaimName: c-{}}}", name), asked.spec);
  };
  add("a", a);
  add("b", b);
  const snapshot::Snapshot snapshot = words.build();
  const NodeLoads loads(snapshot);
  const auto kind = [&](const char* name) {
    const Subject subject = subject_of_pod(snapshot, *snapshot.find<api::Pod>("default", name));
    return pod_kind(snapshot, loads, subject, alone);
  };
  return kind("a") == kind("b");
}

TEST_CASE("names make no difference, and all that filters and the allocator read does") {
  const Asked usual;
  CHECK(are_alike(usual, usual));
  CHECK(!are_alike(usual, usual, true));
  const auto demand = [](std::string_view more) {
    return Asked{.requests = base::format(
                     "{{name: gpu, exactly: {{deviceClassName: gpu, count: 1, {}}}}}", more)};
  };
  for (const char* other : {"selectors: [{cel: {expression: 'true'}}]", "adminAccess: true",
                            "tolerations: [{key: k, operator: Exists}]",
                            "capacity: {requests: {memory: 1Gi}}", "allocationMode: All"}) {
    CAPTURE(other);
    CHECK(!are_alike(usual, demand(other)));
    CHECK(are_alike(demand(other), demand(other)));
  }
  for (const char* other :
       {"{name: nic, exactly: {deviceClassName: gpu, count: 1}}",
        "{name: gpu, exactly: {deviceClassName: nic, count: 1}}",
        "{name: gpu, exactly: {deviceClassName: gpu, count: 2}}",
        "{name: gpu, firstAvailable: [{name: a, deviceClassName: gpu, count: 1}]}",
        "{name: gpu, exactly: {deviceClassName: gpu, count: 1}}, {name: b, exactly: "
        "{deviceClassName: gpu}}"}) {
    CAPTURE(other);
    CHECK(!are_alike(usual, {.requests = other}));
  }
  CHECK(!are_alike(usual, {.more = ", constraints: [{matchAttribute: x/y}]"}));
  for (const char* other :
       {"nodeSelector: {a: c}, containers: [{name: c}]", "containers: [{name: c}]",
        "nodeSelector: {a: b}, containers: [{name: c, resources: {requests: {cpu: '1'}}}]",
        "nodeSelector: {a: b}, containers: [{name: c, ports: [{containerPort: 1, hostPort: 1}]}]",
        "nodeSelector: {a: b}, containers: [{name: c}], overhead: {cpu: '1'}",
        "nodeSelector: {a: b}, containers: [{name: c}], tolerations: [{operator: Exists}]",
        "nodeSelector: {a: b}, containers: [{name: c}], schedulerName: other",
        "nodeSelector: {a: b}, containers: [{name: c}], schedulingGates: [{name: x}]",
        "nodeSelector: {a: b}, containers: [{name: c}], volumes: [{name: v, "
        "persistentVolumeClaim: {claimName: x}}]",
        "nodeSelector: {a: b}, containers: [{name: c}], affinity: {nodeAffinity: "
        "{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: "
        "[{key: a, operator: Exists}]}]}}}"}) {
    CAPTURE(other);
    CHECK(!are_alike(usual, {.spec = other}));
  }
}

}  // namespace
}  // namespace dra::engine::pod_kind_test
