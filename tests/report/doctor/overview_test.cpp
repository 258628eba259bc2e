// tests/report/doctor/overview_test.cpp

#include "dra/report/doctor/overview.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "dra/json/write.h"
#include "dra/render/fit.h"
#include "tests/support/builders.h"
#include "tests/support/document_text.h"

namespace dra::report::overview_test {
namespace {

using support::allocated;
using support::exactly;
using support::scene;
using Words = support::Scene;

const OverviewSource kSource{"demo", "x", "kubectl dra", " --demo"};

std::string text_of(const Words& words, bool wide = false) {
  const auto snapshot = words.build();
  const engine::Inventory inventory(snapshot);
  const auto overview = answers::overview_of(
      {snapshot, inventory}, {}, wide ? diag::Detail::Everything : diag::Detail::Screen);
  const view::Document view = to_view(overview, kSource, {.wide = wide});
  return support::text_of(wide ? view : render::fit(view, {}));
}

std::string json_of(const Words& words, std::string_view ns) {
  const auto snapshot = words.build();
  const engine::Inventory inventory(snapshot);
  return write_json(to_json(answers::overview_of({snapshot, inventory}, ns), kSource),
                    json::Style::Compact);
}

bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

Words claims_in_every_state() {
  const std::string reserved = "reservedFor: [{resource: pods, name: p, uid: p}]";
  const std::string d = allocated("{device: d, pool: n1}");
  return scene()
      .slice("n1", {"d"})
      .claim("pending", exactly("gpu", 1))
      .claim("idle", exactly("gpu", 1), allocated("{device: d, pool: n1, adminAccess: true}"))
      .claim("used", exactly("gpu", 1), d + ", " + reserved)
      .pod("p", "{name: a, resourceClaimName: used}", "nodeName: n1")
      .yaml(
          "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: going, "
          "namespace: default, deletionTimestamp: '2026-11-18T16:46:40Z'}}");
}

TEST_CASE("a cluster that is well says so in one line") {
  const std::string text = text_of(scene().node("n1").slice("n1", {"d"}));
  CHECK(says(text, "gpu.example.com | 1 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 1 | 1/1 | 0 | OK |"));
  CHECK(says(text, "Claims none"));
  CHECK(says(text, "Pods without a node none"));
  CHECK(says(text, "No problems found."));
}

TEST_CASE("claims are counted once each") {
  CHECK(says(text_of(claims_in_every_state()),
             "Claims 4: 1 in use, 1 allocated but unused, 1 pending, 1 deleting"));
  CHECK(says(json_of(claims_in_every_state(), {}),
             R"("claims":{"total":4,"deleting":1,"pending":1,"reserved":1,"allocated":1})"));
  CHECK(says(json_of(claims_in_every_state(), "other"), R"("claims":{"total":0,)"));
}

TEST_CASE("an empty cluster") {
  const std::string text = text_of(support::Scene(support::Scene::Empty{}));
  CHECK(says(text, "No driver publishes devices, and no class names one."));
  CHECK(says(text, "No problems found."));
}

TEST_CASE("what cannot be read is unknown, and never none") {
  const std::string text =
      text_of(scene().slice("n1", {"d"}).cannot_read(api::Kind::Claim).cannot_read(api::Kind::Pod));
  CHECK(says(text, "gpu.example.com | 1 | <unknown> | 0 | <unknown> | 0 |"));
  CHECK(says(text, "Claims <unknown>"));
  CHECK(says(text, "Pods without a node <unknown>"));
  CHECK(says(text, "warning: pods cannot be read"));
  CHECK(says(text, "kubectl dra rbac --demo"));
  CHECK_FALSE(says(text, "No problems found"));
  const std::string json = json_of(
      scene().slice("n1", {"d"}).cannot_read(api::Kind::Claim).cannot_read(api::Kind::Pod), {});
  CHECK(says(json, R"("claims":null,"podsWaiting":null)"));
  CHECK(says(json, R"("coverage":{"missing":[{"kind":"ResourceClaim")"));
  CHECK(says(text_of(scene().cannot_read(api::Kind::Slice)), "slices cannot be read"));
}

TEST_CASE("what does not fit the screen is counted, and -o wide has it") {
  Words words = scene();
  for (int i = 0; i < 12; ++i) {
    words.slice({.name = base::format("s{}", i), .driver = base::format("d{}.com", i + 10)});
    words.pod(base::format("p{}", i), base::format("{{name: a, resourceClaimName: c{}}}", i));
  }
  const std::string text = text_of(words);
  CHECK(says(text, "+4 more: kubectl dra drivers --demo"));
  CHECK(says(text, "PROBLEMS  12 errors"));
  CHECK(says(text, " more: kubectl dra overview -o wide --demo"));
  const std::string wide = text_of(words, true);
  CHECK(says(wide, "d21.com"));
  CHECK(says(wide, "Claim default/c11 does not exist"));
  CHECK_FALSE(says(wide, " more: "));
}

TEST_CASE("of many subjects a few are named, and with -o wide all") {
  Words words = scene().node("n1");
  for (const char* name : {"p1", "p2", "p3", "p4"})
    words.pod(name, "{name: a, resourceClaimName: c}");
  CHECK(says(text_of(words), "4 pods (default/p1, default/p2, +2): Pending."));
  CHECK(says(text_of(words, true),
             "4 pods (default/p1, default/p2, default/p3, default/p4): Pending."));
}

TEST_CASE("the oldest pod that waits is named") {
  const std::string text = text_of(
      scene()
          .yaml("{apiVersion: v1, kind: Pod, metadata: {name: new, namespace: ml, "
                "creationTimestamp: '2026-11-18T16:46:40Z'}, spec: {resourceClaims: [{name: a, "
                "resourceClaimName: none}]}}")
          .yaml("{apiVersion: v1, kind: Pod, metadata: {name: old, namespace: ml, "
                "creationTimestamp: '2026-11-17T16:46:40Z'}, spec: {resourceClaims: [{name: a, "
                "resourceClaimName: none}]}}"));
  CHECK(says(text, "Pods without a node 2: the oldest is ml/old for "));
}

}  // namespace
}  // namespace dra::report::overview_test
