// tests/checks/fields/manifest_fields_test.cpp

#include "dra/checks/fields/manifest_fields.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "dra/json/yaml.h"

namespace dra::checks::manifest_fields_test {
namespace {

// The findings of one document, a line each: code, path, message, and the fix if there is one.
std::string findings_of(const std::string& text) {
  auto documents = json::parse_yaml(text);
  REQUIRE_MESSAGE(documents.ok(), text);
  const json::Value& document = documents.value().front();
  const auto* type =
      api::schema_of(document.find("apiVersion")->text(), document.find("kind")->text());
  REQUIRE(type != nullptr);
  std::vector<ManifestFinding> findings;
  check_fields(document, *type, "", findings);
  std::string lines;
  for (const ManifestFinding& f : findings) {
    lines += f.code + " " + f.path + ": " + f.message + "\n";
    if (!f.fix.empty()) lines += "  " + f.fix + "\n";
  }
  return lines;
}

// A claim with one request of v1, v1beta2 or v1beta1.
std::string claim(std::string_view version, std::string_view request) {
  return base::format(
      "{{apiVersion: resource.k8s.io/{}, kind: ResourceClaim, metadata: {{name: c}}, spec: "
      "{{devices: "
      "{{requests: [{}]}}}}}}",
      version, request);
}

std::string pod(std::string_view spec) {
  return base::format("{{apiVersion: v1, kind: Pod, metadata: {{name: p}}, spec: {}}}", spec);
}

struct Case {
  const char* name;
  std::string document;
  const char* want;
};

void check(std::initializer_list<Case> cases) {
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(findings_of(c.document) == c.want);
  }
}

TEST_CASE("nothing is found in what is right") {
  check({
      {"a request of v1", claim("v1", "{name: r, exactly: {deviceClassName: a, count: 2}}"), ""},
      {"a flat request of v1beta1", claim("v1beta1", "{name: r, deviceClassName: a, count: 2}"),
       ""},
      {"a whole number that YAML writes as a float, as kubectl sends it",
       claim("v1", "{exactly: {count: 2.0}}"), ""},
      {"null is absent everywhere",
       claim("v1",
             "{name: null, exactly: null}, null, {exactly: {selectors: [null], count: null}}"),
       ""},
      {"any keys in a map, and quantities as text and numbers",
       pod("{containers: [{resources: {limits: {cpu: 2, memory: 1.5Gi, x/y: 1e3}}}]}"), ""},
      {"opaque parameters are not looked at",
       "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, spec: {config: [{opaque: {parameters: "
       "{a: 1, a: 2, b: [x]}}}]}}",
       ""},
      {"a port by number or by name",
       pod("{containers: [{livenessProbe: {httpGet: {port: 80}}, readinessProbe: {httpGet: {port: "
           "http}}}]}"),
       ""},
  });
}

TEST_CASE("an unknown field says where it belongs") {
  check({
      {"a flat request where requests are not flat",
       claim("v1", "{name: r, deviceClassName: a, count: 2}"),
       "UnknownField spec.devices.requests[0].deviceClassName: there is no field "
       "\"deviceClassName\" here; it belongs under \"exactly\", as "
       "spec.devices.requests[0].exactly.deviceClassName (v1beta1 has it here)\n"
       "  exactly:\n  count: 2\n  deviceClassName: a\n"
       "UnknownField spec.devices.requests[0].count: there is no field \"count\" here; it belongs "
       "under \"exactly\", as spec.devices.requests[0].exactly.count (v1beta1 has it here)\n"},
      {"exactly where requests are flat",
       claim("v1beta1", "{name: r, exactly: {deviceClassName: a}}"),
       "UnknownField spec.devices.requests[0].exactly: there is no field \"exactly\" here; what it "
       "holds belongs directly in spec.devices.requests[0] (v1 and v1beta2 have it here)\n"},
      {"a template's spec in a claim",
       "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, spec: {spec: {devices: {}}}}",
       "UnknownField spec.spec: there is no field \"spec\" here; what it holds belongs directly in "
       "spec\n"},
      {"a claim's spec in a template",
       "{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, spec: {devices: {}}}",
       "UnknownField spec.devices: there is no field \"devices\" here; it belongs under "
       "\"spec\", as spec.spec.devices\n"},
      {"a name in other letters", claim("v1", "{Name: r}"),
       "UnknownField spec.devices.requests[0].Name: there is no field \"Name\" here; its name is "
       "\"name\"\n  name: r\n"},
      {"a name that is nearly right", claim("v1", "{exactly: {selector: []}}"),
       "UnknownField spec.devices.requests[0].exactly.selector: there is no field \"selector\" "
       "here; "
       "did you mean \"selectors\"?\n"},
      {"a field of the object above", claim("v1", "{exactly: {firstAvailable: []}}"),
       "UnknownField spec.devices.requests[0].exactly.firstAvailable: there is no field "
       "\"firstAvailable\" here; it belongs one level up, in spec.devices.requests[0]\n"},
      {"a field of the object beside", claim("v1", "{firstAvailable: [{adminAccess: true}]}"),
       "UnknownField spec.devices.requests[0].firstAvailable[0].adminAccess: there is no field "
       "\"adminAccess\" here; \"exactly\" in spec.devices.requests[0] has one\n"},
      {"nothing like it: the fields that there are",
       "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, spec: {suitableNodes: {terms: 1}}}",
       "UnknownField spec.suitableNodes: there is no field \"suitableNodes\" here; there are: "
       "config, extendedResourceName, selectors\n"},
      {"what an unknown field holds is not looked at, and it is told once",
       claim("v1", "{unheardOf: {count: x}, unheardOf: 1}"),
       "UnknownField spec.devices.requests[0].unheardOf: there is no field \"unheardOf\" here; "
       "there are: exactly, firstAvailable, name\n"},
  });
}

TEST_CASE("a field that is there twice") {
  check({
      {"once for each field, with the first line",
       "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nspec: {}\nspec: {}\nspec: {}\n",
       "DuplicateField spec: \"spec\" is here 3 times, first in line 3; keep one: kubectl sends "
       "only the last\n"},
      {"in a map, too; the last value is checked", pod("{nodeSelector: {a: b, a: 1}}"),
       "DuplicateField spec.nodeSelector[a]: \"a\" is here 2 times, first in line 1; keep one: "
       "kubectl sends only the last\n"
       "Decode spec.nodeSelector[a]: wants a string, not the number 1: put what is written "
       "there in quotes\n"},
      {"a value before the last is not sent, and not checked",
       pod("{nodeSelector: {a: 1, a: b}, affinity: {unheardOf: 1}, affinity: {}}"),
       "DuplicateField spec.nodeSelector[a]: \"a\" is here 2 times, first in line 1; keep one: "
       "kubectl sends only the last\n"
       "DuplicateField spec.affinity: \"affinity\" is here 2 times, first in line 1; keep one: "
       "kubectl sends only the last\n"},
  });
}

TEST_CASE("positions are of the value, or of the key") {
  auto documents = json::parse_yaml(
      "apiVersion: v1\nkind: Pod\nspec:\n  nodeName: 1\n  unheardOf: 1\n  hostPID: true\n  "
      "hostPID: "
      "true\n");
  REQUIRE(documents.ok());
  std::vector<ManifestFinding> findings;
  check_fields(documents.value().front(), *api::schema_of("v1", "Pod"), "", findings);
  std::string where;
  for (const ManifestFinding& f : findings)
    where += base::format("{} {}:{}\n", f.path, f.position.line, f.position.column);
  CHECK(where == "spec.nodeName 4:13\nspec.unheardOf 5:3\nspec.hostPID 7:3\n");
}

TEST_CASE("paths begin where the object stands") {
  auto documents = json::parse_yaml("{spec: {nodeName: 1}}");
  REQUIRE(documents.ok());
  std::vector<ManifestFinding> findings;
  check_fields(documents.value().front(), *api::schema_type("core/v1.PodTemplateSpec"),
               "spec.template", findings);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].path == "spec.template.spec.nodeName");
}

