// tests/report/lists/list_test.cpp: API objects and envelopes.

#include "dra/report/lists/list.h"
#include "dra/api/cluster_objects.h"
#include "dra/report/phrases/envelope.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/json/write.h"
#include "tests/support/builders.h"

namespace dra::report::list_test {
namespace {

using support::scene;

std::string compact(const json::Value& value) { return write_json(value, json::Style::Compact); }

TEST_CASE("API objects stand as kubectl prints them") {
  const auto snapshot = scene()
                            .yaml(
                                "{spec: {z1: 1, a1: {later: [1.50, null]}}, metadata: {uid: u, "
                                "name: a, managedFields: "
                                "[{manager: m}]}, kind: Node, apiVersion: v1}")
                            .build();
  const api::Origin& origin = snapshot.all<api::Node>().front().origin;
  const std::string object =
      R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"a","uid":"u"},)"
      R"("spec":{"a1":{"later":[1.5,null]},"z1":1}})";
  CHECK(compact(api_object(origin)) == object);
  CHECK(compact(api_list({api_object(origin)})) ==
        R"({"apiVersion":"v1","items":[)" + object +
            R"(],"kind":"List","metadata":{"resourceVersion":""}})");
  CHECK(compact(api_object(origin, true)) ==
        R"({"apiVersion":"v1","kind":"Node","metadata":{"managedFields":[{"manager":"m"}],)"
        R"("name":"a","uid":"u"},"spec":{"a1":{"later":[1.5,null]},"z1":1}})");
  CHECK(compact(api_list({})) ==
        R"({"apiVersion":"v1","items":[],"kind":"List","metadata":{"resourceVersion":""}})");
}

TEST_CASE("objects of a server's list get the version and kind that their items lack") {
  api::Origin origin{.raw = R"({"metadata":{"name":"c"}})",
                     .api_version = "resource.k8s.io/v1beta2",
                     .kind = "ResourceClaim"};
  CHECK(
      compact(api_object(origin)) ==
      R"({"apiVersion":"resource.k8s.io/v1beta2","kind":"ResourceClaim","metadata":{"name":"c"}})");
}

TEST_CASE("coverage stands in a report only when something is missing") {
  json::Value report = report_object("PoolList");
  snapshot::Coverage coverage;
  add_coverage(report, coverage);
  CHECK(compact(report) == R"({"apiVersion":"dra.kubectl/v1","kind":"PoolList"})");
  coverage.add(api::Kind::Slice, "no");
  coverage.add(api::Kind::Claim, "forbidden");
  add_coverage(report, coverage);
  CHECK(
      compact(report) ==
      R"({"apiVersion":"dra.kubectl/v1","kind":"PoolList","coverage":{"missing":[)"
      R"({"kind":"ResourceClaim","reason":"forbidden"},{"kind":"ResourceSlice","reason":"no"}]}})");
}

}  // namespace
}  // namespace dra::report::list_test
