// tests/snapshot/template_pods_test.cpp: pods that do not exist yet, with their claims.

#include "dra/snapshot/template_pods.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/builders.h"

namespace dra::snapshot {
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
  Snapshot snapshot = cluster();
  const api::Workload& workload = *snapshot.find_workload("Deployment", "default", "m");
  const auto made = make_template_pods(snapshot, workload, api::roles_of(workload).front(), 2);
  CHECK(names_of(snapshot) == "a m-1 m-2 z | m-1-own m-2-own s ");
  CHECK(made == std::vector<std::string>{"m-1", "m-2"});
  const api::Pod& pod = *snapshot.find<api::Pod>("default", "m-2");
  CHECK(is_from_template(pod));
  CHECK(api::controller_of(pod.meta)->uid == "d");
  CHECK(*api::find(pod.meta.labels, "app") == "m");
  REQUIRE(pod.status.claims.size() == 1);
  CHECK(*pod.status.claims.front().claim_name == "m-2-own");
  const auto& claim = *snapshot.find<api::ResourceClaim>("default", "m-2-own");
  CHECK(api::controller_of(claim.meta)->uid == pod.meta.uid);
  CHECK(claim.spec.devices.requests.size() == 1);
  remove_template_pods(snapshot);
  CHECK(names_of(snapshot) == "a z | s ");
}

TEST_CASE("names that are taken are passed over") {
  Snapshot snapshot = scene()
                          .yaml(kClaimTemplate)
                          .yaml(kDeployment)
                          .claim("m-2-own", exactly("gpu", 1))
                          .pod("m-1", "")
                          .build();
  const api::Workload& workload = *snapshot.find_workload("Deployment", "default", "m");
  const auto made = make_template_pods(snapshot, workload, api::roles_of(workload).front(), 2);
  CHECK(made == std::vector<std::string>{"m-3", "m-4"});
}

TEST_CASE("a planned pod gets what it names, as far as that is there") {
  Snapshot snapshot =
      scene()
          .yaml(kClaimTemplate)
          .yaml(
              "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c}], "
              "resourceClaims: [{name: x, resourceClaimTemplateName: t}, {name: other, "
              "resourceClaimTemplateName: nosuch}]}}")
          .build();
  create_claims(snapshot, "default", {"p"});
  CHECK(names_of(snapshot) == "p | p-x ");
  const api::Pod& pod = *snapshot.find<api::Pod>("default", "p");
  CHECK_FALSE(is_from_template(pod));
  CHECK(pod.status.claims.size() == 1);
  make_template_claim(snapshot, "default", "t", "loose");
  make_template_claim(snapshot, "default", "nosuch", "other");
  CHECK(names_of(snapshot) == "p | loose p-x ");
  CHECK(is_from_template(*snapshot.find<api::ResourceClaim>("default", "loose")));
  const auto& of_pod = *snapshot.find<api::ResourceClaim>("default", "p-x");
  CHECK_FALSE(is_planned(of_pod));
  mark_planned(snapshot, "default", {"p-x"});
  CHECK(is_planned(of_pod));
  CHECK_FALSE(is_from_template(of_pod));
}

}  // namespace
}  // namespace dra::snapshot
