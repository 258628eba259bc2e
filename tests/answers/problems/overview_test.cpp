// tests/answers/problems/overview_test.cpp

#include "dra/answers/problems/overview.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::answers::overview_test {
namespace {

using support::allocated;
using support::exactly;
using support::scene;
using Words = support::Scene;

// "4 = 1 deleting + 1 pending + 1 reserved + 1 allocated"
std::string claims_of(const Words& words, std::string_view ns) {
  const auto snapshot = words.build();
  const engine::Inventory inventory(snapshot);
  const auto counts = overview_of({snapshot, inventory}, ns).claims;
  if (!counts) return "unknown";
  return base::format("{} = {} deleting + {} pending + {} reserved + {} allocated", counts->total,
                      counts->deleting, counts->pending, counts->reserved, counts->allocated);
}

Words claims_in_every_state() {
  const std::string reserved = "reservedFor: [{resource: pods, name: p, uid: p}]";
  const std::string d = allocated("{device: d, pool: n1}");
  return scene()
      .slice("n1", {"d"})
      .claim("pending", exactly("gpu", 1))
      .claim("idle", exactly("gpu", 1), allocated("{device: d, pool: n1, adminAccess: true}"))
      .claim("used", exactly("gpu", 1), d + ", " + reserved)
      .yaml(
          "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: going, "
          "namespace: default, deletionTimestamp: '2026-11-18T16:46:40Z'}}");
}

TEST_CASE("a claim is counted in the first state that applies") {
  struct Case {
    const char* name;
    Words scene;
    const char* ns;
    const char* want;
  };
  const Case rows[] = {
      {"every state", claims_in_every_state(), "",
       "4 = 1 deleting + 1 pending + 1 reserved + 1 allocated"},
      {"another namespace", claims_in_every_state(), "other",
       "0 = 0 deleting + 0 pending + 0 reserved + 0 allocated"},
      {"claims that cannot be read", scene().cannot_read(api::Kind::Claim), "", "unknown"},
  };
  for (const Case& row : rows) {
    CAPTURE(std::string(row.name));
    CHECK(claims_of(row.scene, row.ns) == row.want);
  }
}

// Names of waiting pods, the oldest first.
std::string waiting_of(const Words& words, std::string_view ns) {
  const auto snapshot = words.build();
  const engine::Inventory inventory(snapshot);
  const Overview overview = overview_of({snapshot, inventory}, ns);
  if (!overview.waiting) return "unknown";
  std::vector<std::string> names;
  for (const api::Pod* pod : *overview.waiting)
    names.emplace_back(pod->meta.name);
  return base::join(names, ", ");
}

TEST_CASE("pods that wait, the oldest first, of one namespace") {
  const auto pod = [](std::string_view name, std::string_view ns, std::string_view created) {
    return base::format(
        "{{apiVersion: v1, kind: Pod, metadata: {{name: {}, namespace: {}, creationTimestamp: "
        "'{}'}}, spec: {{resourceClaims: [{{name: a, resourceClaimName: none}}]}}}}",
        name, ns, created);
  };
  const Words words = scene()
                          .yaml(pod("new", "ml", "2026-11-18T16:46:40Z"))
                          .yaml(pod("old", "ml", "2026-11-17T16:46:40Z"))
                          .yaml(pod("other", "web", "2026-11-16T16:46:40Z"));
  CHECK(waiting_of(words, "") == "other, old, new");
  CHECK(waiting_of(words, "ml") == "old, new");
  CHECK(waiting_of(scene().cannot_read(api::Kind::Pod), "") == "unknown");
}

}  // namespace
}  // namespace dra::answers::overview_test
