// tests/answers/diff/comparison_test.cpp: which change made the difference.

#include "dra/answers/diff/comparison.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/answers/diff/diff.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::answers::comparison_test {
namespace {

using support::allocated;
using support::exactly;
using support::Scene;
using support::scene;

const engine::Wanted kClaim{.namespace_ = "default", .pod = {}, .claims = {"c"}};

std::string held_by(const std::string& device) {
  return allocated("{device: " + device + ", pool: n1}", support::on_node("n1"));
}

// Two free devices, one claim, and things that do not matter.
Scene cluster() {
  return scene()
      .node("n1")
      .node("n2")
      .slice("n1", {"a", "b"})
      .claim("c", exactly("gpu", 1))
      .claim("idle", exactly("gpu", 1));
}

std::string decisive(const Scene& before, const Scene& after) {
  const auto old = before.build();
  const auto now = after.build();
  const Comparison found = compare(old, now, kClaim);
  CHECK_FALSE(found.bounded);
  std::vector<std::string> names;
  for (const ObjectChange& one : found.decisive)
    names.emplace_back(one.object.name);
  return base::join(names, " ");
}

TEST_CASE("which change made the difference") {
  const Scene free = cluster();
  Scene full = cluster();
  full.claim("x", exactly("gpu", 1), held_by("a")).claim("z", exactly("gpu", 1), held_by("b"));
  full.node("n3").device_class("other", "true");
  CHECK(decisive(free, full) == "x z");
  // Either was enough to let it fit again.
  CHECK((decisive(full, free) == "x" || decisive(full, free) == "z"));
  CHECK(decisive(free, free).empty());
  Scene more = cluster();
  more.node("n3");
  CHECK(decisive(free, more).empty());
  Scene stricter =
      scene().node("n1").node("n2").slice("n1", {"a", "b"}).claim("c", exactly("gpu", 9));
  CHECK(decisive(free, stricter) == "c");
}

TEST_CASE("a subject that is new is no change") {
  const auto with = [](const char* more) {
    return scene().node("n1").slice("n1", {"a"}).claim("x", exactly("gpu", 1), more);
  };
  const auto before = with("").build();
  Scene scene = with(held_by("a").c_str());
  scene.claim("c", exactly("gpu", 1)).pod("p", "{name: one, resourceClaimName: c}");
  const auto after = scene.build();
  for (const engine::Wanted& wanted :
       {kClaim, engine::Wanted{.namespace_ = "default", .pod = "p", .claims = {}}}) {
    const Comparison found = compare(before, after, wanted);
    CHECK(found.is_new);
    CHECK(found.before.verdict == Verdict::Fits);
    CHECK(found.after.verdict == Verdict::DoesNotFit);
    REQUIRE(found.decisive.size() == 1);
    CHECK(found.decisive.front().object.name == "x");
    const Comparison same = compare(with(held_by("a").c_str()).build(), after, wanted);
    CHECK(same.before.same_as(same.after));
    CHECK(same.decisive.empty());
  }
}

TEST_CASE("an event decides where no object did, and is no object that changed") {
  const auto pod = [](const char* more) {
    Scene words = scene().node("n1").slice("n1", {"a"});
    return words
        .claim("c", exactly("gpu", 1),
               held_by("a") + ", reservedFor: [{resource: pods, name: p, uid: p}]")
        .pod("p", "{name: c, resourceClaimName: c}", "nodeName: n1", "phase: Pending")
        .yaml(more);
  };
  const auto old = pod("{apiVersion: v1, kind: Namespace, metadata: {name: a}}").build();
  const auto now =
      pod("{apiVersion: v1, kind: Event, metadata: {name: e, namespace: default}, type: Warning, "
          "involvedObject: {kind: Pod, namespace: default, name: p}, reason: "
          "FailedPrepareDynamicResources, message: 'Failed to prepare dynamic resources: x'}")
          .build();
  const Comparison found = compare(old, now, {.namespace_ = "default", .pod = "p", .claims = {}});
  REQUIRE(found.decisive.size() == 1);
  CHECK(found.decisive.front().object.kind == api::Kind::Event);
  CHECK(found.changes == 1);
  CHECK(found.changes == diff_of(old, now, {}).changes.size());
  CHECK_FALSE(found.rests_on_expired_events());
  CHECK(compare(now, old, {.namespace_ = "default", .pod = "p", .claims = {}})
            .rests_on_expired_events());
  CHECK(compare(old, old, {.namespace_ = "default", .pod = "p", .claims = {}}).changes == 0);
}

TEST_CASE("a subject that was not there") {
  const auto old = scene().node("n1").slice("n1", {"a"}).build();
  const auto now = cluster().pod("p", "{name: c, resourceClaimName: c}").build();
  const Comparison found = compare(old, now, {.namespace_ = "default", .pod = "p", .claims = {}});
  CHECK(found.is_new);
  CHECK(found.before.verdict == Verdict::Fits);
  CHECK(found.after.verdict == Verdict::Fits);
}

}  // namespace
}  // namespace dra::answers::comparison_test
