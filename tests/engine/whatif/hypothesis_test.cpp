// tests/engine/whatif/hypothesis_test.cpp: states of a cluster in which a hypothesis holds. That
// the simulator finds the same without such a state: advice_test.cpp.

#include "dra/engine/whatif/hypothesis.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/api/pod.h"
#include "tests/support/builders.h"

namespace dra::engine::hypothesis_test {
namespace {

using snapshot::Snapshot;
using support::allocated;
using support::exactly;
using support::scene;

const Wanted kPod = {.namespace_ = "default", .pod = "p", .claims = {}};

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

// The state in which the changes were made.
Snapshot after(const Snapshot& snapshot, const std::vector<Change>& changes) {
  Hypothesis hypothesis(snapshot, kPod);
  REQUIRE(hypothesis.apply(changes).ok());
  return hypothesis.snapshot();
}

Snapshot when_pending(const Snapshot& snapshot, const Wanted& wanted) {
  Hypothesis hypothesis(snapshot, wanted);
  hypothesis.make_pending();
  return hypothesis.snapshot();
}

TEST_CASE("a pod that waits holds nothing, and others keep what they share with it") {
  const Snapshot snapshot = cluster();
  CHECK(held(snapshot) == "other:0 own:1 shared:2 ");
  const Snapshot then = when_pending(snapshot, kPod);
  CHECK(held(then) == "other:0 shared:1 ");
  const api::Pod& pod = *then.find<api::Pod>("default", "p");
  CHECK(pod.spec.node_name.empty());
  CHECK(pod.status.conditions.empty());
  CHECK(held(snapshot) == "other:0 own:1 shared:2 ");
}

TEST_CASE("claims that are not allocated, whoever has reserved them") {
  const Snapshot snapshot = cluster();
  const Snapshot then =
      when_pending(snapshot, {.namespace_ = "default", .pod = {}, .claims = {"shared", "nosuch"}});
  CHECK(held(then) == "other:0 own:1 ");
  CHECK(then.find<api::ResourceClaim>("default", "shared")->status.reserved_for.empty());
}

TEST_CASE("nothing happens to what is not named") {
  const Snapshot snapshot = cluster();
  const Wanted nothing[] = {{.namespace_ = "default", .pod = "nosuch", .claims = {}},
                            {.namespace_ = "elsewhere", .pod = "p", .claims = {}},
                            {.namespace_ = "elsewhere", .pod = {}, .claims = {"own"}}};
  for (const Wanted& wanted : nothing)
    CHECK(held(when_pending(snapshot, wanted)) == "other:0 own:1 shared:2 ");
}

TEST_CASE("a pod that is gone holds nothing, and what was made for it is gone as well") {
  const Snapshot snapshot = cluster();
  const Snapshot then = after(snapshot, {Release{.claims = {}, .pods = {"default/p"}}});
  CHECK(held(then) == "other:0 shared:1 ");
  CHECK(then.find<api::Pod>("default", "p") == nullptr);
  CHECK(then.find<api::ResourceClaim>("default", "own") != nullptr);  // nobody made it for p
  const Release both{.claims = {"default/other"}, .pods = {"default/p"}};
  CHECK(held(after(snapshot, {both})) == "shared:1 ");
}

TEST_CASE("what is not there, or is gone already, cannot be released") {
  const Snapshot snapshot = cluster();
  const Release pod{.claims = {}, .pods = {"default/p"}};
  const Release claim{.claims = {"default/other"}, .pods = {}};
  const std::vector<Change> impossible[] = {{Release{.claims = {}, .pods = {"default/nosuch"}}},
                                            {Release{.claims = {"default/nosuch"}, .pods = {}}},
                                            {pod, pod},
                                            {claim, claim}};
  for (const auto& changes : impossible)
    CHECK_FALSE(Hypothesis(snapshot, kPod).apply(changes).ok());
}

TEST_CASE("changes add up") {
  const Snapshot snapshot = scene()
                                .node("n1")
                                .slice("n1", {"a", "b"})
                                .claim("c", exactly("gpu", 1))
                                .claim("d", exactly("gpu", 1), allocated("{device: a, pool: n1}"))
                                .pod("p", "{name: c, resourceClaimName: c}")
                                .build();
  const Snapshot then = after(snapshot, {SetCount{"default/c", "gpu", 3}, AddNode{"n1", 1},
                                         Tolerate{.claim = "default/c", .key = "sick"},
                                         Release{.claims = {"default/d"}, .pods = {}},
                                         Tolerate{.key = "gpu"}, AddNode{"n1-like-1", 1}});
  const auto& demand =
      then.find<api::ResourceClaim>("default", "c")->spec.devices.requests.front().exactly->demand;
  CHECK(demand.count == 3);
  REQUIRE(demand.tolerations.size() == 1);
  CHECK(demand.tolerations.front().key == "sick");
  CHECK(then.find<api::Pod>("default", "p")->spec.tolerations.size() == 1);
  CHECK(then.find<api::ResourceClaim>("default", "d") == nullptr);
  CHECK(then.find<api::Node>("n1-like-1-like-1") != nullptr);
  CHECK(snapshot.all<api::Node>().size() == 1);
}

TEST_CASE("a node that joins has what the other has, and nothing runs on it but daemons") {
  const Snapshot before =
      scene()
          .yaml(
              "{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {kubernetes.io/hostname: "
              "n1, zone: a}}, spec: {unschedulable: true, taints: [{key: gpu, effect: NoSchedule}, "
              "{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]}}")
          .slice("n1", {"a", "b"})
          .slice({.name = "part", .pool = "wide", .count = 2, .where = "nodeName: n1"})
          .slice({.name = "rest", .pool = "wide", .count = 2, .where = "nodeName: n2"})
          .slice({.name = "own", .pool = "mixed", .count = 1, .where = "nodeName: n1"})
          .slice({.name = "all", .pool = "mixed", .count = 1, .where = "allNodes: true"})
          .claim("c", exactly("gpu", 1), allocated("{device: a, pool: n1}"))
          .pod("works", "", "nodeName: n1")
          .yaml(
              "{apiVersion: v1, kind: Pod, metadata: {name: d, namespace: kube-system, "
              "ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: d, uid: d, "
              "controller: true}]}, spec: {nodeName: n1}}")
          .build();
  const Snapshot snapshot = after(before, {AddNode{"n1", 2}});
  const api::Node* node = snapshot.find<api::Node>("n1-like-2");
  REQUIRE(node != nullptr);
  CHECK_FALSE(node->spec.unschedulable);
  CHECK(node->spec.taints.size() == 1);
  CHECK(*api::find(node->meta.labels, "kubernetes.io/hostname") == "n1-like-2");
  CHECK(*api::find(node->meta.labels, "zone") == "a");
  const auto* slice = snapshot.find<api::ResourceSlice>("n1-slice-like-2");
  REQUIRE(slice != nullptr);
  CHECK(slice->spec.node_name == "n1-like-2");
  CHECK(slice->spec.pool.name == "n1-like-2");
  CHECK(slice->spec.devices.size() == 2);
  // What it has of a pool that is not the node's alone is a pool by itself.
  CHECK(snapshot.find<api::ResourceSlice>("part-like-2")->spec.pool.slice_count == 1);
  // Slices for all nodes do not show that each node publishes a pool of that name.
  CHECK(snapshot.find<api::ResourceSlice>("own-like-2")->spec.pool.name == "mixed-like-2");
  CHECK(snapshot.find<api::Pod>("kube-system", "d-like-2")->spec.node_name == "n1-like-2");
  CHECK(snapshot.find<api::Pod>("default", "works-like-2") == nullptr);
  CHECK(held(snapshot) == "c:0 ");
  CHECK(snapshot.all<api::Node>().size() == 3);
  CHECK_FALSE(Hypothesis(before, kPod).apply(AddNode{"nosuch", 1}).ok());
}

TEST_CASE("a node that goes takes its slices, its pods and what only these hold along") {
  const Snapshot before =
      scene()
          .node("n1")
          .node("n2")
          .slice("n1", {"a", "b"})
          .slice("n2", {"a"})
          .claim("own", exactly("gpu", 1), allocated("{device: a, pool: n1}") + kByP)
          .claim("shared", exactly("gpu", 1), allocated("{device: b, pool: n1}") + kByBoth)
          .pod("p", "{name: a, resourceClaimName: own}, {name: b, resourceClaimName: shared}",
               "nodeName: n1")
          .pod("q", "{name: b, resourceClaimName: shared}", "nodeName: n2")
          .build();
  const Snapshot then = after(before, {RemoveNode{"n1"}});
  CHECK(then.find<api::Node>("n1") == nullptr);
  CHECK(then.find<api::Node>("n2") != nullptr);
  REQUIRE(then.all<api::ResourceSlice>().size() == 1);
  CHECK(then.all<api::ResourceSlice>().front().spec.node_name == "n2");
  CHECK(then.find<api::Pod>("default", "p") == nullptr);
  CHECK(held(then) == "shared:1 ");
  // A pod that is taken to wait is on no node.
  Hypothesis hypothesis(before, kPod);
  hypothesis.make_pending();
  REQUIRE(hypothesis.apply(RemoveNode{"n1"}).ok());
  CHECK(hypothesis.subject().pod != nullptr);
  CHECK(before.all<api::Node>().size() == 2);
  CHECK_FALSE(Hypothesis(before, kPod).apply(RemoveNode{"nosuch"}).ok());
}

std::string joined(const Snapshot& before, const support::Scene& objects,
                   const std::vector<Change>& changes = {}) {
  Hypothesis hypothesis(before, kPod);
  REQUIRE(hypothesis.apply(changes).ok());
  const auto read = std::make_shared<const Snapshot>(objects.build());
  const auto made = hypothesis.apply(JoinNodes{.file = "f", .nodes = {}, .objects = read});
  if (!made.ok()) return made.error().message + " | " + made.error().hint;
  const Snapshot then = hypothesis.snapshot();
  std::string text;
  for (const api::Node& node : then.all<api::Node>())
    text += std::string(node.meta.name) + " ";
  for (const api::ResourceSlice& slice : then.all<api::ResourceSlice>())
    text += std::string(slice.meta.name) + " ";
  return text;
}

TEST_CASE("nodes and slices of a file join, under names that are not there") {
  const Snapshot before = scene().node("n1").slice("n1", {"a"}).build();
  CHECK(joined(before, scene().node("n2").slice("n2", {"a"})) == "n1 n2 n1-slice n2-slice ");
  CHECK(joined(before, scene().node("n1").slice("n1", {"b"}), {RemoveNode{"n1"}}) ==
        "n1 n1-slice ");
  CHECK(joined(before, scene().node("n1")) ==
        "f: node n1 exists already | give it another name, or add --remove-node n1");
  CHECK(joined(before, scene().node("n2").slice("n1", {"a"})) ==
        "f: slice n1-slice exists already | give it another name");
  CHECK(joined(before,
               scene().node("n2").slice({.name = "s", .pool = "n1", .where = "nodeName: n2"})) ==
        "f: slice s: pool n1 of driver gpu.example.com exists already | give the pool "
        "another name in spec.pool.name");
  CHECK(joined(before, scene().node("n2").slice("n3", {"a"})) ==
        "f: spec.nodeName of slice n3-slice: there is no node n3 | add the Node to the file");
}

TEST_CASE("a pool whose slices have all come") {
  const Snapshot before = scene()
                              .slice({.name = "s", .pool = "p", .generation = 2, .count = 3})
                              .slice({.name = "t", .pool = "p", .generation = 2, .count = 3})
                              .slice({.name = "old", .pool = "p", .generation = 1, .count = 9})
                              .build();
  const Snapshot snapshot = after(before, {Wait{"gpu.example.com", "p"}});
  CHECK(snapshot.find<api::ResourceSlice>("s")->spec.pool.slice_count == 2);
  CHECK(snapshot.find<api::ResourceSlice>("old")->spec.pool.slice_count == 9);
  CHECK_FALSE(Hypothesis(before, kPod).apply(Wait{"gpu.example.com", "nosuch"}).ok());
}

}  // namespace
}  // namespace dra::engine::hypothesis_test
