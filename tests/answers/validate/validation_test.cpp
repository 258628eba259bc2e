// tests/answers/validate/validation_test.cpp: findings about several documents and objects.

#include "dra/answers/validate/validation.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/base/text.h"

namespace dra::answers::validation_test {
namespace {

constexpr const char* kClass =
    "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: c}\n";
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

}  // namespace
}  // namespace dra::answers::validation_test
