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

TEST_CASE("a pod that is gone holds nothing, and what was made for it is gone as well") {
  Snapshot snapshot = cluster();
  remove_pod(snapshot, "default", "p");
  CHECK(held(snapshot) == "other:0 shared:1 ");
  CHECK(snapshot.find<api::Pod>("default", "p") == nullptr);
  CHECK(snapshot.find<api::ResourceClaim>("default", "own") != nullptr);  // nobody made it for p
  remove_claim(snapshot, "default", "other");
  CHECK(held(snapshot) == "shared:1 ");
}

TEST_CASE("a node that joins has what the other has, and nothing runs on it but daemons") {
  Snapshot snapshot =
      scene()
          .yaml(
              "{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {kubernetes.io/hostname: "
              "n1, zone: a}}, spec: {unschedulable: true, taints: [{key: gpu, effect: NoSchedule}, "
              "{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]}}")
          .slice("n1", {"a", "b"})
          .slice({.name = "part", .pool = "wide", .count = 2, .where = "nodeName: n1"})
          .slice({.name = "rest", .pool = "wide", .count = 2, .where = "nodeName: n2"})
          .claim("c", exactly("gpu", 1), allocated("{device: a, pool: n1}"))
          .pod("works", "", "nodeName: n1")
          .yaml(
              "{apiVersion: v1, kind: Pod, metadata: {name: d, namespace: kube-system, "
              "ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: d, uid: d, "
              "controller: true}]}, spec: {nodeName: n1}}")
          .build();
  add_nodes_like(snapshot, "n1", 2);
  const api::Node* node = snapshot.find<api::Node>(name_of_node_like("n1", 2));
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
  CHECK(snapshot.find<api::Pod>("kube-system", "d-like-2")->spec.node_name == "n1-like-2");
  CHECK(snapshot.find<api::Pod>("default", "works-like-2") == nullptr);
  CHECK(held(snapshot) == "c:0 ");
  add_nodes_like(snapshot, "nosuch", 1);
  CHECK(snapshot.all<api::Node>().size() == 3);
}

TEST_CASE("a pool whose slices have all come") {
  Snapshot snapshot = scene()
                          .slice({.name = "s", .pool = "p", .generation = 2, .count = 3})
                          .slice({.name = "t", .pool = "p", .generation = 2, .count = 3})
                          .slice({.name = "old", .pool = "p", .generation = 1, .count = 9})
                          .build();
  CHECK(complete_pool(snapshot, "gpu.example.com", "p"));
  CHECK(snapshot.find<api::ResourceSlice>("s")->spec.pool.slice_count == 2);
  CHECK(snapshot.find<api::ResourceSlice>("old")->spec.pool.slice_count == 9);
  CHECK_FALSE(complete_pool(snapshot, "gpu.example.com", "nosuch"));
}

}  // namespace
}  // namespace dra::snapshot
