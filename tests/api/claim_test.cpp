// tests/api/claim_test.cpp: the fields of ResourceClaim and ResourceClaimTemplate.

#include "dra/api/claim.h"

#include <doctest/doctest.h>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::api::claim_test {
namespace {

using support::scene;

struct DemandCase {
  const char* name;
  std::string request;
  const char* want;  // every demand as "name: count or all"
};

std::string to_line(const DeviceRequest& request) {
  std::vector<std::string> demands;
  for (const NamedDemand& named : demands_of(request)) {
    demands.push_back(named.demand->all()
                          ? base::format("{}: all", named.name)
                          : base::format("{}: {}", named.name, named.demand->wanted()));
  }
  return base::join(demands, ", ");
}

TEST_CASE("the demands of a request") {
  const DemandCase rows[] = {
      {"a count is as written", support::exactly("gpu", 3), "gpu: 3"},
      {"no count is the server's default of one", "{name: r, exactly: {deviceClassName: gpu}}",
       "r: 1"},
      {"all is not a number", support::all("gpu"), "gpu: all"},
      {"alternatives are named as in allocation results",
       support::first_available("r", {"count: 2", "allocationMode: All"}), "r/a: 2, r/b: all"},
      {"a request of a kind that is not known has none", "{name: r, oneDay: {}}", ""},
  };
  for (const DemandCase& row : rows) {
    CAPTURE(row.name);
    const auto snapshot = scene().claim("c", row.request).build();
    const auto& requests = snapshot.all<ResourceClaim>().front().spec.devices.requests;
    CHECK(to_line(requests.front()) == row.want);
  }
}

TEST_CASE("a demand carries selectors, tolerations, capacity and derived attributes") {
  const auto snapshot =
      scene()
          .claim(
              "c",
              support::exactly(
                  "gpu", 1,
                  "adminAccess: true, selectors: [{cel: {expression: 'true'}}, {}], tolerations: "
                  "[{key: k, operator: Exists, effect: NoExecute, tolerationSeconds: 60}], "
                  "capacity: {requests: {memory: 10Gi}}, derivedAttributes: [{name: x.com/y, "
                  "expression: '1'}]"))
          .build();
  const DeviceDemand& demand =
      snapshot.all<ResourceClaim>().front().spec.devices.requests.front().exactly->demand;
  CHECK(demand.admin_access);
  REQUIRE(demand.selectors.size() == 2);
  CHECK(demand.selectors[0].expression() == "true");
  CHECK_FALSE(demand.selectors[1].cel);
  CHECK(demand.selectors[1].expression() == "");
  CHECK(demand.tolerations.front().seconds == 60);
  CHECK(find(demand.capacity->requests, "memory")->text == "10Gi");
  CHECK(demand.derived.front().name == "x.com/y");
}

TEST_CASE("a status carries the allocation and who reserved it") {
  const auto snapshot =
      scene()
          .claim("c", support::exactly("gpu", 1),
                 support::allocated("{device: gpu-0, pool: p, adminAccess: true, shareID: s, "
                                    "consumedCapacity: {memory: 5Gi}}",
                                    support::on_node("n1")) +
                     ", reservedFor: [{resource: pods, name: a, uid: 1a}, {apiGroup: "
                     "scheduling.k8s.io, resource: podgroups, name: g, uid: 2b}]")
          .build();
  const ResourceClaim& claim = snapshot.all<ResourceClaim>().front();
  REQUIRE(claim.allocated());
  const AllocationResultItem& result = claim.status.allocation->devices.results.front();
  CHECK(result.request == "gpu");
  CHECK(result.driver == "gpu.example.com");
  CHECK(result.admin_access);
  CHECK(result.share_id == "s");
  CHECK(find(result.consumed_capacity, "memory")->text == "5Gi");
  CHECK(claim.status.allocation->node_selector->terms.size() == 1);
  CHECK(claim.status.reserved_for[0].is_pod());
  CHECK_FALSE(claim.status.reserved_for[1].is_pod());
}

TEST_CASE("parameters stay JSON text") {
  const auto snapshot =
      scene()
          .yaml(
              "{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, "
              "metadata: {name: t}, spec: {metadata: {labels: {a: b}}, spec: "
              "{devices: {config: [{requests: [r], opaque: {driver: d, parameters: "
              "{kind: K, list: [1, 2]}}}]}}}}")
          .build();
  const ClaimTemplateSpec& spec = snapshot.all<ResourceClaimTemplate>().front().spec;
  CHECK(*find(spec.meta.labels, "a") == "b");
  const ClaimConfig& config = spec.spec.devices.config.front();
  CHECK(config.requests.front() == "r");
  CHECK(config.config.opaque->driver == "d");
  CHECK(config.config.opaque->parameters.text == R"({"kind":"K","list":[1,2]})");
}

}  // namespace
}  // namespace dra::api::claim_test
