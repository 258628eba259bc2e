// tests/checks/rules/update_rules_test.cpp: manifests of objects that exist. What the real API
// server says of thousands more is in tests/cluster/validate.

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/checks/manifest/manifest.h"
#include "dra/json/yaml.h"
#include "dra/snapshot/builder.h"

namespace dra::checks::update_rules_test {
namespace {

using base::format;
using Errors = std::set<std::string>;

// Left away, a gate is as the release has it.
snapshot::Server with_gate(std::string name, bool on) {
  snapshot::Server server;
  server.gates.emplace_back(std::move(name), on);
  return server;
}

std::vector<ManifestFinding> update(std::string_view existing, std::string_view manifest,
                                    const snapshot::Server& server = {}) {
  snapshot::Builder builder;
  REQUIRE(builder.add_text(existing, "existing").ok());
  const auto cluster = std::move(builder).build().take();
  ManifestChecker checker(server);
  checker.compare_with(cluster, "default");
  const auto document = json::parse_yaml(manifest).take().front();
  return checker.check(document).front().findings;
}

Errors errors_in(const std::vector<ManifestFinding>& findings) {
  Errors errors;
  for (const ManifestFinding& finding : findings) {
    if (finding.severity == Severity::Error) errors.insert(finding.code + " " + finding.path);
  }
  return errors;
}

std::string object(std::string_view kind, std::string_view metadata, std::string_view spec,
                   std::string_view version = "v1") {
  return format("{{apiVersion: resource.k8s.io/{}, kind: {}, metadata: {{name: a{}}}, spec: {}}}",
                version, kind, metadata, spec);
}

std::string claim(std::string_view request, std::string_view metadata = "") {
  return object("ResourceClaim", metadata,
                format("{{devices: {{requests: [{{name: r, {}}}]}}}}", request));
}

std::string claim_template(std::string_view request) {
  return object("ResourceClaimTemplate", "",
                format("{{spec: {{devices: {{requests: [{{name: r, {}}}]}}}}}}", request));
}

std::string slice(std::string_view more, std::string_view device) {
  return object("ResourceSlice", "",
                format("{{driver: d, pool: {{name: p, resourceSliceCount: 1}}, {}, devices: "
                       "[{{name: x, {}}}]}}",
                       more, device));
}

struct Row {
  const char* name;
  std::string existing;
  std::string manifest;
  Errors want;
};

TEST_CASE("updates of claims and templates") {
  const std::string one = claim("exactly: {deviceClassName: c}");
  const Row rows[] = {
      {"of what is not there",
       object("ResourceClaim", ", namespace: other", "{devices: {}}"),
       claim("exactly: {deviceClassName: c, count: -1}"),
       {"Invalid spec.devices.requests[0].exactly.count"}},
      {"as it is", one, one, {}},
      {"with defaults written down",
       one,
       claim("exactly: {deviceClassName: c, allocationMode: ExactCount, count: 1}"),
       {}},
      {"in an older version",
       one,
       object("ResourceClaim", "",
              "{devices: {requests: [{name: r, deviceClassName: c, count: 1}]}}", "v1beta1"),
       {}},
      {"with labels", one, claim("exactly: {deviceClassName: c}", ", labels: {a: b}"), {}},
      {"with bad labels",
       one,
       claim("exactly: {deviceClassName: c}", ", labels: {a: '/'}"),
       {"Invalid metadata.labels"}},
      {"with another count, which is all that is reported about the spec",
       one,
       claim("exactly: {deviceClassName: c, count: -1}"),
       {"Invalid spec"}},
      {"of a template: all is said",
       claim_template("exactly: {deviceClassName: c}"),
       claim_template("exactly: {deviceClassName: c, count: -1}"),
       {"Invalid spec", "Invalid spec.spec.devices.requests[0].exactly.count"}},
  };
  for (const Row& row : rows) {
    const std::string name = row.name;
    CAPTURE(name);
    CHECK(errors_in(update(row.existing, row.manifest)) == row.want);
  }
}

TEST_CASE("updates of classes, slices and rules for taints") {
  const std::string policy =
      "capacity: {c: {value: 2, requestPolicy: {default: 1, validValues: [1]}}}";
  const std::string shared = slice("nodeName: node", "allowMultipleAllocations: true, " + policy);
  const Row rows[] = {
      {"a class with an expression that no longer compiles",
       object("DeviceClass", "", "{selectors: [{cel: {expression: gone()}}]}"),
       object("DeviceClass", ", labels: {a: b}", "{selectors: [{cel: {expression: gone()}}]}"),
       {}},
      {"a class with a new expression",
       object("DeviceClass", "", "{selectors: [{cel: {expression: 'true'}}]}"),
       object("DeviceClass", "", "{selectors: [{cel: {expression: gone()}}]}"),
       {"Invalid spec.selectors[0].cel.expression"}},
      {"a slice as it is", shared, shared, {}},
      {"a slice of another pool, driver and node",
       shared,
       object("ResourceSlice", "",
              "{driver: e, pool: {name: q, resourceSliceCount: 1}, allNodes: true}"),
       {"Invalid spec.driver", "Invalid spec.nodeName", "Invalid spec.pool.name"}},
      {"a device that is no longer shared, its capacity as it was",
       shared,
       slice("nodeName: node", policy),
       {}},
      {"a device that is no longer shared, its capacity another",
       shared,
       slice("nodeName: node",
             "capacity: {c: {value: 3, requestPolicy: {default: 1, validValues: [1]}}}"),
       {"Forbidden spec.devices[0].capacity[c].requestPolicy"}},
      {"a rule for taints with another effect",
       object("DeviceTaintRule", "", "{taint: {key: k, effect: NoSchedule}}"),
       object("DeviceTaintRule", "", "{taint: {key: k, effect: Gone}}"),
       {"NotSupported spec.taint.effect"}},
  };
  for (const Row& row : rows) {
    const std::string name = row.name;
    CAPTURE(name);
    CHECK(errors_in(update(row.existing, row.manifest)) == row.want);
  }
}

TEST_CASE("metadata of updates") {
  const std::string spec = "{taint: {key: k, effect: NoSchedule}}";
  const auto rule = [&spec](std::string_view metadata) {
    return object("DeviceTaintRule", metadata, spec);
  };
  const std::string known = rule(", uid: u, resourceVersion: '7'");
  const std::string going =
      rule(", deletionTimestamp: '2026-11-20T08:00:00Z', finalizers: [a.b/c]");
  const Row rows[] = {
      {"the state that it is at", known, rule(", uid: u, resourceVersion: '7'"), {}},
      {"another state",
       known,
       rule(", resourceVersion: '6'"),
       {"Conflict metadata.resourceVersion"}},
      {"any state, of a kind that wants to know",
       known,
       rule(", resourceVersion: '0'"),
       {"Invalid metadata.resourceVersion"}},
      {"any state, of another kind",
       object("DeviceClass", ", resourceVersion: '7'", "{}"),
       object("DeviceClass", ", resourceVersion: '0'", "{}"),
       {}},
      {"another object", known, rule(", uid: v"), {"Conflict metadata.uid"}},
      {"a deletion that nobody asked for",
       known,
       rule(", deletionTimestamp: '2026-11-20T08:00:00Z', deletionGracePeriodSeconds: 3"),
       {"Invalid metadata.deletionTimestamp", "Invalid metadata.deletionGracePeriodSeconds"}},
      {"a deletion that goes on", going, rule(""), {}},
      {"a finalizer less and one more while it is deleted",
       going,
       rule(", finalizers: [a.b/d]"),
       {"Forbidden metadata.finalizers"}},
      {"a generation below zero, which the server sets", known, rule(", generation: -1"), {}},
      {"a prefix that is no name, but can stand in a URL", known, rule(", generateName: A"), {}},
      {"a prefix that cannot",
       known,
       rule(", generateName: a/"),
       {"Invalid metadata.generateName"}},
  };
  for (const Row& row : rows) {
    const std::string name = row.name;
    CAPTURE(name);
    CHECK(errors_in(update(row.existing, row.manifest)) == row.want);
  }
}

TEST_CASE("the claims of a pod stay as they are") {
  const auto pod = [](std::string_view claims, std::string_view containers) {
    return format(
        "{{apiVersion: v1, kind: Pod, metadata: {{name: p}}, spec: {{nodeName: node, "
        "resourceClaims: "
        "[{}], containers: [{}]}}}}",
        claims, containers);
  };
  const char* one = "{name: a, resourceClaimName: x}";
  const char* uses = "{name: c, image: i, resources: {claims: [{name: a}]}}";
  const std::string known = pod(one, uses);
  const Row rows[] = {
      {"as it is, with what others do not care about",
       known,
       pod(one, "{name: c, image: j, resources: {claims: [{name: a, request: ''}]}}"),
       {}},
      {"another claim",
       known,
       pod("{name: a, resourceClaimName: other}", uses),
       {"Forbidden spec"}},
      {"a container that no longer uses it",
       known,
       pod(one, "{name: c, image: i}"),
       {"Forbidden spec"}},
      {"a container that comes to use it",
       known,
       pod(one, format("{}, {{name: d, image: i, resources: {{claims: [{{name: a}}]}}}}", uses)),
       {"Forbidden spec.containers"}},
      {"a container that somebody put in",
       pod(one, format("{}, {{name: sidecar, image: i}}", uses)),
       known,
       {}},
  };
  for (const Row& row : rows) {
    const std::string name = row.name;
    CAPTURE(name);
    CHECK(errors_in(update(row.existing, row.manifest)) == row.want);
  }
}

TEST_CASE("what a gate is for stays where it is used already") {
  const std::string with = object("DeviceClass", "", "{extendedResourceName: example.com/gpu}");
  const std::string without = object("DeviceClass", "", "{}");
  const snapshot::Server off = with_gate("DRAExtendedResource", false);
  const auto drops = [](const std::vector<ManifestFinding>& findings) {
    return std::ranges::any_of(
        findings, [](const ManifestFinding& one) { return one.code == "FieldDropped"; });
  };
  CHECK(drops(update(without, with, off)));
  CHECK_FALSE(drops(update(with, with, off)));
}

TEST_CASE("an immutable field is told where it differs, and what would be refused anew") {
  const auto findings = update(claim("exactly: {deviceClassName: c}"),
                               "apiVersion: resource.k8s.io/v1\n"
                               "kind: ResourceClaim\n"
                               "metadata: {name: a}\n"
                               "spec:\n"
                               "  devices:\n"
                               "    requests:\n"
                               "    - name: r\n"
                               "      exactly:\n"
                               "        deviceClassName: c\n"
                               "        count: -1\n");
  REQUIRE(findings.size() == 1);
  CHECK(findings.front().position.line == 10);
  CHECK(
      findings.front().message ==
      "field is immutable: spec.devices.requests[0].exactly.count is 1 in the cluster and -1 here");
  CHECK(findings.front().fix ==
        "give this one another name, or re-create it: kubectl delete resourceclaim a, then create "
        "this; pods that use it must go first. Re-created, it would be refused for "
        "spec.devices.requests[0].exactly.count (must be at least 1)");
}

}  // namespace
}  // namespace dra::checks::update_rules_test
