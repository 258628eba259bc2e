// tests/snapshot/template_pods_test.cpp: pods that do not exist yet, with their claims.

#include "dra/snapshot/template_pods.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/builders.h"

namespace dra::snapshot::template_pods_test {
namespace {

using support::exactly;
using support::Scene;
using support::scene;

constexpr const char* kClaimTemplate =
    "{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t}, spec: "
    "{spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}}}";
constexpr const char* kDeployment =
    "{apiVersion: apps/v1, kind: Deployment, metadata: {name: m, uid: d}, spec: {replicas: 2, "
    "template: {metadata: {labels: {app: m}}, spec: {containers: [{name: c}], resourceClaims: "
    "[{name: own, resourceClaimTemplateName: t}, {name: shared, resourceClaimName: s}]}}}}";

std::string names_of(const Snapshot& snapshot) {
  std::string text;
  for (const api::Pod& pod : snapshot.all<api::Pod>())
    text += std::string(pod.meta.name) + " ";
  text += "| ";
  for (const api::ResourceClaim& claim : snapshot.all<api::ResourceClaim>())
    text += std::string(claim.meta.name) + " ";
  return text;
}

Snapshot cluster() {
  return scene()
      .yaml(kClaimTemplate)
      .yaml(kDeployment)
      .claim("s", exactly("gpu", 1))
      .pod("a", "")
      .pod("z", "")
      .build();
}

TEST_CASE("pods stand among the others, each with its own claim, and go again") {
  const Snapshot before = cluster();
  const api::Workload& workload = *before.find_workload("Deployment", "default", "m");
  Draft draft(before);
  const auto made = make_template_pods(draft, workload, api::roles_of(workload).front(), 2);
  CHECK(names_of(draft.now()) == "a m-1 m-2 z | m-1-own m-2-own s ");
  CHECK(made == std::vector<std::string>{"m-1", "m-2"});
  const api::Pod& pod = *draft.now().find<api::Pod>("default", "m-2");
  CHECK(is_from_template(pod));
  CHECK(api::controller_of(pod.meta)->uid == "d");
  CHECK(*api::find(pod.meta.labels, "app") == "m");
  REQUIRE(pod.status.claims.size() == 1);
  CHECK(*pod.status.claims.front().claim_name == "m-2-own");
  const auto& claim = *draft.now().find<api::ResourceClaim>("default", "m-2-own");
  CHECK(api::controller_of(claim.meta)->uid == pod.meta.uid);
  CHECK(claim.spec.devices.requests.size() == 1);
  remove_template_pods(draft);
  CHECK(names_of(draft.now()) == "a z | s ");
  CHECK(names_of(before) == "a z | s ");
}

TEST_CASE("names that are taken are passed over") {
  Draft draft(scene()
                  .yaml(kClaimTemplate)
                  .yaml(kDeployment)
                  .claim("m-2-own", exactly("gpu", 1))
                  .pod("m-1", "")
                  .build());
  const api::Workload& workload = *draft.now().find_workload("Deployment", "default", "m");
  const auto made = make_template_pods(draft, workload, api::roles_of(workload).front(), 2);
  CHECK(made == std::vector<std::string>{"m-3", "m-4"});
}

TEST_CASE("a planned pod gets what it names, as far as that is there") {
  Draft draft(
      scene()
          .yaml(kClaimTemplate)
          .yaml("{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c}], "
                "resourceClaims: [{name: x, resourceClaimTemplateName: t}, {name: other, "
                "resourceClaimTemplateName: nosuch}]}}")
          .build());
  const auto of_pod = [&draft]() -> const api::ResourceClaim& {
    return *draft.now().find<api::ResourceClaim>("default", "p-x");
  };
  create_claims(draft, "default", {"p"});
  CHECK(names_of(draft.now()) == "p | p-x ");
  const api::Pod& pod = *draft.now().find<api::Pod>("default", "p");
  CHECK_FALSE(is_from_template(pod));
  CHECK(pod.status.claims.size() == 1);
  make_template_claim(draft, "default", "t", "loose");
  make_template_claim(draft, "default", "nosuch", "other");
  CHECK(names_of(draft.now()) == "p | loose p-x ");
  CHECK(is_from_template(*draft.now().find<api::ResourceClaim>("default", "loose")));
  CHECK_FALSE(is_planned(of_pod()));
  mark_planned(draft, "default", {"p-x"});
  CHECK(is_planned(of_pod()));
  CHECK_FALSE(is_from_template(of_pod()));
}

}  // namespace
}  // namespace dra::snapshot::template_pods_test
