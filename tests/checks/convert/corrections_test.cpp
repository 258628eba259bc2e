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

}  // namespace
}  // namespace dra::checks::corrections_test
