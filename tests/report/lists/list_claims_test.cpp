// tests/report/lists/list_claims_test.cpp

#include "dra/report/lists/list_claims.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/claim.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"
#include "tests/support/document_text.h"

namespace dra::report::list_claims_test {
namespace {

using support::allocated;
using support::exactly;
using support::on_node;
using support::Scene;
using support::scene;

ListOptions at_nine() { return {.now = base::parse_rfc3339("2026-11-20T09:00:00Z").value()}; }

std::vector<ClaimRow> rows_in(const snapshot::Snapshot& snapshot) {
  std::vector<ClaimRow> rows;
  for (const auto& claim : snapshot.all<api::ResourceClaim>())
    rows.push_back(claim_row(snapshot, claim));
  return rows;
}

struct Case {
  const char* name;
  Scene scene;       // with one claim
  const char* want;  // NAME | STATE | REQUESTS | DEVICES | NODE | USED-BY | AGE
};

TEST_CASE("rows") {
  const std::string of_n1 = allocated("{device: gpu-0, pool: p}", on_node("n1"));
  const Case rows[] = {
      {"a claim that waits", scene().claim("c", exactly("gpu", 2)),
       "c | pending | 2 x gpu | <none> | <none> | <none> | <unknown>\n"},
      {"a claim of a class that does not exist says so", scene().claim("c", exactly("gpus", 1)),
       "c | pending (ClassMissing) | 1 x gpus | <none> | <none> | <none> | <unknown>\n"},
      {"unless classes are not visible",
       scene().claim("c", exactly("gpus", 1)).cannot_read(api::Kind::Class),
       "c | pending | 1 x gpus | <none> | <none> | <none> | <unknown>\n"},
      {"a claim that asks for nothing", scene().claim("c", ""),
       "c | pending | <none> | <none> | <none> | <none> | <unknown>\n"},
      {"allocated, used by nobody", scene().claim("c", exactly("gpu", 1), of_n1),
       "c | allocated | 1 x gpu | gpu-0 | n1 | <none> | <unknown>\n"},
      {"a class that is gone does not matter any more",
       scene().claim("c", exactly("gpus", 1), of_n1),
       "c | allocated | 1 x gpus | gpu-0 | n1 | <none> | <unknown>\n"},
      {"allocated for every node",
       scene().claim("c", exactly("gpu", 1), allocated("{device: gpu-0, pool: p}")),
       "c | allocated | 1 x gpu | gpu-0 | <all> | <none> | <unknown>\n"},
      {"an empty allocation", scene().claim("c", "", allocated("")),
       "c | allocated | <none> | <none> | <all> | <none> | <unknown>\n"},
      {"more users than a row holds",
       scene().claim("c", exactly("gpu", 1),
                     of_n1 +
                         ", reservedFor: [{resource: pods, name: a1}, {resource: pods, name: b1}, "
                         "{resource: pods, name: c1}, {resource: pods, name: d1}]"),
       "c | allocated,reserved | 1 x gpu | gpu-0 | n1 | a1,b1,c1,+1 | <unknown>\n"},
      {"devices are folded, each once",
       scene().claim(
           "c", exactly("gpu", 4),
           allocated("{device: gpu-0, pool: p}, {device: gpu-1, pool: p}, {device: gpu-2, pool: "
                     "p}, {device: gpu-2, pool: p, shareID: s1}")),
       "c | allocated | 4 x gpu | gpu-0…2 | <all> | <none> | <unknown>\n"},
      {"requests and alternatives",
       scene().claim("c", exactly("gpu", 1) + ", " +
                              support::first_available("r", {"count: 2", "allocationMode: All"})),
       "c | pending | 1 x gpu, 2 x gpu or all x gpu | <none> | <none> | <none> | <unknown>\n"},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    CHECK(support::rows_of(claims_view(rows_in(row.scene.build()), at_nine())) == row.want);
  }
}

struct StateCase {
  const char* name;
  const char* claim;
  const char* want;
};

// As the server prints them: printers.go, resourceClaimState.
const StateCase kStates[] = {
    {"c01-pending-unused", "pending", "pending"},
    {"c02-pending-no-class", "pending", "pending (ClassMissing)"},
    {"c03-allocated-idle", "allocated", "allocated"},
    {"c04-shared", "allocated,reserved", "allocated,reserved"},
    {"c09-deleting", "deleted,allocated,reserved", "deleted,allocated,reserved"},
};

TEST_CASE("states as kubectl words them") {
  const auto snapshot = support::load("tests/fixtures/claims.yaml");
  for (const StateCase& row : kStates) {
    CAPTURE(row.name);
    const auto* claim = snapshot.find<api::ResourceClaim>("team-a", row.name);
    REQUIRE(claim != nullptr);
    CHECK(claim_state(*claim) == row.claim);
    CHECK(claim_row(snapshot, *claim).state == row.want);
  }
}

TEST_CASE("a claim that is going away without devices") {
  const auto snapshot =
      scene()
          .yaml(
              "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c, "
              "deletionTimestamp: '2026-11-20T08:00:00Z'}}")
          .build();
  CHECK(claim_state(snapshot.all<api::ResourceClaim>().front()) == "deleted");
}

TEST_CASE("the columns for wide lists") {
  const auto snapshot =
      scene()
          .claim(
              "c",
              exactly("gpu", 1, "selectors: [{cel: {expression: a1}}, {cel: {expression: b1}}]") +
                  ", " +
                  "{name: two, exactly: {deviceClassName: gpu, selectors: [{cel: {expression: "
                  "a1}}]}}",
              allocated("{device: d0, pool: p1}, {device: d1, pool: p2}"))
          .build();
  const ClaimRow row = rows_in(snapshot).front();
  CHECK(row.classes == "gpu");
  CHECK(row.selectors == "a1; b1");
  CHECK(row.pools == "p1,p2");
  CHECK(row.drivers == "gpu.example.com");
}

TEST_CASE("the namespace is a column where there are several") {
  const auto snapshot = scene().claim("c", exactly("gpu", 1)).build();
  ListOptions options = at_nine();
  options.all_namespaces = true;
  CHECK(support::rows_of(claims_view(rows_in(snapshot), options))
            .starts_with("default | c | pending"));
}

TEST_CASE("the age is told from the clock that was given") {
  const auto snapshot =
      scene()
          .yaml(
              "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c, "
              "creationTimestamp: '2026-11-20T08:15:00Z'}}")
          .build();
  CHECK(support::column_of(claims_view(rows_in(snapshot), at_nine()), "AGE") == "45m\n");
}

}  // namespace
}  // namespace dra::report::list_claims_test
