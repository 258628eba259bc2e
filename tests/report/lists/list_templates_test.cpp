// tests/report/lists/list_templates_test.cpp

#include "dra/report/lists/list_templates.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/claim.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"
#include "tests/support/document_text.h"

namespace dra::report::list_templates_test {
namespace {

using support::exactly;
using support::Scene;
using support::scene;

Scene with_template() {
  return scene().yaml(base::format(
      "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {{name: t, "
      "namespace: default}}, spec: {{spec: {{devices: {{requests: [{}]}}}}}}}}",
      exactly("gpu", 2)));
}

// A claim as the controller makes it for the reference `a` of a pod.
std::string made_for(std::string_view pod, std::string_view uid) {
  return base::format(
      "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: {}-a, namespace: "
      "default, annotations: {{resource.kubernetes.io/pod-claim-name: a}}, ownerReferences: "
      "[{{kind: Pod, name: {}, uid: {}, controller: true}}]}}}}",
      pod, pod, uid);
}

constexpr const char* kUse = "{name: a, resourceClaimTemplateName: t}";

struct Case {
  const char* name;
  Scene scene;
  const char* want;  // NAME | REQUESTS | CLAIMS | PODS | AGE
};

TEST_CASE("rows") {
  const Case rows[] = {
      {"nobody uses it", with_template(), "t | 2 x gpu | 0 | 0 | <unknown>\n"},
      {"a pod and its claim", with_template().pod("p", kUse).yaml(made_for("p", "p")),
       "t | 2 x gpu | 1 | 1 | <unknown>\n"},
      {"a pod whose claim is not made yet", with_template().pod("p", kUse),
       "t | 2 x gpu | 0 | 1 | <unknown>\n"},
      {"a pod that uses it twice is one pod",
       with_template().pod("p", std::string(kUse) + ", {name: b, resourceClaimTemplateName: t}"),
       "t | 2 x gpu | 0 | 1 | <unknown>\n"},
      {"the claim of a pod that is gone", with_template().yaml(made_for("p", "p")),
       "t | 2 x gpu | 0 | 0 | <unknown>\n"},
      {"the claim of an earlier pod of that name",
       with_template().pod("p", kUse).yaml(made_for("p", "old")),
       "t | 2 x gpu | 0 | 1 | <unknown>\n"},
      {"a claim that somebody made by hand",
       with_template().pod("p", kUse).claim("p-a", exactly("gpu", 2)),
       "t | 2 x gpu | 0 | 1 | <unknown>\n"},
      {"without claims", with_template().pod("p", kUse).cannot_read(api::Kind::Claim),
       "t | 2 x gpu | <unknown> | 1 | <unknown>\n"},
      {"without pods", with_template().cannot_read(api::Kind::Pod),
       "t | 2 x gpu | <unknown> | <unknown> | <unknown>\n"},
  };
  for (const Case& row : rows) {
    CAPTURE(std::string(row.name));
    const auto snapshot = row.scene.build();
    const std::vector<const api::ResourceClaimTemplate*> templates{
        &snapshot.all<api::ResourceClaimTemplate>().at(0)};
    CHECK(support::rows_of(templates_view(template_rows(snapshot, templates), {})) == row.want);
  }
}

}  // namespace
}  // namespace dra::report::list_templates_test
