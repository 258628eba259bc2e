// tests/checks/manifest/manifest_test.cpp: whole objects through all phases. What the real API
// server says of thousands more is in tests/cluster/validate.

#include "dra/checks/manifest/manifest.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/json/yaml.h"
#include "tests/support/files.h"

namespace dra::checks::manifest_test {
namespace {

// "Invalid spec.devices.requests[0].exactly.count"
using Errors = std::set<std::string>;

const snapshot::Server kNewest;

snapshot::Server all_gates() {
  snapshot::Server server;
  for (const std::string_view gate : engine::gate_names())
    server.gates.emplace_back(std::string(gate), true);
  return server;
}

Errors errors_of(const std::vector<CheckedObject>& objects) {
  Errors errors;
  for (const CheckedObject& object : objects) {
    for (const ManifestFinding& finding : object.findings) {
      // A duplicate is a warning, as kubectl sends none; the server refuses it.
      if (finding.severity == Severity::Error || finding.code == "DuplicateField")
        errors.insert(base::format("{} {}", finding.code, finding.path));
    }
  }
  return errors;
}

Errors errors_of(std::string_view yaml, const snapshot::Server& server) {
  const auto documents = json::parse_yaml(yaml).take();
  Errors errors;
  for (const json::Value& document : documents)
    errors.merge(errors_of(ManifestChecker(server).check(document)));
  return errors;
}

// By its case, what the table says of each document in the phases that a file goes through; steps
// into items are left out, as the server's decoder does not name them. What the server says only
// where it drops unknown fields follows from their places, and is not said here.
std::map<std::string, Errors> expected_of(std::string_view table) {
  std::map<std::string, Errors> by_case;
  for (const std::string_view line : base::split(table, '\n')) {
    if (line.starts_with('#') || base::trim(line).empty()) continue;
    const auto cells = base::split(line, '\t');
    if (cells[1] == "validate-if-not-strict") continue;
    const std::string_view path = cells[3].substr(0, cells[3].find(' '));
    by_case[std::string(cells[0])].insert(base::format("{} {}", cells[2], path));
  }
  return by_case;
}

// As they stand in the file, with their comments.
std::vector<std::string_view> documents_in(std::string_view text) {
  constexpr std::string_view border = "\n---\n";
  std::vector<std::string_view> documents;
  for (std::size_t at = 0; at != std::string_view::npos;) {
    const std::size_t end = text.find(border, at);
    documents.push_back(text.substr(at, end == std::string_view::npos ? end : end - at));
    at = end == std::string_view::npos ? end : end + border.size();
  }
  return documents;
}

std::string without_items(const std::string& error) {
  std::string text;
  int depth = 0;
  for (const char c : error) {
    depth += c == '[' ? 1 : 0;
    if (depth == 0) text += c;
    depth -= c == ']' ? 1 : 0;
  }
  return text;
}

bool says(const Errors& ours, const std::string& theirs) {
  if (!theirs.starts_with("Decode ")) return ours.contains(theirs);
  return std::ranges::any_of(
      ours, [&theirs](const std::string& one) { return without_items(one) == theirs; });
}

TEST_CASE("the manifests with a mistake each") {
  const std::string text = support::read("tests/fixtures/invalid-manifests.yaml");
  const auto expected = expected_of(support::read("tests/fixtures/invalid-manifests.expected.tsv"));
  std::size_t seen = 0;
  for (const std::string_view part : documents_in(text)) {
    const std::size_t start = part.find("# case: ");
    if (start == std::string_view::npos) continue;
    const std::string name(part.substr(start + 8, part.find('\n', start) - start - 8));
    CAPTURE(name);
    const auto row = expected.find(name);
    REQUIRE(row != expected.end());
    const Errors ours = errors_of(part, all_gates());
    for (const std::string& error : row->second) {
      CAPTURE(error);
      CHECK(says(ours, error));
    }
    ++seen;
  }
  CHECK(seen == expected.size());
}

struct Row {
  const char* name;
  const char* yaml;
  Errors want;
};

TEST_CASE("objects as a whole") {
  const Row rows[] = {
      {"without a kind", "{apiVersion: resource.k8s.io/v1}", {"Required kind"}},
      {"without a version", "{kind: ResourceClaim}", {"Required apiVersion"}},
      {"with a name that is written in another way",
       "{apiversion: v1, Kind: Pod}",
       {"Required apiversion", "Required Kind"}},
      {"that ask for the state of pools",
       "{apiVersion: resource.k8s.io/v1alpha3, kind: ResourcePoolStatusRequest, metadata: {name: "
       "A}, spec: {driver: example.com/card, limit: 0}}",
       {"Invalid metadata.name", "Invalid spec.driver", "Invalid spec.limit"}},
      {"of a version that is not there",
       "{apiVersion: resource.k8s.io/v2, kind: ResourceClaim}",
       {"NotFound apiVersion"}},
      {"of another group with that name", "{apiVersion: example.com/v1, kind: ResourceClaim}", {}},
      {"that are in a list",
       "{apiVersion: v1, kind: List, items: [{apiVersion: resource.k8s.io/v1, kind: DeviceClass, "
       "metadata: {name: A}}]}",
       {"Invalid metadata.name"}},
      {"with a name that the server makes",
       "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {generateName: a-}}",
       {}},
      {"with the same owner twice",
       "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: a, ownerReferences: "
       "[{apiVersion: v1, kind: Pod, name: p, uid: u, controller: true}, {apiVersion: v1, kind: "
       "Pod, name: p, uid: u, controller: true}]}}",
       {}},
      {"with two owners that are controllers",
       "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: a, ownerReferences: "
       "[{apiVersion: v1, kind: Pod, name: p, uid: u, controller: true}, {apiVersion: v1, kind: "
       "Pod, name: q, uid: v, controller: true}]}}",
       {"Invalid metadata.ownerReferences"}},
      {"that make pods",
       "{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: a}, spec: "
       "{replicatedJobs: [{template: {spec: {template: {spec: {containers: [{name: c, resources: "
       "{claims: [{name: gpu}]}}]}}}}}]}}",
       {"NotFound spec.replicatedJobs[0].template.spec.template.spec.containers[0].resources."
        "claims[0]"}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(errors_of(row.yaml, kNewest) == row.want);
  }
}

// As a server of v1.37.1 answered to each.
TEST_CASE("managed fields are looked at as far as the server keeps them") {
  constexpr const char* some = R"({"f:spec": {"f:selectors": {}}})";
  const auto errors = [](std::string_view own, std::string_view version, std::string_view fields,
                         std::string_view more = "finalizers: []") {
    return errors_of(base::format(R"(apiVersion: resource.k8s.io/{}
kind: DeviceClass
metadata:
  name: c
  {}
  managedFields:
  - {{manager: {}, operation: Update, apiVersion: {}, fieldsType: FieldsV1, fieldsV1: {}}}
spec: {{}}
)",
                                  own, more, std::string(129, 'm'), version, fields),
                     kNewest);
  };
  const Errors too_long = {"TooLong metadata.managedFields[0].manager"};
  const std::string v1 = "resource.k8s.io/v1";
  CHECK(
      errors("v1", v1, R"({"f:spec": {"k:{\"name\":\"x\"}": {".": {}}, "v:1": {}, "i:0": {}}})") ==
      too_long);
  CHECK(errors("v1", v1, some) == too_long);
  CHECK(errors("v1", v1, "{}").empty());
  CHECK(errors("v1", "null", some).empty());
  CHECK(errors("v1", v1, "{spec: {}}").empty());
  CHECK(errors("v1", v1, "{\"f:spec\": {\"k:name\": {}}}").empty());
  CHECK(errors("v1", v1, "{\"f:spec\": 1}").empty());
  CHECK(errors("v1", "v1", some).empty());
  CHECK(errors("v1", "apps/v1", some).empty());
  CHECK(errors("v1", "a/b/c", some).empty());
  CHECK(errors("v1", "resource.k8s.io/v1beta2", some).empty());
  CHECK(errors("v1beta2", v1, some) == too_long);
  constexpr const char* doubles =
      "ownerReferences: [{apiVersion: v1, kind: Pod, name: a, uid: u}, {apiVersion: v1, kind: Pod, "
      "name: b, uid: u}]";
  CHECK(errors("v1", v1, some, doubles) == too_long);
  CHECK(errors("v1beta2", v1, some, doubles).empty());

