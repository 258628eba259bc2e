// tests/answers/validate/validation_test.cpp: findings about several documents and objects.

#include "dra/answers/validate/validation.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::answers::validation_test {
namespace {

constexpr const char* kClass =
    "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: c}\nspec: {selectors: "
    "[{cel: {expression: device.driver == 'a.com'}}]}\n";
constexpr const char* kAdminClaim =
    "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: "
    "ml}\nspec: {devices: {requests: [{name: a, exactly: {deviceClassName: c, adminAccess: "
    "true}}]}}\n";

Validation validated(const std::string& text) {
  checks::ManifestChecker checker{snapshot::Server()};
  checker.keep_written();
  Validation validation;
  validate(read_manifest("f.yaml", text), checker, validation);
  return validation;
}

TEST_CASE("an unreadable document is no concern of the object behind it") {
  Validation validation = validated(base::format("a: [1\n---\n{}", kClass));
  const auto questions = questions_of(validation, "default");
  REQUIRE(questions.size() == 1);
  const std::vector<session::Verdict> accepted(1);
  check_verdicts(questions, accepted, validation);
  REQUIRE(validation.findings.size() == 1);
  CHECK_FALSE(validation.findings.front().server.has_value());
  CHECK(validation.dry_run->differences == 0);
}

std::string admin_findings(const std::string& more, bool knows_namespaces) {
  Validation validation = validated(kAdminClaim + more);
  check_references(validation, knows_namespaces);
  std::string text;
  for (const FileFinding& entry : validation.findings)
    text += base::format("{} {}: {};", diag::name_of(entry.finding.severity), entry.finding.code,
                         entry.finding.message);
  return text;
}

TEST_CASE("admin access needs a namespace that allows it") {
  const std::string labelled =
      "---\n{apiVersion: v1, kind: Namespace, metadata: {name: ml, labels: "
      "{resource.kubernetes.io/admin-access: 'true'}}}\n";
  const std::string plain = "---\n{apiVersion: v1, kind: Namespace, metadata: {name: ml}}\n";
  CHECK(admin_findings("", false) ==
        "hint AdminAccessNotAllowed: refused unless namespace ml has the label "
        "resource.kubernetes.io/admin-access: \"true\";");
  CHECK(admin_findings("", true) == "");
  CHECK(admin_findings(labelled, false) == "");
  CHECK(admin_findings(plain, false) ==
        "warning AdminAccessNotAllowed: namespace ml is among the files, and does not allow admin "
        "access;");
}

std::string reference_findings(const std::string& pods) {
  constexpr const char* templates =
      "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: t, namespace: "
      "a}\nspec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: c}}, {name: "
      "any, firstAvailable: [{name: nic, deviceClassName: c}]}]}}}\n---\n";
  Validation validation = validated(templates + pods);
  check_references(validation, true);
  std::string text;
  for (const FileFinding& entry : validation.findings)
    text += base::format("{} {}: {} -> {};", diag::name_of(entry.finding.severity),
                         entry.finding.code, entry.finding.message, entry.finding.fix);
  return text;
}

std::string pod_with(const char* ns, const char* use) {
  return base::format(
      "{{apiVersion: v1, kind: Pod, metadata: {{name: p, namespace: {}}}, spec: {{containers: "
      "[{{name: c, image: i, resources: {{claims: [{{name: d{}}}]}}}}], resourceClaims: [{{name: "
      "d, resourceClaimTemplateName: t}}]}}}}\n",
      ns, use);
}

TEST_CASE("a template of another namespace is not the pod's") {
  CHECK(reference_findings(pod_with("b", "")) ==
        "warning TemplateMissing: ResourceClaimTemplate t is in namespace a, and a pod uses those "
        "of its own, b -> create it in namespace b, or the pod in namespace a;");
}

TEST_CASE("a container names requests that the claim has") {
  CHECK(reference_findings(pod_with("a", "")).empty());
  CHECK(reference_findings(pod_with("a", ", request: gpu")).empty());
  CHECK(reference_findings(pod_with("a", ", request: any")).empty());
  CHECK(reference_findings(pod_with("a", ", request: gpus")) ==
        "warning RequestMissing: ResourceClaimTemplate t has no request \"gpus\": the container "
        "gets no device of it -> did you mean gpu?;");
}

std::string findings_in(const support::Scene& cluster, const std::string& files) {
  Validation validation = validated(files);
  check_references(validation, true);
  check_cluster(cluster.build(), "default", "", validation);
  std::string text;
  for (const FileFinding& entry : validation.findings)
    text += base::format("{} {}: {} -> {};", diag::name_of(entry.finding.severity),
                         entry.finding.code, entry.finding.message, entry.finding.fix);
  return text;
}

TEST_CASE("what pods name is looked for in the cluster") {
  const auto pod = [](const char* claim, const char* use) {
    return base::format(
        "{{apiVersion: v1, kind: Pod, metadata: {{name: p}}, spec: {{containers: [{{name: c, "
        "image: "
        "i, resources: {{claims: [{{name: d{}}}]}}}}], resourceClaims: [{{name: d, {}}}]}}}}\n",
        use, claim);
  };
  const auto cluster = support::Scene().claim("disk", support::request("r"));
  CHECK(findings_in(cluster, pod("resourceClaimName: disk", "")).empty());
  CHECK(findings_in(cluster, pod("resourceClaimName: disc", "")) ==
        "warning ClaimMissing: ResourceClaim disc is neither in namespace default of the cluster "
        "nor among the files: pods stay Pending until it is created -> did you mean disk?;");
  CHECK(findings_in(cluster, pod("resourceClaimTemplateName: volume", "")) ==
        "warning TemplateMissing: ResourceClaimTemplate volume is neither in namespace default of "
        "the cluster nor among the files: pods stay Pending until it is created -> kubectl get "
        "resourceclaimtemplates -n default;");
  CHECK(findings_in(cluster, pod("resourceClaimName: disk", ", request: q")) ==
        "warning RequestMissing: ResourceClaim disk has no request \"q\": the container gets no "
        "device of it -> did you mean r?;");
  // The files have others of the kind, and the cluster has this one.
  const std::string other =
      "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: own, namespace: "
      "default}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n---\n";
  CHECK(findings_in(cluster, other + pod("resourceClaimName: disk", "")).find("disk") ==
        std::string::npos);
}

// A wrong place gives one finding, and no findings that only follow from it.
TEST_CASE("what a misplaced field holds is checked") {
  const auto codes = [](const std::string& request) {
    std::string text;
    for (const FileFinding& entry :
         validated(base::format("{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: "
                                "{{name: c}}, spec: {{devices: {{requests: [{{name: r, {}}}]}}}}}}",
                                request))
             .findings)
      text += base::format("{} {};", entry.finding.code, entry.finding.path);
    return text;
  };
  CHECK(codes("deviceClassName: c, count: many") ==
        "UnknownField spec.devices.requests[0].deviceClassName;"
        "UnknownField spec.devices.requests[0].count;"
        "Decode spec.devices.requests[0].exactly.count;");
  CHECK(codes("deviceClassName: c, selectors: [{cel: {expression: device.drive}}]") ==
        "UnknownField spec.devices.requests[0].deviceClassName;"
        "UnknownField spec.devices.requests[0].selectors;"
        "Invalid spec.devices.requests[0].exactly.selectors[0].cel.expression;");
  CHECK(codes("exactly: {deviceClassname: c, count: -1}") ==
        "UnknownField spec.devices.requests[0].exactly.deviceClassname;"
        "Invalid spec.devices.requests[0].exactly.count;");
}

}  // namespace
}  // namespace dra::answers::validation_test
