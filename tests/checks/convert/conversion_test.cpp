// tests/checks/convert/conversion_test.cpp: older versions, changed where they stand.

#include "dra/checks/convert/conversion.h"

#include <doctest/doctest.h>

#include <string>

namespace dra::checks::conversion_test {
namespace {

struct Row {
  const char* name;
  std::string before;
  std::string after;
  bool comments_lost = false;
};

const Row kRows[] = {
    {"nothing that is old", "a: 1 # one\n", "a: 1 # one\n"},
    {"a claim with comments and an order of its own",
     "apiVersion: resource.k8s.io/v1beta1 # old\n"
     "kind: ResourceClaim\n"
     "metadata: {name: a}\n"
     "spec:\n"
     "  devices:\n"
     "    requests:\n"
     "    # the device\n"
     "    - deviceClassName: gpu.example.com # which\n"
     "      name: gpu\n"
     "      # how many\n"
     "      count: 2\n"
     "      selectors:\n"
     "      - cel:\n"
     "          expression: |\n"
     "            device.driver ==\n"
     "              'a'\n"
     "    constraints: []\n",
     "apiVersion: resource.k8s.io/v1 # old\n"
     "kind: ResourceClaim\n"
     "metadata: {name: a}\n"
     "spec:\n"
     "  devices:\n"
     "    requests:\n"
     "    # the device\n"
     "    - name: gpu\n"
     "      exactly:\n"
     "        deviceClassName: gpu.example.com # which\n"
     "        # how many\n"
     "        count: 2\n"
     "        selectors:\n"
     "        - cel:\n"
     "            expression: |\n"
     "              device.driver ==\n"
     "                'a'\n"
     "    constraints: []\n"},
    {"in braces, and in quotes",
     "apiVersion: \"resource.k8s.io/v1beta1\"\n"
     "kind: ResourceClaimTemplate\n"
     "spec: {spec: {devices: {requests: [{name: a, deviceClassName: 'x, y', count: 1 }]}}}\n",
     "apiVersion: resource.k8s.io/v1\n"
     "kind: ResourceClaimTemplate\n"
     "spec: {spec: {devices: {requests: [{name: a, exactly: {deviceClassName: 'x, y', count: "
     "1}}]}}}\n"},
    {"a list as a server sends it",
     "apiVersion: resource.k8s.io/v1beta1 # of all\n"
     "kind: ResourceClaimList\n"
     "items:\n"
     "- metadata: {name: a} # one\n"
     "  spec: {devices: {requests: [{name: r, deviceClassName: c}]}}\n"
     "- apiVersion: resource.k8s.io/v1beta2\n"
     "  kind: DeviceClass\n"
     "- metadata: {name: b}\n",
     "apiVersion: resource.k8s.io/v1 # of all\n"
     "kind: ResourceClaimList\n"
     "items:\n"
     "- metadata: {name: a} # one\n"
     "  spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c}}]}}\n"
     "- apiVersion: resource.k8s.io/v1\n"
     "  kind: DeviceClass\n"
     "- metadata: {name: b}\n"},
    {"a list without its kind",
     "apiVersion: v1\nitems:\n- {apiVersion: resource.k8s.io/v1beta2, kind: DeviceClass}\n",
     "apiVersion: v1\nitems:\n- {apiVersion: resource.k8s.io/v1, kind: DeviceClass}\n"},
    {"JSON stays JSON",
     "{\"apiVersion\": \"resource.k8s.io/v1beta1\", \"kind\": \"ResourceClaim\",\n"
     " \"spec\": {\"devices\": {\"requests\": [{\"name\": \"a\", \"deviceClassName\": \"c\"}]}}}\n",
     "{\n"
     "    \"apiVersion\": \"resource.k8s.io/v1\",\n"
     "    \"kind\": \"ResourceClaim\",\n"
     "    \"spec\": {\n"
     "        \"devices\": {\n"
     "            \"requests\": [\n"
     "                {\n"
     "                    \"name\": \"a\",\n"
     "                    \"exactly\": {\n"
     "                        \"deviceClassName\": \"c\"\n"
     "                    }\n"
     "                }\n"
     "            ]\n"
     "        }\n"
     "    }\n"
     "}\n"},
    {"lines that end with a carriage return",
     "apiVersion: resource.k8s.io/v1beta1\r\n"
     "kind: ResourceClaim\r\n"
     "spec:\r\n"
     "  devices:\r\n"
     "    requests:\r\n"
     "    - name: a\r\n"
     "      deviceClassName: c\r\n",
     "apiVersion: resource.k8s.io/v1\r\n"
     "kind: ResourceClaim\r\n"
     "spec:\r\n"
     "  devices:\r\n"
     "    requests:\r\n"
     "    - name: a\r\n"
     "      exactly:\r\n"
     "        deviceClassName: c\r\n"},
    {"v1alpha3 has the shape of v1beta1",
     "apiVersion: resource.k8s.io/v1alpha3\n"
     "kind: ResourceClaim\n"
     "spec: {devices: {requests: [{name: a, deviceClassName: c}]}}\n",
     "apiVersion: resource.k8s.io/v1\n"
     "kind: ResourceClaim\n"
     "spec: {devices: {requests: [{name: a, exactly: {deviceClassName: c}}]}}\n"},
    {"alternatives stay as they are",
     "apiVersion: resource.k8s.io/v1beta1\n"
     "kind: ResourceClaim\n"
     "spec:\n"
     "  devices:\n"
     "    requests:\n"
     "    - name: a\n"
     "      firstAvailable:\n"
     "      - {name: b, deviceClassName: c}\n",
     "apiVersion: resource.k8s.io/v1\n"
     "kind: ResourceClaim\n"
     "spec:\n"
     "  devices:\n"
     "    requests:\n"
     "    - name: a\n"
     "      firstAvailable:\n"
     "      - {name: b, deviceClassName: c}\n"},
    {"devices of a slice",
     "apiVersion: resource.k8s.io/v1beta1\n"
     "kind: ResourceSlice\n"
     "spec:\n"
     "  devices:\n"
     "    - name: a\n"
     "      basic:\n"
     "        # kinds\n"
     "        attributes:\n"
     "          kind: {string: x}\n"
     "    - name: b\n"
     "      basic: {attributes: {kind: {string: y}}}\n"
     "    - name: c\n"
     "      basic: {}\n",
     "apiVersion: resource.k8s.io/v1\n"
     "kind: ResourceSlice\n"
     "spec:\n"
     "  devices:\n"
     "    - name: a\n"
     "      # kinds\n"
     "      attributes:\n"
     "        kind: {string: x}\n"
     "    - name: b\n"
     "      attributes: {kind: {string: y}}\n"
     "    - name: c\n"},
    {"the second of two documents",
     "a: 1\n---\napiVersion: resource.k8s.io/v1beta2\nkind: DeviceClass\nmetadata: {name: a}\n",
     "a: 1\n---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: a}\n"},
    {"behind an alias",
     "apiVersion: resource.k8s.io/v1beta1\n"
     "kind: ResourceClaim\n"
     "metadata: {annotations: {a: b}}\n"
     "spec: {devices: {requests: [&r {name: a, deviceClassName: c}, *r]}}\n",
     "apiVersion: resource.k8s.io/v1\n"
     "kind: ResourceClaim\n"
     "metadata:\n"
     "  annotations:\n"
     "    a: b\n"
     "spec:\n"
     "  devices:\n"
     "    requests:\n"
     "    - name: a\n"
     "      exactly:\n"
     "        deviceClassName: c\n"
     "    - name: a\n"
     "      exactly:\n"
     "        deviceClassName: c\n",
     true},
};

TEST_CASE("older versions become the newest") {
  for (const Row& row : kRows) {
    CAPTURE(row.name);
    const auto converted = to_newest(row.before);
    REQUIRE(converted.ok());
    CHECK(converted.value().text == row.after);
    CHECK(converted.value().comments_lost == row.comments_lost);
    // What is new stays as it is.
    CHECK(to_newest(row.after).value().text == row.after);
  }
}

TEST_CASE("what is no YAML cannot be converted") { CHECK_FALSE(to_newest("a: [").ok()); }

TEST_CASE("objects without a counterpart are named") {
  const auto converted = to_newest(
      "apiVersion: resource.k8s.io/v1alpha2\nkind: ResourceClaim\nmetadata: {name: c}\n---\n"
      "apiVersion: resource.k8s.io/v7\nkind: DeviceClass\n---\n"
      "apiVersion: example.com/v1\nkind: Thing\n");
  REQUIRE(converted.ok());
  const auto& hopeless = converted.value().hopeless;
  REQUIRE(hopeless.size() == 2);
  CHECK(hopeless[0].object == "ResourceClaim c of resource.k8s.io/v1alpha2");
  CHECK(hopeless[0].is_classic);
  CHECK(hopeless[0].position.line == 1);
  CHECK(hopeless[1].object == "DeviceClass of resource.k8s.io/v7");
  CHECK_FALSE(hopeless[1].is_classic);
}

// Later versions do not have these fields, and without them the rule chooses more devices.
TEST_CASE("a rule that chooses devices by class cannot be converted") {
  const std::string text =
      "apiVersion: resource.k8s.io/v1alpha3\nkind: DeviceTaintRule\nmetadata: {name: r}\n"
      "spec: {deviceSelector: {driver: d.com, deviceClassName: big}}\n---\n"
      "apiVersion: resource.k8s.io/v1alpha3\nkind: DeviceTaintRule\nmetadata: {name: s}\n"
      "spec: {deviceSelector: {driver: d.com}}\n";
  const auto converted = to_newest(text);
  REQUIRE(converted.ok());
  REQUIRE(converted.value().hopeless.size() == 1);
  CHECK(converted.value().hopeless[0].object == "DeviceTaintRule r of resource.k8s.io/v1alpha3");
  CHECK(converted.value().hopeless[0].advice.find("deviceClassName") != std::string::npos);
  CHECK(converted.value().objects == 1);
}

}  // namespace
}  // namespace dra::checks::conversion_test