  const auto named = [](const std::string& manager, const std::string& subresource) {
    return errors_of(base::format(R"(apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: c
  managedFields:
  - {{manager: "{}", operation: Update, apiVersion: resource.k8s.io/v1, fieldsType: FieldsV1,
      fieldsV1: {{"f:spec": {{}}}}, subresource: {}}}
spec: {{}}
)",
                                  manager, subresource),
                     kNewest);
  };
  const Errors unseen = {"Invalid metadata.managedFields[0].manager"};
  CHECK(named(std::string(128, 'm'), std::string(256, 's')).empty());
  CHECK(named("m", std::string(257, 's')) ==
        Errors{"TooLong metadata.managedFields[0].subresource"});
  CHECK(named("k\\u00fcbectl \\u4e2d", "s").empty());
  CHECK(named("kubectl\\u200b", "s") == unseen);
  CHECK(named("kubectl\\x07", "s") == unseen);
  CHECK(named("kubectl\\u00a0", "s") == unseen);
}

TEST_CASE("valid values are the same in whatever unit they are written") {
  const std::string slice =
      "{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: a}, spec: {driver: "
      "d, "
      "nodeName: node, pool: {name: p, resourceSliceCount: 1}, devices: [{name: x, "
      "allowMultipleAllocations: true, capacity: {c: {value: 4k, requestPolicy: {default: 1k, "
      "validValues: [1k, '1e3']}}}}]}}";
  const Errors want = {"Duplicate spec.devices[0].capacity[c].requestPolicy.validValues[1]"};
  CHECK(errors_of(slice, kNewest) == want);
  CHECK(errors_of(slice, all_gates()) == want);
}

