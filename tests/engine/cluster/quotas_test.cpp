// tests/engine/cluster/quotas_test.cpp
//
// Beside tests/cluster/validate, which compares with the server: what each rule comes to.

#include "dra/engine/cluster/quotas.h"

#include <doctest/doctest.h>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::quotas_test {
namespace {

using support::all;
using support::exactly;
using support::Scene;

constexpr std::string_view kClaims = "count/resourceclaims.resource.k8s.io";
constexpr std::string_view kDevices = "gpu.deviceclass.resource.k8s.io/devices";

// "hard", "used" and more of a spec, each in the flow style.
std::string quota(std::string_view hard, std::string_view used, std::string_view spec = "{}") {
  return base::format(R"(apiVersion: v1
kind: ResourceQuota
metadata: {{name: q, namespace: default}}
spec: {}
status: {{hard: {}, used: {}}}
)",
                      spec, hard, used);
}

// What is said of a claim with these requests, and of another after it.
std::string said(Scene scene, const std::string& requests) {
  scene.claim("c", requests);
  const snapshot::Snapshot snapshot = scene.build();
  const api::ClaimSpec& spec = snapshot.all<api::ResourceClaim>().front().spec;
  Quotas quotas(snapshot);
  std::string text;
  for (int i = 0; i < 2; ++i) {
    const auto refused = quotas.create_claim("default", spec);
    text += refused ? words_for_quota(*refused) + "\n" : "taken\n";
  }
  CHECK_FALSE(quotas.create_claim("elsewhere", spec));
  return text;
}

TEST_CASE("claims are counted, and what was created counts") {
  Scene scene;
  scene.yaml(quota(base::format("{{{}: 3}}", kClaims), base::format("{{{}: 2}}", kClaims)));
  CHECK(said(scene, exactly("gpu", 1)) ==
        "taken\nresource quota q is exhausted (count/resourceclaims.resource.k8s.io: 3 of 3 used, "
        "and 1 more wanted)\n");
}

TEST_CASE("devices of a class: the most that a request could get") {
  Scene scene;
  scene.yaml(quota(base::format("{{{}: 35}}", kDevices), base::format("{{{}: 0}}", kDevices)));
  CHECK(said(scene, exactly("gpu", 3)) == "taken\ntaken\n");
  const std::string some_left = said(scene, all("gpu"));
  CHECK(some_left.find("resource quota q has too little left (") != std::string::npos);
  CHECK(some_left.ends_with("32 of 35 used, and 32 more wanted)\n"));
}

TEST_CASE("a quota that is not counted yet refuses") {
  Scene scene;
  scene.yaml(quota(base::format("{{{}: 3}}", kClaims), "{}"));
  CHECK(said(scene, exactly("gpu", 1)).starts_with("resource quota q is exhausted"));
}

TEST_CASE("quotas with scopes, and of other things, say nothing of claims") {
  Scene scene;
  scene.yaml(quota(base::format("{{{}: 0}}", kClaims), base::format("{{{}: 0}}", kClaims),
                   "{scopes: [BestEffort]}"));
  scene.yaml(quota("{pods: 0}", "{pods: 0}"));
  CHECK(said(scene, exactly("gpu", 1)) == "taken\ntaken\n");
}

TEST_CASE("templates count as objects, and their claims when they are made") {
  Scene scene;
  scene.yaml(quota("{count/resourceclaimtemplates.resource.k8s.io: 1}",
                   "{count/resourceclaimtemplates.resource.k8s.io: 0}"));
  scene.claim("c", exactly("gpu", 1));
  const snapshot::Snapshot snapshot = scene.build();
  Quotas quotas(snapshot);
  CHECK_FALSE(quotas.create_template("default"));
  CHECK(quotas.create_template("default"));
  CHECK_FALSE(quotas.refusal_of_claim("default", snapshot.all<api::ResourceClaim>().front().spec));
}

}  // namespace
}  // namespace dra::engine::quotas_test
