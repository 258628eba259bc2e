// tests/checks/convert/corrections_test.cpp: what is corrected without asking.

#include "dra/checks/convert/corrections.h"

#include <doctest/doctest.h>

#include <string>

namespace dra::checks::corrections_test {
namespace {

struct Row {
  const char* name;
  std::string before;
  std::string after;
};

const Row kRows[] = {
    {"nothing to correct", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n",
     "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"},
    {"the old shape under the new version",
     "apiVersion: resource.k8s.io/v1\n"
     "kind: ResourceClaim\n"
     "metadata: {name: a}\n"
     "spec:\n"
     "  devices:\n"
     "    requests:\n"
     "    - name: gpu\n"
     "      deviceClassName: c # which\n"
     "    - name: nic\n"
     "      exactly: {deviceClassName: d}\n",
     "apiVersion: resource.k8s.io/v1\n"
     "kind: ResourceClaim\n"
     "metadata: {name: a}\n"
     "spec:\n"
     "  devices:\n"
     "    requests:\n"
     "    - name: gpu\n"
     "      exactly:\n"
     "        deviceClassName: c # which\n"
     "    - name: nic\n"
     "      exactly: {deviceClassName: d}\n"},
    {"the old shape under the version after it",
     "apiVersion: resource.k8s.io/v1beta2\n"
     "kind: ResourceClaim\n"
     "spec: {devices: {requests: [{name: r, deviceClassName: c}]}}\n",
     "apiVersion: resource.k8s.io/v1\n"
     "kind: ResourceClaim\n"
     "spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c}}]}}\n"},
    {"the new shape under an old version",
     "apiVersion: resource.k8s.io/v1beta1\n"
     "kind: ResourceClaim\n"
     "metadata: {name: a}\n"
     "spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c}}]}}\n",
     "apiVersion: resource.k8s.io/v1\n"
     "kind: ResourceClaim\n"
     "metadata: {name: a}\n"
     "spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c}}]}}\n"},
    {"names, wherever they stand",
     "apiVersion: resource.k8s.io/v1\n"
     "kind: ResourceClaimTemplate\n"
     "metadata: {name: \"One-GPU\"}\n"
     "spec: {spec: {devices: {requests: [{name: Gpu, exactly: {deviceClassName: A.b}}]}}}\n"
     "---\n"
     "apiVersion: v1\n"
     "kind: Pod\n"
     "metadata: {name: p}\n"
     "spec: {resourceClaims: [{name: g, resourceClaimTemplateName: One-GPU}]}\n",
     "apiVersion: resource.k8s.io/v1\n"
     "kind: ResourceClaimTemplate\n"
     "metadata: {name: one-gpu}\n"
     "spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: a.b}}]}}}\n"
     "---\n"
     "apiVersion: v1\n"
     "kind: Pod\n"
     "metadata: {name: p}\n"
     "spec: {resourceClaims: [{name: g, resourceClaimTemplateName: one-gpu}]}\n"},
};

TEST_CASE("corrections") {
  const ManifestChecker checker{snapshot::Server()};
  for (const Row& row : kRows) {
    CAPTURE(row.name);
    const auto corrected = correct(row.before, checker);
    REQUIRE(corrected.ok());
    CHECK(corrected.value().text == row.after);
    CHECK(correct(row.after, checker).value().text == row.after);
  }
}

TEST_CASE("objects stay in a version that the release has") {
  const std::string claim =
      "apiVersion: resource.k8s.io/v1beta2\nkind: ResourceClaim\nmetadata: {name: A-b}\n";
  const std::string rule =
      "---\napiVersion: resource.k8s.io/v1alpha3\nkind: DeviceTaintRule\nmetadata: {name: r}\n";
  const auto corrected = [&](const char* release) {
    return correct(claim + rule, ManifestChecker({.version = release})).value().text;
  };
  const auto versions = [](const std::string& text) {
    std::string all;
    for (std::size_t at = 0; (at = text.find("k8s.io/", at)) != std::string::npos; ++at)
      all += text.substr(at + 7, text.find('\n', at) - at - 7) + " ";
    return all;
  };
  CHECK(versions(corrected("v1.33.1")) == "v1beta2 v1alpha3 ");
  CHECK(versions(corrected("v1.36.0")) == "v1 v1alpha3 ");
  CHECK(versions(corrected("v1.37.0")) == "v1 v1 ");
  CHECK(corrected("v1.33.1").find("name: a-b") != std::string::npos);
}

}  // namespace
}  // namespace dra::checks::corrections_test
