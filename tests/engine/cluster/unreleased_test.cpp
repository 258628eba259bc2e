// tests/engine/cluster/unreleased_test.cpp

#include "dra/engine/cluster/unreleased.h"

#include <doctest/doctest.h>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::unreleased_test {
namespace {

using support::allocated;
using support::Scene;
using support::scene;

// 2026-06-01T09:00:00Z
constexpr base::Instant kNow{1'780'304'400};

Scene with_claim(std::string_view meta, std::string_view reserved) {
  return scene().yaml(base::format(
      "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: c, namespace: "
      "default{}}}, status: {{{}, reservedFor: [{}]}}}}",
      meta, allocated("{device: gpu-0, pool: n1}"), reserved));
}

bool unreleased(Scene scene) {
  const snapshot::Snapshot snapshot = scene.build();
  return is_unreleased(snapshot, *snapshot.find<api::ResourceClaim>("default", "c"), kNow);
}

constexpr const char* kPod = "{resource: pods, name: p, uid: p}";
constexpr const char* kEnded =
    "phase: Succeeded, containerStatuses: [{name: m, state: {terminated: {exitCode: 0, "
    "finishedAt: '2026-06-01T08:00:00Z'}}}]";

TEST_CASE("claims that nothing has released") {
  CHECK(unreleased(with_claim("", kPod)));
  CHECK(unreleased(with_claim("", kPod).pod("p", "", "nodeName: n1", kEnded)));
  CHECK(unreleased(with_claim(", deletionTimestamp: '2026-06-01T08:00:00Z'", kPod)));
  CHECK(unreleased(with_claim(", deletionTimestamp: '2026-06-01T08:00:00Z'", "")));
}

TEST_CASE("claims that are in use, or free by themselves") {
  CHECK(!unreleased(with_claim("", kPod).pod("p", "", "nodeName: n1", "phase: Running")));
  CHECK(!unreleased(with_claim("", "{apiGroup: x.example.com, resource: jobs, name: p, uid: p}")));
  CHECK(!unreleased(with_claim(", deletionTimestamp: '2026-06-01T08:59:50Z'", kPod)));
  CHECK(!unreleased(with_claim("", "")));
  CHECK(!unreleased(with_claim("", kPod).cannot_read(api::Kind::Pod)));
}

}  // namespace
}  // namespace dra::engine::unreleased_test