TEST_CASE("a field that is indented too little says which path is meant") {
  check(
      {{"behind an item of a list",
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nspec:\n  devices:\n"
        "    requests:\n    - name: r\n    exactly:\n      deviceClassName: a\n",
        "UnknownField spec.devices.exactly: there is no field \"exactly\" here; it belongs to the "
        "item in line 6, as spec.devices.requests[0].exactly, and is indented too little\n"},
       {"behind a key without a value, at the top of the object",
        "apiVersion: v1\nkind: Pod\nmetadata:\nname: a\nspec:\n  containers: []\n",
        "UnknownField name: there is no field \"name\" here; it belongs under \"metadata\", as "
        "metadata.name\n  metadata:\n  name: a\n"}});
}

TEST_CASE("so many misplaced keys are lost indentation") {
  check({{"all at one level", "apiVersion: v1\nkind: Pod\nname: a\ncontainers: []\nnodeName: x\n",
          "UnknownField name: there is no field \"name\" here; it belongs under \"metadata\", as "
          "metadata.name\n"
          "  metadata:\n  name: a\n"
          "UnknownField containers: there is no field \"containers\" here; it belongs under "
          "\"spec\", as spec.containers\n"
          "UnknownField nodeName: there is no field \"nodeName\" here; it belongs under \"spec\", "
          "as spec.nodeName\n"
          "  spec:\n  nodeName: x\n"
          "IndentationLost : 3 keys from here on are repeated or belong elsewhere: it looks as if "
          "the indentation was lost\n  indent the keys again as they belong together\n"}});
}

}  // namespace
}  // namespace dra::checks::manifest_fields_test
