// tests/api/upgrade_test.cpp

#include "dra/api/upgrade.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/json/write.h"
#include "dra/json/yaml.h"

namespace dra::api::upgrade_test {
namespace {

json::Value parse(std::string_view yaml) {
  auto documents = json::parse_yaml(yaml);
  REQUIRE(documents.ok());
  REQUIRE(documents.value().size() == 1);
  return std::move(documents.value().front());
}

struct Case {
  const char* name;
  Kind kind;
  const char* before;  // v1beta1
  const char* after;   // v1
};

const Case kCases[] = {
    {"the fields beside a request's name go under exactly", Kind::Claim,
     "{spec: {devices: {requests: [{name: r, deviceClassName: c, count: 2, selectors: []}]}}}",
     "{spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c, count: 2, selectors: "
     "[]}}]}}}"},
    {"a field that came later goes with them", Kind::Claim,
     "{spec: {devices: {requests: [{name: r, deviceClassName: c, later: 1}]}}}",
     "{spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c, later: 1}}]}}}"},
    {"alternatives stay where they are", Kind::Claim,
     "{spec: {devices: {requests: [{name: r, firstAvailable: [{name: a, deviceClassName: c}]}]}}}",
     "{spec: {devices: {requests: [{name: r, firstAvailable: [{name: a, deviceClassName: c}]}]}}}"},
    {"the empty class that servers send beside alternatives is not set", Kind::Claim,
     "{spec: {devices: {requests: [{name: r, deviceClassName: '', firstAvailable: [{name: a, "
     "deviceClassName: c}]}]}}}",
     "{spec: {devices: {requests: [{name: r, firstAvailable: [{name: a, deviceClassName: c}]}]}}}"},
    {"a count of zero and nulls are not set", Kind::Claim,
     "{spec: {devices: {requests: [{name: r, deviceClassName: '', allocationMode: '', count: 0, "
     "adminAccess: null, selectors: null}]}}}",
     "{spec: {devices: {requests: [{name: r}]}}}"},
    {"admin access that is denied is set", Kind::Claim,
     "{spec: {devices: {requests: [{name: r, adminAccess: false}]}}}",
     "{spec: {devices: {requests: [{name: r, exactly: {adminAccess: false}}]}}}"},
    {"an empty class stays beside a field that is set", Kind::Claim,
     "{spec: {devices: {requests: [{name: r, deviceClassName: '', count: 2}]}}}",
     "{spec: {devices: {requests: [{name: r, exactly: {deviceClassName: '', count: 2}}]}}}"},
    {"a status is the same in all versions", Kind::Claim,
     "{status: {allocation: {devices: {results: [{request: r}]}}}}",
     "{status: {allocation: {devices: {results: [{request: r}]}}}}"},
    {"a template holds the claim's spec one level deeper", Kind::Template,
     "{spec: {spec: {devices: {requests: [{name: r, deviceClassName: c}]}}}}",
     "{spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c}}]}}}}"},
    {"a device's fields are lifted out of basic", Kind::Slice,
     "{spec: {devices: [{name: d, basic: {attributes: {x: {int: 1}}, capacity: {}}}]}}",
     "{spec: {devices: [{name: d, attributes: {x: {int: 1}}, capacity: {}}]}}"},
    {"a device without basic has only its name", Kind::Slice, "{spec: {devices: [{name: d}]}}",
     "{spec: {devices: [{name: d}]}}"},
    {"an empty node name is not set", Kind::Slice, "{spec: {nodeName: '', allNodes: true}}",
     "{spec: {allNodes: true}}"},
    {"all nodes denied is not set", Kind::Slice, "{spec: {nodeName: n, allNodes: false}}",
     "{spec: {nodeName: n}}"},
    {"a slice without a spec is left alone", Kind::Slice, "{metadata: {name: s}}",
     "{metadata: {name: s}}"},
    {"values of the wrong type are left for the decoder", Kind::Claim,
     "{spec: {devices: {requests: none}}}", "{spec: {devices: {requests: none}}}"},
    {"a spec of the wrong type is left for the decoder", Kind::Slice, "{spec: [1]}", "{spec: [1]}"},
};

TEST_CASE("v1beta1 becomes v1") {
  for (const Case& row : kCases) {
    CAPTURE(row.name);
    json::Value object = parse(row.before);
    to_v1(row.kind, "v1beta1", object);
    CHECK(write_json(object, json::Style::Compact) ==
          write_json(parse(row.after), json::Style::Compact));
    // What is v1 already stays as it is.
    to_v1(row.kind, "v1", object);
    CHECK(write_json(object, json::Style::Compact) ==
          write_json(parse(row.after), json::Style::Compact));
  }
}

TEST_CASE("values keep their place through the rewrite") {
  json::Value claim = parse("spec:\n  devices:\n    requests:\n    - name: r\n      count: 2\n");
  to_v1(Kind::Claim, "v1beta1", claim);
  const json::Value& request = claim.at({"spec", "devices", "requests"})->items().front();
  const json::Value* count = request.at({"exactly", "count"});
  REQUIRE(count != nullptr);
  CHECK(count->position().line == 5);
  CHECK(count->position().column == 14);
}

struct NeedCase {
  const char* name;
  Kind kind;
  const char* version;
  bool want;
};

const NeedCase kNeeds[] = {
    {"claims changed their shape", Kind::Claim, "v1beta1", true},
    {"templates hold claims", Kind::Template, "v1beta1", true},
    {"slices changed their shape", Kind::Slice, "v1beta1", true},
    {"classes did not", Kind::Class, "v1beta1", false},
    {"v1beta2 has v1's shape", Kind::Claim, "v1beta2", false},
    {"v1 is v1", Kind::Slice, "v1", false},
    {"taint rules never changed", Kind::TaintRule, "v1alpha3", false},
};

TEST_CASE("which versions need a rewrite") {
  for (const NeedCase& row : kNeeds) {
    CAPTURE(row.name);
    CHECK(needs_upgrade(row.kind, row.version) == row.want);
  }
}

}  // namespace
}  // namespace dra::api::upgrade_test
