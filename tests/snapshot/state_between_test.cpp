// tests/snapshot/state_between_test.cpp: in what two states differ, and what is between them.

#include "dra/snapshot/state_between.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::snapshot::state_between_test {
namespace {

using support::exactly;
using support::Scene;
using support::scene;

std::string node(const std::string& name, const std::string& more) {
  return "{apiVersion: v1, kind: Node, metadata: {name: " + name + ", " + more + "}}";
}

Scene before() {
  Scene words = scene();
  words.yaml(node("same", "resourceVersion: '1'"));
  words.yaml(node("changes", "labels: {zone: a}"));
  words.yaml(node("goes", ""));
  return words.claim("c", exactly("gpu", 1));
}
Scene after() {
  Scene words = scene();
  words.yaml(
      "{metadata: {managedFields: [], name: same, resourceVersion: '2'}, kind: Node, apiVersion: "
      "v1}");
  words.yaml(node("changes", "labels: {zone: b}"));
  words.yaml(node("comes", ""));
  return words.claim("c", exactly("gpu", 1));
}

std::string words(const std::vector<Difference>& differences) {
  std::vector<std::string> parts;
  for (const Difference& one : differences) {
    parts.push_back(base::format("{}{}",
                                 one.fate == Fate::Added     ? "+"
                                 : one.fate == Fate::Removed ? "-"
                                                             : "~",
                                 one.name));
  }
  return base::join(parts, " ");
}

TEST_CASE("what differs is what decides") {
  const Snapshot old = before().build();
  const Snapshot now = after().build();
  CHECK(words(differences(old, now)) == "~changes +comes -goes");
  CHECK(differences(old, old).empty());
}

TEST_CASE("between two states, and at both ends") {
  const Snapshot old = before().build();
  const Snapshot now = after().build();
  const auto all = differences(old, now);
  CHECK(differences(old, state_between(old, now, {})).empty());
  CHECK(differences(now, state_between(old, now, all)).empty());
  const Snapshot some = state_between(old, now, std::vector{all[0], all[2]});
  CHECK(words(differences(old, some)) == "~changes -goes");
  CHECK(words(differences(some, now)) == "+comes");
}

std::string event(const std::string& name, const std::string& reason, const std::string& seen) {
  return "{apiVersion: v1, kind: Event, metadata: {name: " + name +
         ", namespace: default}, type: Warning, reason: " + reason +
         ", lastTimestamp: \"2026-11-20T" + seen + ":00Z\"}";
}

TEST_CASE("of events only those differ that an answer is made of, and when they were seen counts") {
  Scene earlier = scene();
  earlier.yaml(event("goes", "FailedPrepareDynamicResources", "08:00"));
  earlier.yaml(event("again", "FailedResourceClaimCreation", "08:00"));
  const Snapshot old = earlier.build();
  Scene later = scene();
  later.yaml(event("again", "FailedResourceClaimCreation", "09:00"));
  later.yaml(event("other", "FailedScheduling", "09:00"));
  const Snapshot now = later.build();
  CHECK(differences(old, now).empty());
  const auto events = event_differences(old, now);
  CHECK(words(events) == "~again -goes");
  CHECK(state_between(old, now, {}).all<api::Event>().size() == 2);
  CHECK(state_between(old, now, events).all<api::Event>().size() == 1);
  later.cannot_read(api::Kind::Event);
  CHECK(event_differences(old, later.build()).empty());
}

}  // namespace
}  // namespace dra::snapshot::state_between_test
