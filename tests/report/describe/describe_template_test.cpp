// tests/report/describe/describe_template_test.cpp

#include <doctest/doctest.h>

#include "dra/base/text.h"
#include "tests/report/describe/describe_text.h"

namespace dra::report::describe_template_test {
namespace {

using support::Scene;

std::string about_template(const Scene& words, std::string_view name) {
  return text_about<api::ResourceClaimTemplate>(words, name, describe_template);
}

Scene with_template(std::string_view more = "") {
  return support::scene().yaml(base::format(
      "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {{name: t, "
      "namespace: default}}, spec: {{spec: {{devices: {{requests: [{}]}}}}{}}}}}",
      support::exactly("gpu", 1), more));
}

constexpr std::string_view kUses = "{name: gpu, resourceClaimTemplateName: t}";
constexpr std::string_view kMade =
    "phase: Running, resourceClaimStatuses: [{name: gpu, resourceClaimName: c}]";

TEST_CASE("who uses a template, and what came of it") {
  const std::string got = support::allocated("{device: d, pool: n1}", support::on_node("n1"));
  check_all(
      {{"nobody", with_template(), "t", "Template default/t: no pod uses it.", "Claims made"},
       {"a pod that has its claim",
        with_template().claim("c", support::exactly("gpu", 1), got).pod("p", kUses, "", kMade), "t",
        "used by 1 pod, which has its devices."},
       {"a pod whose claim waits",
        with_template().claim("c", support::exactly("gpu", 1)).pod("p", kUses, "", kMade), "t",
        "used by 1 pod, which waits."},
       {"one of two",
        with_template()
            .claim("c", support::exactly("gpu", 1), got)
            .pod("a", kUses)
            .pod("p", kUses, "", kMade),
        "t", "used by 2 pods, 1 of them waits."},
       {"a claim that is not created", with_template().pod("p", kUses), "t",
        "gpu of pod p | not created"},
       {"a claim that is gone", with_template().pod("p", kUses, "", kMade), "t", "c | gone"},
       {"a claim that is not needed",
        with_template().pod("p", kUses, "", "resourceClaimStatuses: [{name: gpu}]"), "t",
        "gpu of pod p | not needed", "waits"},
       {"a pod that is done uses nothing", with_template().pod("p", kUses, "", "phase: Succeeded"),
        "t", "no pod uses it"},
       {"what claims are given", with_template(", metadata: {labels: {a: b}, annotations: {c: d}}"),
        "t", "gives annotations c=d"},
       {"pods cannot be read", with_template().cannot_read(api::Kind::Pod), "t",
        "who uses the template is not known", "no pod uses it"},
       {"claims cannot be read",
        with_template().pod("p", kUses, "", kMade).cannot_read(api::Kind::Claim), "t",
        "used by 1 pod.", "gone"}},
      about_template);
}

TEST_CASE("why a claim was not created, in the controller's words") {
  const std::string text =
      about_template(with_template()
                         .pod("p", kUses)
                         .yaml("{apiVersion: v1, kind: Event, metadata: {name: e, namespace: "
                               "default}, involvedObject: "
                               "{kind: Pod, namespace: default, name: p, uid: p}, reason: "
                               "FailedResourceClaimCreation, "
                               "message: 'PodResourceClaim gpu: quota exceeded', lastTimestamp: "
                               "'2026-11-20T09:00:00Z'}"),
                     "t");
  CHECK(text.find("! Pod p: ") != std::string::npos);
  CHECK(text.find("quota exceeded") != std::string::npos);
}

}  // namespace
}  // namespace dra::report::describe_template_test
