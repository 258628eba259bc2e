// tests/engine/whatif/advice_holders_test.cpp: what may be freed depends on who really holds it.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/engine/whatif/advice.h"
#include "tests/support/builders.h"
#include "tests/support/changes.h"

namespace dra::engine::advice_holders_test {
namespace {

using support::exactly;
using support::Scene;
using support::scene;

// The only device is held by claim `old`, which has `meta` and is reserved for `consumers`.
Scene held_by(const std::string& meta, const std::string& consumers) {
  return scene()
      .node("n1")
      .slice("n1", {"gpu-0"})
      .yaml(
          "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: old, namespace: "
          "default, finalizers: [resource.kubernetes.io/delete-protection]" +
          meta + "}, spec: {devices: {requests: [" + exactly("gpu", 1) + "]}}, status: {" +
          support::allocated("{device: gpu-0, pool: n1}", support::on_node("n1")) +
          ", reservedFor: [" + consumers + "]}}")
      .claim("c", exactly("gpu", 1));
}

bool frees(Scene& words) {
  const auto snapshot = words.build();
  const Wanted wanted{.namespace_ = "default", .pod = {}, .claims = {"c"}};
  const Simulator simulator(snapshot);
  const auto nodes = support::stand_everywhere(simulator, wanted);
  const AdviceFound found = advice_for(simulator, wanted, nodes);
  for (const Advice& advice : found.advice) {
    if (means_of(advice.changes.front()) == Means::Release) return true;
  }
  return false;
}

TEST_CASE("only a release that changes something is advice") {
  constexpr const char* pod = "{resource: pods, name: user, uid: user}";
  constexpr const char* earlier = "{resource: pods, name: user, uid: before}";
  constexpr const char* deleted = ", deletionTimestamp: '2026-11-20T09:00:00Z'";
  struct Case {
    const char* name;
    std::string meta;
    std::string consumers;
    bool want;
  };
  const Case rows[] = {
      {"a pod uses it", "", pod, true},
      {"no pod uses it", "", "", true},
      {"no pod uses it, and it is being deleted", deleted, "", false},
      {"a pod uses it that is being waited for", deleted, pod, true},
      {"an earlier pod of that name", "", earlier, false},
      {"both", "", std::string(earlier) + ", " + pod, true},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    Scene words = held_by(row.meta, row.consumers);
    words.pod("user", "{name: a, resourceClaimName: old}", "nodeName: n1", "phase: Running");
    CHECK(frees(words) == row.want);
  }
}

}  // namespace
}  // namespace dra::engine::advice_holders_test
