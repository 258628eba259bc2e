// tests/engine/scheduler/topology_spread_test.cpp: constraints that exclude nodes, as NodeFilters
// tells them.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/engine/scheduler/node_filters.h"
#include "tests/support/builders.h"
#include "tests/support/node_filters.h"

namespace dra::engine::topology_spread_test {
namespace {

using support::Scene;
using support::scene;

// Nodes a1 and a2 in zone a, b1 in zone b, c1 in zone c and tainted, and bare without a zone. Pods
// with app=web: two on a1, one on b1; one more on a2 has app=db.
Scene cluster() {
  Scene built = scene();
  for (const char* name : {"a1", "a2", "b1", "c1"}) {
    built.yaml(base::format(
        "{{apiVersion: v1, kind: Node, metadata: {{name: {}, labels: {{kubernetes.io/hostname: {}, "
        "topology.kubernetes.io/zone: {}, disk: d{}}}}}, spec: {{taints: [{}]}}, status: "
        "{{allocatable: {{pods: 99}}}}}}",
        name, name, std::string_view(name).substr(0, 1), std::string_view(name).substr(1),
        name == std::string_view("c1") ? "{key: busy, effect: NoSchedule}" : ""));
  }
  built.yaml(
      "{apiVersion: v1, kind: Node, metadata: {name: bare}, status: {allocatable: {pods: 9}}}");
  int number = 0;
  for (const char* pod : {"a1 web", "a1 web", "b1 web", "a2 db"}) {
    const std::string_view words = pod;
    built.yaml(
        base::format("{{apiVersion: v1, kind: Pod, metadata: {{name: o{}, namespace: "
                     "default, labels: {{app: {}}}}}, spec: {{nodeName: {}}}}}",
                     ++number, words.substr(3), words.substr(0, 2)));
  }
  return built;
}

// What the constraints have against each node; then what is not simulated.
std::string against_all(const Scene& built) {
  return support::against_all(built, [](const diag::Reason& reason) {
    return reason.code == diag::Code::TopologySpread ? reason.message : std::string();
  });
}

struct Case {
  const char* name;
  const char* constraint;  // besides whenUnsatisfiable
  const char* want;
};

const char* const kNoZone =
    "bare: the node has no label topology.kubernetes.io/zone, by which the pod is spread";

const Case kCases[] = {
    {"the emptiest zone is tainted, and counts",
     "maxSkew: 1, topologyKey: topology.kubernetes.io/zone, labelSelector: {matchLabels: {app: "
     "web}}",
     "a1: zone a has 2 pods that match app=web, and maxSkew 1 allows no more: zone c has 0 "
     "(topology spread)\n"
     "a2: zone a has 2 pods that match app=web, and maxSkew 1 allows no more: zone c has 0 "
     "(topology spread)\n"
     "b1: zone b has 1 pod that matches app=web, and maxSkew 1 allows no more: zone c has 0 "
     "(topology spread)\n"},
    {"unless the constraint honors taints",
     "maxSkew: 1, topologyKey: topology.kubernetes.io/zone, nodeTaintsPolicy: Honor, "
     "labelSelector: {matchLabels: {app: web}}",
     "a1: zone a has 2 pods that match app=web, and maxSkew 1 allows no more: zone b has 1 "
     "(topology spread)\n"
     "a2: zone a has 2 pods that match app=web, and maxSkew 1 allows no more: zone b has 1 "
     "(topology spread)\n"},
    {"a larger skew",
     "maxSkew: 3, topologyKey: topology.kubernetes.io/zone, labelSelector: {matchLabels: {app: "
     "web}}",
     ""},
    {"too few zones count as one without pods",
     "maxSkew: 1, minDomains: 5, topologyKey: topology.kubernetes.io/zone, nodeTaintsPolicy: "
     "Honor, labelSelector: {matchExpressions: [{key: app, operator: Exists}]}",
     "a1: zone a has 3 pods that match app, and maxSkew 1 allows no more: the pod can use 2 "
     "domains of at least 5 (minDomains) (topology spread)\n"
     "a2: zone a has 3 pods that match app, and maxSkew 1 allows no more: the pod can use 2 "
     "domains of at least 5 (minDomains) (topology spread)\n"
     "b1: zone b has 1 pod that matches app, and maxSkew 1 allows no more: the pod can use 2 "
     "domains of at least 5 (minDomains) (topology spread)\n"},
    {"an empty selector counts the pod alone",
     "maxSkew: 1, topologyKey: topology.kubernetes.io/zone, labelSelector: {}", ""},
    {"no selector counts none", "maxSkew: 1, topologyKey: topology.kubernetes.io/zone", ""},
    {"pods with the label's value of the pod itself",
     "maxSkew: 1, topologyKey: topology.kubernetes.io/zone, nodeTaintsPolicy: Honor, "
     "labelSelector: {}, matchLabelKeys: [app]",
     "a1: zone a has 2 pods, and maxSkew 1 allows no more: zone b has 1 (topology spread)\n"
     "a2: zone a has 2 pods, and maxSkew 1 allows no more: zone b has 1 (topology spread)\n"},
};

std::string asking(std::string_view constraint, std::string_view more = "") {
  return base::format(
      "{{apiVersion: v1, kind: Pod, metadata: {{name: p, namespace: default, labels: {{app: "
      "web}}}}, spec: {{topologySpreadConstraints: [{{whenUnsatisfiable: DoNotSchedule, "
      "{}}}]{}}}}}",
      constraint, more);
}

TEST_CASE("pods are spread over domains") {
  for (const Case& row : kCases) {
    CAPTURE(row.name);
    CHECK(against_all(cluster().yaml(asking(row.constraint))) == std::string(row.want) + kNoZone);
  }
}

constexpr const char* kByHost =
    "maxSkew: 1, topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}";

TEST_CASE("nodes that the pod does not select do not count") {
  CHECK(against_all(cluster().yaml(asking(kByHost, ", nodeSelector: {disk: d1}"))) ==
        "a1: the node has 2 pods that match app=web, and maxSkew 1 allows no more: node c1 has 0 "
        "(topology spread)\n"
        "b1: the node has 1 pod that matches app=web, and maxSkew 1 allows no more: node c1 has 0 "
        "(topology spread)\n"
        "bare: the node has no label kubernetes.io/hostname, by which the pod is spread");
  CHECK(against_all(cluster().yaml(asking(base::format("{}, nodeAffinityPolicy: Ignore", kByHost),
                                          ", nodeSelector: {disk: d2}"))) ==
        "a1: the node has 2 pods that match app=web, and maxSkew 1 allows no more: node a2 has 0 "
        "(topology spread)\n"
        "b1: the node has 1 pod that matches app=web, and maxSkew 1 allows no more: node a2 has 0 "
        "(topology spread)\n"
        "bare: the node has no label kubernetes.io/hostname, by which the pod is spread");
}

TEST_CASE("what could not be read leaves the answer open") {
  CHECK(against_all(cluster().yaml(asking(kByHost)).cannot_read(api::Kind::Pod)) ==
        "bare: the node has no label kubernetes.io/hostname, by which the pod is spread\n"
        "open: what other pods request (pods cannot be read)\n"
        "open: topology spread constraints (pods cannot be read)");
  CHECK(
      against_all(cluster().yaml(asking(
          "maxSkew: 1, topologyKey: disk, labelSelector: {matchExpressions: [{key: app, operator: "
          "Like}]}"))) ==
      "bare: the node has no label disk, by which the pod is spread\n"
      "open: topology spread constraints (a selector cannot be read)");
}

TEST_CASE("a constraint that only ranks nodes excludes none") {
  CHECK(
      against_all(cluster().yaml(
          "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default, labels: {app: "
          "web}}, spec: {topologySpreadConstraints: [{whenUnsatisfiable: ScheduleAnyway, maxSkew: "
          "1, topologyKey: kubernetes.io/hostname, labelSelector: {}}]}}")) == "");
}

}  // namespace
}  // namespace dra::engine::topology_spread_test