TEST_CASE("steps are counted as Go counts them, beyond 64 bits as well") {
  const std::string slice =
      "{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: a}, spec: {driver: "
      "d, "
      "nodeName: node, pool: {name: p, resourceSliceCount: 1}, devices: [{name: x, "
      "allowMultipleAllocations: true, capacity: {c: {value: 10E, requestPolicy: {default: '-1', "
      "validRange: {min: '9223372036854775.807', step: '1'}}}}}]}}";
  const std::string range = "spec.devices[0].capacity[c].requestPolicy.validRange.";
  const Errors want = {"Invalid " + range + "default", "Invalid " + range + "step"};
  CHECK(errors_of(slice, all_gates()) == want);
}

TEST_CASE("fields that no gate lets in are dropped, and told") {
  const std::string claim =
      "{apiVersion: resource.k8s.io/v1beta1, kind: ResourceClaim, metadata: {name: a}, spec: "
      "{devices: {requests: [{name: r, deviceClassName: c, derivedAttributes: [{name: bad, "
      "expression: '1 +'}]}]}}}";
  const auto document = json::parse_yaml(claim).take().front();
  const auto checked = ManifestChecker(kNewest).check(document).front();
  const auto dropped = std::ranges::find(checked.findings, "FieldDropped", &ManifestFinding::code);
  REQUIRE(dropped != checked.findings.end());
  CHECK(dropped->path == "spec.devices.requests[0].derivedAttributes");
  CHECK(errors_of({checked}).empty());
  CHECK(checked.name == "ResourceClaim a");
  CHECK_FALSE(errors_of(claim, all_gates()).empty());
}

