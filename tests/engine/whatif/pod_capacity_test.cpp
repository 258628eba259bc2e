// tests/engine/whatif/pod_capacity_test.cpp: how many more pods of a template fit, and where.

#include "dra/engine/whatif/pod_capacity.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::pod_capacity_test {
namespace {

using support::allocated;
using support::exactly;
using support::Scene;
using support::scene;

std::string claim_template(std::string_view demand) {
  return base::format(
      "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {{name: t}}, spec: "
      "{{spec: {{devices: {{requests: [{{name: gpu, exactly: {{deviceClassName: gpu, "
      "{}}}}}]}}}}}}}}",
      demand);
}

std::string deployment(std::string_view claims, std::string_view more = "") {
  return base::format(
      "{{apiVersion: apps/v1, kind: Deployment, metadata: {{name: d}}, spec: {{template: {{spec: "
      "{{containers: [{{name: c}}], resourceClaims: [{}] {}}}}}}}}}",
      claims, more);
}

constexpr const char* kOwn = "{name: own, resourceClaimTemplateName: t}";

// "3: n1 2, n2 1", with what is said of the count.
std::string fit_of(const Scene& words, const PodCapacityBudget& budget = {}) {
  const snapshot::Snapshot snapshot = words.build();
  const auto pods = snapshot.all<api::Pod>().size();
  const auto claims = snapshot.all<api::ResourceClaim>().size();
  const api::Workload& workload = snapshot.all<api::Workload>().front();
  const auto fit = pod_capacity(snapshot, workload, api::roles_of(workload).front(), budget);
  CHECK(snapshot.all<api::Pod>().size() == pods);
  CHECK(snapshot.all<api::ResourceClaim>().size() == claims);
  for (const api::ResourceClaim& claim : snapshot.all<api::ResourceClaim>())
    CHECK((claim.meta.name != "shared" || !claim.allocated()));
  if (!fit.known) return "unknown: " + fit.unknown_because;
  std::vector<std::string> nodes;
  for (const auto& [node, count] : fit.nodes)
    nodes.push_back(base::format("{} {}", node, count));
  return base::format("{}{}: {}", fit.fit, fit.complete ? "" : "+", base::join(nodes, ", "));
}

Scene two_nodes() {
  return scene()
      .node("n1")
      .node("n2")
      .slice("n1", {"gpu-0", "gpu-1", "gpu-2"})
      .slice("n2", {"gpu-0"});
}

// Three devices in zone a on two nodes, one in zone b.
Scene zones() {
  return scene()
      .node("a1", "zone: a")
      .node("a2", "zone: a")
      .node("b1", "zone: b")
      .slice("a1", {"gpu-0", "gpu-1"})
      .slice("a2", {"gpu-0"})
      .slice("b1", {"gpu-0"});
}

// A deployment of pods with the label app=d.
std::string labelled(std::string_view more) {
  return base::format(
      "{{apiVersion: apps/v1, kind: Deployment, metadata: {{name: d}}, spec: {{template: "
      "{{metadata: {{labels: {{app: d}}}}, spec: {{containers: [{{name: c}}], resourceClaims: "
      "[{{name: own, resourceClaimTemplateName: t}}], {}}}}}}}}}",
      more);
}

constexpr const char* kLike = "topologyKey: zone, labelSelector: {matchLabels: {app: d}}";

std::string apart() {
  return base::format(
      "affinity: {{podAntiAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: [{{{}}}]}}}}",
      kLike);
}
std::string near() {
  return base::format(
      "affinity: {{podAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: [{{{}}}]}}}}",
      kLike);
}
std::string spread() {
  return base::format(
      "topologySpreadConstraints: [{{maxSkew: 1, whenUnsatisfiable: DoNotSchedule, {}}}]", kLike);
}

struct Case {
  const char* name;
  Scene scene;
  const char* want;
};

TEST_CASE("as many as there are devices for") {
  const Case rows[] = {
      {"each takes one", two_nodes().yaml(claim_template("count: 1")).yaml(deployment(kOwn)),
       "4: n1 3, n2 1"},
      {"each takes two of one node",
       two_nodes().yaml(claim_template("count: 2")).yaml(deployment(kOwn)), "1: n1 1"},
      {"others have some",
       two_nodes().held("n1", "gpu-1").yaml(claim_template("count: 1")).yaml(deployment(kOwn)),
       "3: n1 2, n2 1"},
      {"there is no such class",
       two_nodes()
           .yaml(claim_template("count: 1, selectors: [{cel: {expression: 'false'}}]"))
           .yaml(deployment(kOwn)),
       "0: "},
      {"only where the pod may go",
       two_nodes()
           .yaml(claim_template("count: 1"))
           .yaml(deployment(kOwn, ", nodeSelector: {pool: none}")),
       "0: "},
      {"a host port is there once on each node",
       two_nodes()
           .yaml(claim_template("count: 1"))
           .yaml("{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {template: "
                 "{spec: {containers: [{name: c, ports: [{hostPort: 80, containerPort: 80}]}], "
                 "resourceClaims: [{name: own, resourceClaimTemplateName: t}]}}}}"),
       "2: n1 1, n2 1"},
      {"a claim that all share keeps them on one node, and all get on",
       two_nodes()
           .claim("shared", exactly("gpu", 1))
           .yaml(claim_template("count: 1"))
           .yaml(deployment("{name: s, resourceClaimName: shared}, "
                            "{name: own, resourceClaimTemplateName: t}")),
       "2: n1 2"},
      {"the template is not there", two_nodes().yaml(deployment(kOwn)), "0: "},
      {"pods that avoid each other",
       zones().yaml(claim_template("count: 1")).yaml(labelled(apart())), "2: a1 1, b1 1"},
      {"pods that are spread, until a zone is full",
       zones().yaml(claim_template("count: 1")).yaml(labelled(spread())), "3: a1 2, b1 1"},
      {"pods that have to be near each other",
       zones().yaml(claim_template("count: 1")).yaml(labelled(near())),
       "unknown: its pods have to be near each other, so it depends on where the first one goes"},
      {"what is not simulated decides as well",
       two_nodes()
           .yaml(claim_template("count: 1"))
           .yaml(deployment(kOwn, ", volumes: [{name: v, persistentVolumeClaim: {claimName: x}}]"))
           .cannot_read(api::Kind::PersistentVolume),
       "unknown: volumes (persistentvolumes cannot be read) is not simulated"},
      {"the holders of devices cannot be read",
       two_nodes()
           .yaml(claim_template("count: 1"))
           .yaml(deployment(kOwn))
           .cannot_read(api::Kind::Claim),
       "unknown: resourceclaims cannot be read"},
      {"pods that ask nothing of DRA", two_nodes().yaml(deployment("")),
       "unknown: its pods use no claims, so DRA does not hold them up"},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    CHECK(fit_of(row.scene) == row.want);
  }
}

TEST_CASE("with what would be changed for one of its pods") {
  Scene words = two_nodes().held("n1", "gpu-0").held("n1", "gpu-1");
  words.yaml(claim_template("count: 2")).yaml(deployment(kOwn));
  words.claim("p-own", exactly("gpu", 2))
      .pod("p", kOwn, "",
           "phase: Pending, resourceClaimStatuses: [{name: own, resourceClaimName: p-own}]");
  const snapshot::Snapshot snapshot = words.build();
  const api::Workload& workload = snapshot.all<api::Workload>().front();
  const auto with = [&](const Change& change) -> std::string {
    const std::vector<Change> changes{change};
    const Wanted pod{.namespace_ = "default", .pod = "p", .claims = {}};
    const auto fit = pod_capacity_if(snapshot, workload, api::roles_of(workload).front(),
                                     {pod, changes}, {.most = 5});
    return fit ? base::format("{}{}", fit->fit, fit->complete ? "" : "+") : "not said";
  };
  const std::string holder(snapshot.all<api::ResourceClaim>().front().meta.name);
  CHECK(with(SetCount{"default/p-own", "gpu", 1}) == "2");
  CHECK(with(Release{.claims = {"default/" + holder}, .pods = {}}) == "1");
  CHECK(with(AddNode{"n1", 2}) == "2");
  CHECK(with(AddNode{"n1", 9}) == "5+");
  CHECK(with(Tolerate{.key = "t"}) == "not said");
  CHECK(with(AddNode{"nosuch", 1}) == "not said");
}

TEST_CASE("room on the node counts, too") {
  const auto node = [](std::string_view name, std::string_view cpu) {
    return base::format(
        "{{apiVersion: v1, kind: Node, metadata: {{name: {}}}, status: {{allocatable: {{cpu: '{}', "
        "pods: '10'}}}}}}",
        name, cpu);
  };
  const Scene words =
      scene()
          .yaml(node("n1", "3"))
          .yaml(node("n2", "1"))
          .slice("n1", {"gpu-0", "gpu-1", "gpu-2"})
          .slice("n2", {"gpu-0"})
          .yaml(claim_template("count: 1"))
          .yaml(
              "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {template: "
              "{spec: {containers: [{name: c, resources: {requests: {cpu: 1500m}}}], "
              "resourceClaims: [{name: own, resourceClaimTemplateName: t}]}}}}");
  CHECK(fit_of(words) == "2: n1 2");
}

TEST_CASE("the budget ends the search, and that is said") {
  const Scene words = two_nodes().yaml(claim_template("count: 1")).yaml(deployment(kOwn));
  CHECK(fit_of(words, {.most = 2}) == "2+: n1 2");
  CHECK(fit_of(words, {.most = 100, .devices = 1}) == "1+: n1 1");
}

TEST_CASE("devices that nodes share are taken once") {
  const Scene words = scene()
                          .node("n1")
                          .node("n2")
                          .slice({.name = "s", .devices = "{name: net-0}, {name: net-1}"})
                          .yaml(claim_template("count: 1"))
                          .yaml(deployment(kOwn));
  CHECK(fit_of(words) == "2: n1 2");
}

}  // namespace
}  // namespace dra::engine::pod_capacity_test
