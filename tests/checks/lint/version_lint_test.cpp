// tests/checks/lint/version_lint_test.cpp: versions of kinds, asked of releases and of servers.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/checks/manifest/manifest.h"
#include "dra/json/yaml.h"

namespace dra::checks::version_lint_test {
namespace {

const std::string kClass = "DeviceClass, metadata: {name: a}, spec: {}}";
const std::string kRule =
    "DeviceTaintRule, metadata: {name: a}, spec: {deviceSelector: {driver: a.com}, taint: {key: "
    "k, effect: NoSchedule}}}";

std::string found(const std::string& version, const std::string& object,
                  const snapshot::Server& server) {
  const auto documents =
      json::parse_yaml(base::format("{{apiVersion: resource.k8s.io/{}, kind: {}", version, object))
          .take();
  const auto checked = ManifestChecker(server).check(documents.front());
  std::vector<std::string> words;
  for (const ManifestFinding& finding : checked.front().findings) {
    if (finding.path != "apiVersion") continue;
    words.push_back(base::format("{} {}{}",
                                 finding.severity == Severity::Error     ? "error"
                                 : finding.severity == Severity::Warning ? "warning"
                                                                         : "hint",
                                 finding.code, finding.fix.empty() ? "" : ": " + finding.fix));
  }
  return base::join(words, ", ");
}

struct Row {
  const char* release;
  const char* kind;
  const char* version;
  const char* want;
  std::vector<std::string> served = {};
};

const std::vector<Row> kRows = {
    {"v1.34.2", "rule", "v1", "error NotFound: write resource.k8s.io/v1alpha3"},
    {"v1.36.0", "rule", "v1", "error NotFound: write resource.k8s.io/v1beta2"},
    {"v1.37.0", "rule", "v1", ""},
    {"v1.35.1", "rule", "v1beta2", "error NotFound: write resource.k8s.io/v1alpha3"},
    {"v1.36.1", "rule", "v1beta2", "hint VersionNotServed"},
    {"v1.37.1", "rule", "v1beta2", "warning VersionNotServed: write resource.k8s.io/v1"},
    {"v1.32.9", "rule", "v1alpha3", "error NotFound"},
    {"v1.34.2", "rule", "v1alpha3", "hint VersionNotServed"},
    {"v1.36.0", "rule", "v1alpha3", "hint VersionNotServed: write resource.k8s.io/v1beta2"},
    {"v1.37.0", "rule", "v1alpha3", "warning VersionNotServed: write resource.k8s.io/v1"},
    {"v1.33.4", "class", "v1", "error NotFound: write resource.k8s.io/v1beta2"},
    {"v1.34.0", "class", "v1", ""},
    {"v1.32.0", "class", "v1beta2", "error NotFound: write resource.k8s.io/v1beta1"},
    {"v1.33.0", "class", "v1beta2", "hint VersionNotServed"},
    {"v1.34.0", "class", "v1beta2", "warning VersionNotServed: write resource.k8s.io/v1"},
    {"v1.33.0", "class", "v1beta1", "hint VersionNotServed: write resource.k8s.io/v1beta2"},
    // Servers that say what they serve.
    {"v1.33.0", "class", "v1beta2", "", {"v1beta2", "v1beta1"}},
    {"v1.33.0",
     "class",
     "v1beta1",
     "hint VersionDeprecated: write resource.k8s.io/v1beta2",
     {"v1beta2", "v1beta1"}},
    {"v1.34.0", "class", "v1beta1", "warning VersionNotServed: write resource.k8s.io/v1", {"v1"}},
    {"v1.36.0",
     "class",
     "v1beta1",
     "hint VersionDeprecated: write resource.k8s.io/v1",
     {"v1", "v1beta1"}},
    {"v1.36.0", "rule", "v1", "error NotFound: write resource.k8s.io/v1alpha3", {"v1", "v1alpha3"}},
    {"v1.36.0", "rule", "v1alpha3", "", {"v1", "v1alpha3"}},
    {"v1.36.0", "rule", "v1alpha3", "warning VersionNotServed", {"v1"}},
};

TEST_CASE("versions that a server has of a kind") {
  for (const Row& row : kRows) {
    CAPTURE(row.release);
    CAPTURE(row.kind);
    CAPTURE(row.version);
    const bool is_rule = std::string_view(row.kind) == "rule";
    snapshot::Server server{.version = row.release};
    server.dra_versions = row.served;
    CHECK(found(row.version, is_rule ? kRule : kClass, server) == row.want);
  }
}

}  // namespace
}  // namespace dra::checks::version_lint_test