TEST_CASE("an unreadable document spoils no other, and names need no rules") {
  const auto documents = read_documents(
      "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: a, namespace: ml}}\n"
      "---\n"
      "b: {\n"
      "---\n"
      "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod, metadata: {name: p}},\n"
      " {apiVersion: v1, kind: ConfigMap, metadata: {name: c}}]}\n");
  REQUIRE(documents.size() == 3);
  const auto* failure = std::get_if<ManifestFinding>(&documents[1]);
  REQUIRE(failure != nullptr);
  CHECK(failure->position.line == 3);
  CHECK(failure->message == "this { has no closing }");
  CHECK(defined_names(documents[0]) == std::vector<ObjectName>{{api::Kind::Claim, "ml", "a"}});
  CHECK(defined_names(documents[1]).empty());
  CHECK(defined_names(documents[2]) == std::vector<ObjectName>{{api::Kind::Pod, "", "p"}});
}

}  // namespace
// As "LINE CODE".
std::string codes_of(const std::string& text) {
  std::vector<std::string> codes;
  for (const Document& document : read_documents(text)) {
    for (const CheckedObject& object :
         ManifestChecker(kNewest).check(std::get<json::Value>(document))) {
      for (const ManifestFinding& finding : object.findings)
        codes.push_back(base::format("{} {}", finding.position.line, finding.code));
    }
  }
  return base::join(codes, ", ");
}

TEST_CASE("one mistake is one finding") {
  const std::string claim =
      "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata:\n  name: a\nspec:\n"
      "  devices:\n    requests:\n";
  const std::string constraint =
      "    constraints:\n    - requests: [gpu]\n      matchAttribute: a.b/c\n";
  const std::string pod =
      "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  resourceClaims:\n";
  const std::string containers =
      "  containers:\n  - name: c\n    image: i\n    resources:\n      claims:\n      - name: "
      "gpu\n";
  // A name that others refer to.
  CHECK(codes_of(claim + "    - name: 7\n      exactly: {deviceClassName: c}\n" + constraint) ==
        "8 Decode");
  CHECK(codes_of(pod + "    name: gpu\n    resourceClaimName: x\n" + containers) == "7 Decode");
  CHECK(codes_of(pod + "  - name: [gpu]\n    resourceClaimName: x\n" + containers) == "7 Decode");
  // What would refer to a name.
  CHECK(codes_of(pod + "  - name: gpu\n    resourceClaimName: x\n  containers:\n  - name: c\n"
                       "    image: i\n    resources: text\n") == "12 Decode");
  CHECK(codes_of(pod + "  - name: gpu\n    resourceClaimName: x\n  containers:\n  - name: c\n"
                       "    image: i\n  resources:\n    claims:\n    - name: gpu\n") ==
        "14 Forbidden");
  // A field of the item above, with too little indentation.
  CHECK(codes_of(claim + "    - name: gpu\n    exactly:\n      deviceClassName: c\n") ==
        "9 UnknownField");
  CHECK(codes_of(pod + "  - name: gpu\n  resourceClaimName: x\n" + containers) == "8 UnknownField");
  // Fields of spec elsewhere, and a misspelt spec of a template.
  const std::string rule =
      "apiVersion: resource.k8s.io/v1\nkind: DeviceTaintRule\nmetadata:\n  name: a\n";
  CHECK(codes_of(rule + "  spec:\n    taint: {key: a.b/c, effect: NoSchedule}\n") ==
        "5 UnknownField");
  CHECK(codes_of(rule + "  taint: {key: a.b/c, effect: NoSchedule}\n") == "5 UnknownField");
  CHECK(codes_of("apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata:\n"
                 "  name: a\nspc:\n  metadata: {labels: {a: b}}\n  spec:\n    devices:\n      "
                 "requests:\n      - name: r\n        exactly: {deviceClassName: c}\n") ==
        "5 UnknownField");
  // An unknown field instead of one of several.
  CHECK(codes_of(pod + "  - name: gpu\n    claim: x\n" + containers) == "8 UnknownField");
  // A value of a list that has the wrong type.
  CHECK(codes_of("apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata:\n  name: a\n"
                 "  finalizers: [[a.b/c]]\n") == "5 Decode");
}

TEST_CASE("two mistakes are two findings") {
  CHECK(
      codes_of("apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata:\n  name: a\nspec:\n"
               "  devices:\n    requests:\n    - name: Gpu\n      exactly: {deviceClassNam: C}\n"
               "    constraints:\n    - requests: [nic]\n      matchAttribute: c\n") ==
      "8 Invalid, 9 UnknownField, 9 Invalid, 11 Invalid, 12 Invalid");
  // kubectl sends the last of two equal keys, so a reference to what it replaces is refused.
  CHECK(codes_of("apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  containers:\n"
                 "  - name: c\n    image: i\n    resources: {claims: [{name: nic}]}\n"
                 "  resourceClaims:\n  - name: tpu\n    resourceClaimName: a\n"
                 "    resourceClaimName: b\n") == "9 NotFound, 11 ClaimUnused, 13 DuplicateField");
}

