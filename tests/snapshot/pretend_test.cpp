// tests/snapshot/pretend_test.cpp: who holds what when somebody is taken to be still waiting.

#include "dra/snapshot/pretend.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/builders.h"

namespace dra::snapshot {
namespace {

using support::allocated;
using support::exactly;
using support::scene;

constexpr const char* kByP = ", reservedFor: [{resource: pods, name: p, uid: p}]";
constexpr const char* kByBoth =
    ", reservedFor: [{resource: pods, name: p, uid: p}, {resource: pods, name: q, uid: q}]";

Snapshot cluster() {
  return scene()
      .claim("own", exactly("gpu", 1), allocated("{device: gpu-0, pool: n1}") + kByP)
      .claim("shared", exactly("gpu", 1), allocated("{device: gpu-1, pool: n1}") + kByBoth)
      .claim("other", exactly("gpu", 1), allocated("{device: gpu-2, pool: n1}"))
      .pod("p", "{name: a, resourceClaimName: own}, {name: b, resourceClaimName: shared}",
           "nodeName: n1", "conditions: [{type: PodScheduled, status: 'True'}]")
      .build();
}

// The claims that are allocated, each with the number of its consumers.
std::string held(const Snapshot& snapshot) {
  std::string text;
  for (const api::ResourceClaim& claim : snapshot.all<api::ResourceClaim>()) {
    if (claim.allocated())
      text += std::string(claim.meta.name) + ":" +
              std::to_string(claim.status.reserved_for.size()) + " ";
  }
  return text;
}

TEST_CASE("a pod that waits holds nothing, and others keep what they share with it") {
  Snapshot snapshot = cluster();
  CHECK(held(snapshot) == "other:0 own:1 shared:2 ");
  pretend_pending(snapshot, "default", "p");
  CHECK(held(snapshot) == "other:0 shared:1 ");
  const api::Pod& pod = *snapshot.find<api::Pod>("default", "p");
  CHECK(pod.spec.node_name.empty());
  CHECK(pod.status.conditions.empty());
}

TEST_CASE("claims that are not allocated, whoever has reserved them") {
  Snapshot snapshot = cluster();
  pretend_unallocated(snapshot, "default", {"shared", "nosuch"});
  CHECK(held(snapshot) == "other:0 own:1 ");
  CHECK(snapshot.find<api::ResourceClaim>("default", "shared")->status.reserved_for.empty());
}

TEST_CASE("nothing happens to what is not named") {
  Snapshot snapshot = cluster();
  pretend_pending(snapshot, "default", "nosuch");
  pretend_pending(snapshot, "elsewhere", "p");
  pretend_unallocated(snapshot, "elsewhere", {"own"});
  CHECK(held(snapshot) == "other:0 own:1 shared:2 ");
}

}  // namespace
}  // namespace dra::snapshot
