// tests/engine/whatif/advice_other_pods_test.cpp: advice where other pods decide which nodes a pod
// can use. It is tried on a part of the cluster, which does not have all of them.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/engine/whatif/advice.h"
#include "tests/support/builders.h"
#include "tests/support/changes.h"

namespace dra::engine::advice_other_pods_test {
namespace {

using support::exactly;
using support::Scene;
using support::scene;

// Nodes n1 and n2 in zones a and b, with a GPU each.
Scene two_zones() {
  Scene made = scene();
  for (const char* words : {"n1 a", "n2 b"}) {
    const std::string_view name = std::string_view(words).substr(0, 2);
    made.node(name, base::format("zone: {}, kubernetes.io/hostname: {}",
                                 std::string_view(words).substr(3), name));
    made.slice(name, {"gpu-0"});
  }
  return made;
}

Scene& with_pod(Scene& made, std::string_view name, std::string_view label, std::string_view spec) {
  return made.yaml(
      base::format("{{apiVersion: v1, kind: Pod, metadata: {{name: {}, namespace: "
                   "default, uid: {}, labels: {{app: {}}}}}, spec: {{{}}}}}",
                   name, name, label, spec));
}

std::string waiting(std::string_view kind, std::string_view key, std::string_view label) {
  return base::format(
      "resourceClaims: [{{name: c, resourceClaimName: c}}], affinity: {{{}: "
      "{{requiredDuringSchedulingIgnoredDuringExecution: [{{topologyKey: {}, labelSelector: "
      "{{matchLabels: {{app: {}}}}}}}]}}}}",
      kind, key, label);
}

// Pods o1 and o2 with app=web are on n1 and n2.
Scene where_web_runs() {
  Scene made = two_zones();
  with_pod(made, "o1", "web", "nodeName: n1");
  with_pod(made, "o2", "web", "nodeName: n2");
  return made.claim("c", exactly("gpu", 1));
}

std::string advice_in(Scene made, const std::string& spec) {
  const snapshot::Snapshot snapshot = with_pod(made, "p", "p", spec).build();
  const Simulator simulator(snapshot);
  const Wanted wanted{.namespace_ = "default", .pod = "p", .claims = {}};
  const auto found = advice_for(simulator, wanted, support::stand_everywhere(simulator, wanted));
  std::vector<std::string> words;
  for (const Advice& advice : found.advice)
    words.push_back(support::words(advice));
  return base::join(words, "; ");
}

TEST_CASE("a new node helps where pods on single nodes are in the way") {
  CHECK(advice_in(where_web_runs(), waiting("podAntiAffinity", "kubernetes.io/hostname", "web")) ==
        "node like n1 (1); node like n2 (1)");
}

TEST_CASE("a new node is in the zone of the one that it is like") {
  CHECK(advice_in(where_web_runs(), waiting("podAntiAffinity", "zone", "web")) == "");
  CHECK(advice_in(where_web_runs(), waiting("podAffinity", "zone", "db")) == "");
}

TEST_CASE("fewer devices help only where the pod can go") {
  Scene made = two_zones();
  with_pod(made, "o1", "db", "nodeName: n1");
  made.claim("c", exactly("gpu", 2));
  CHECK(advice_in(made, waiting("podAffinity", "zone", "db")) == "count gpu=1 (1)");
}

TEST_CASE("the pod that holds the device is the one to avoid") {
  Scene made = scene();
  made.node("n1", "kubernetes.io/hostname: n1").slice("n1", {"gpu-0"}).held("n1", "gpu-0");
  with_pod(made, "user", "x",
           "nodeName: n1, resourceClaims: [{name: c, resourceClaimName: n1-gpu-0}]");
  made.claim("c", exactly("gpu", 1));
  const std::string got =
      advice_in(made, waiting("podAntiAffinity", "kubernetes.io/hostname", "x"));
  CHECK_MESSAGE(got.find("of default/user (1)") != std::string::npos, got);
}

}  // namespace
}  // namespace dra::engine::advice_other_pods_test