TEST_CASE("kubectl requires fields of the items of a list that the server does not") {
  const auto checked = [](const std::string& text) {
    std::vector<CheckedObject> all;
    for (const Document& document : read_documents(text)) {
      const auto& tree = std::get<json::Value>(document);
      for (CheckedObject& object : ManifestChecker(kNewest).check(tree))
        all.push_back(std::move(object));
    }
    return all;
  };
  const std::string slice =
      R"({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "a"},
          "spec": {"driver": "d.example", "nodeName": "n", "devices": [{"name": "x"}],
                   "pool": {"name": "n", "resourceSliceCount": 1}}})";
  CHECK(errors_of(checked(slice)) == Errors{});
  const auto item = checked(R"({"apiVersion": "v1", "kind": "List", "items": [)" + slice + "]}");
  CHECK(errors_of(item) == Errors{"Required spec.pool.generation"});
  CHECK(item.front().findings.front().phase == Phase::Client);
  const auto typed =
      checked(R"({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSliceList", "items": [)" +
              slice + "]}");
  CHECK(errors_of(typed) == Errors{"Required spec.pool.generation"});
  // Of a key that is there twice the last value counts.
  const auto twice = checked(
      R"({"apiVersion": "v1", "kind": "List", "items": [
          {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "a"},
           "spec": {"driver": "d.example", "nodeName": "n", "devices": [{"name": "x"}],
                    "pool": {"name": "n", "resourceSliceCount": 1},
                    "pool": {"name": "n", "resourceSliceCount": 1, "generation": 1}}}]})");
  CHECK(errors_of(twice) == Errors{"DuplicateField spec.pool"});
  // What the server requires as well is found once.
  const std::string nameless =
      R"({"apiVersion": "v1", "kind": "List", "items": [
          {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "c"},
           "spec": {"devices": {"requests": [{"exactly": {"deviceClassName": "x"}}]}}}]})";
  CHECK(errors_of(checked(nameless)) == Errors{"Invalid spec.devices.requests[0].name"});
}

TEST_CASE("items of a list as servers send it are what the list says") {
  const auto list = [](std::string_view item) {
    return base::format(
        "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaimList, items: [{{{}metadata: {{name: "
        "a}}, spec: {{devices: {{requests: [{{name: r, exactly: {{count: 2}}}}]}}}}}}]}}",
        item);
  };
  CHECK(errors_of(list(""), kNewest) ==
        Errors{"Required spec.devices.requests[0].exactly.deviceClassName"});
  // What an item says of itself counts, also if it is half of it.
  CHECK(errors_of(list("kind: ResourceClaim, "), kNewest) == Errors{"Required apiVersion"});
  const auto documents = json::parse_yaml(list("")).take();
  REQUIRE(defined_names(documents.front()).size() == 1);
  CHECK(defined_names(documents.front()).front().name == "a");
}

TEST_CASE("rules for taints choose devices by class until Kubernetes v1.34") {
  constexpr std::string_view rule =
      "{apiVersion: resource.k8s.io/v1alpha3, kind: DeviceTaintRule, metadata: {name: r}, spec: "
      "{deviceSelector: {deviceClassName: big, selectors: [{cel: {expression: 'true'}}], devce: "
      "x}, "
      "taint: {key: k, effect: NoSchedule}}}";
  CHECK(errors_of(rule, {.version = "v1.34.2"}) ==
        Errors{"UnknownField spec.deviceSelector.devce"});
  CHECK(errors_of(rule, {.version = "v1.35.0"}) ==
        Errors{"UnknownField spec.deviceSelector.deviceClassName",
               "UnknownField spec.deviceSelector.devce",
               "UnknownField spec.deviceSelector.selectors"});
}

}  // namespace dra::checks::manifest_test
