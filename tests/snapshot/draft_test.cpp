// tests/snapshot/draft_test.cpp: snapshots made from others, and what they share.

#include "dra/snapshot/draft.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <utility>

#include "dra/api/pod.h"
#include "tests/support/builders.h"

namespace dra::snapshot::draft_test {
namespace {

using support::allocated;
using support::exactly;
using support::scene;

Snapshot cluster() {
  return scene()
      .node("n1")
      .slice("n1", {"a", "b"})
      .claim("c", exactly("gpu", 1), allocated("{device: a, pool: n1}"))
      .claim("d", exactly("gpu", 1))
      .pod("p", "{name: c, resourceClaimName: c}")
      .build();
}

std::string names(const Snapshot& snapshot) {
  std::string text;
  for (const api::ResourceClaim& claim : snapshot.all<api::ResourceClaim>())
    text += std::string(claim.meta.name) + (claim.allocated() ? "* " : " ");
  return text;
}

api::ResourceClaim named(std::string_view name) {
  api::ResourceClaim claim;
  claim.meta.namespace_ = "default";
  claim.meta.name = name;
  return claim;
}

TEST_CASE("kinds that are not touched are shared, and the other snapshot stays as it is") {
  const Snapshot before = cluster();
  Draft draft(before);
  draft.change<api::ResourceClaim>(
      "default", "c", [](api::ResourceClaim& claim) { claim.status.allocation.reset(); });
  const Snapshot after = std::move(draft).finish();
  CHECK(names(before) == "c* d ");
  CHECK(names(after) == "c d ");
  CHECK(&before.all<api::ResourceSlice>() == &after.all<api::ResourceSlice>());
  CHECK(&before.all<api::ResourceClaim>() != &after.all<api::ResourceClaim>());
}

TEST_CASE("a kind is copied once, and edited in place while nobody else has it") {
  Draft draft(cluster());
  const auto* claims = &draft.now().all<api::ResourceClaim>();
  draft.add(std::vector{named("x")});
  draft.remove_if<api::ResourceClaim>(
      [](const api::ResourceClaim& claim) { return claim.meta.name == "d"; });
  CHECK(&draft.now().all<api::ResourceClaim>() == claims);
  const Snapshot seen = draft.now();
  draft.add(std::vector{named("y")});
  CHECK(names(seen) == "c* x ");
  CHECK(names(draft.now()) == "c* x y ");
}

TEST_CASE("what is added stands in order, and replaces what has its name") {
  Draft draft(cluster());
  draft.add(std::vector{named("z"), named("c"), named("b")});
  CHECK(names(draft.now()) == "b c d z ");
  CHECK_FALSE(draft.change<api::ResourceClaim>("default", "nosuch", [](auto&) {}));
}

TEST_CASE("a new pool has a number of its own, and the others keep theirs") {
  const Snapshot before = cluster();
  Draft draft(before);
  api::ResourceSlice slice = before.all<api::ResourceSlice>().front();
  slice.meta.name = draft.keep("s2");
  slice.spec.pool.name = draft.keep("another");
  draft.add(std::vector{std::move(slice)});
  const Snapshot after = std::move(draft).finish();
  CHECK(before.pools().names().size() == 1);
  REQUIRE(after.pools().names().size() == 2);
  CHECK(after.pools().sorted().size() == 2);
  const auto number = [&after](std::string_view name) {
    return after.find<api::ResourceSlice>(name)->spec.pool.number;
  };
  CHECK(after.pools().names()[number("s2")].pool == "another");
  CHECK(after.pools().names()[number("n1-slice")].pool == "n1");
  CHECK(after.find<api::ResourceClaim>("default", "c")
            ->status.allocation->devices.results.front()
            .pool_number == number("n1-slice"));
}

TEST_CASE("a snapshot outlives the one that it was made from") {
  std::optional<Snapshot> before = cluster();
  Draft draft(*before);
  draft.change<api::Pod>("default", "p", [&draft](api::Pod& pod) {
    pod.spec.node_name = draft.keep(std::string(40, 'n'));
  });
  const Snapshot after = std::move(draft).finish();
  before.reset();
  CHECK(names(after) == "c* d ");
  CHECK(after.find<api::Pod>("default", "p")->spec.node_name == std::string(40, 'n'));
}

}  // namespace
}  // namespace dra::snapshot::draft_test
