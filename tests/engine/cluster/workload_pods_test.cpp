// tests/engine/cluster/workload_pods_test.cpp: which pods a workload has made.

#include "dra/engine/cluster/workload_pods.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::workload_pods_test {
namespace {

// An object with a uid of its kind and name, and an owner by the same rule.
std::string object(std::string_view api, std::string_view kind, std::string_view name,
                   std::string_view owner_kind = "", std::string_view owner = "",
                   std::string_view more = "") {
  std::string owners;
  if (!owner.empty())
    owners = base::format(
        ", ownerReferences: [{{apiVersion: v1, kind: {}, name: {}, uid: {}-{}, controller: true}}]",
        owner_kind, owner, owner_kind, owner);
  return base::format("{{apiVersion: {}, kind: {}, metadata: {{name: {}, uid: {}-{}{}}} {}}}", api,
                      kind, name, kind, name, owners, more);
}

std::string pods(const snapshot::Snapshot& snapshot, std::string_view kind, std::string_view name) {
  const WorkloadPods found = pods_of(snapshot, *snapshot.find_workload(kind, "default", name));
  std::string text;
  for (const api::Pod* pod : found.running)
    text += std::string(pod->meta.name) + " ";
  text += "| ";
  for (const api::Pod* pod : found.waiting)
    text += std::string(pod->meta.name) + " ";
  return text;
}

TEST_CASE("through what stands between") {
  const auto snapshot =
      support::scene()
          .yaml(object("apps/v1", "Deployment", "d"))
          .yaml(object("apps/v1", "ReplicaSet", "new", "Deployment", "d"))
          .yaml(object("apps/v1", "ReplicaSet", "old", "Deployment", "d"))
          .yaml(object("apps/v1", "ReplicaSet", "other"))
          .yaml(object("v1", "Pod", "p1", "ReplicaSet", "new", ", spec: {nodeName: n1}"))
          .yaml(object("v1", "Pod", "p2", "ReplicaSet", "new"))
          .yaml(object("v1", "Pod", "p3", "ReplicaSet", "old"))
          .yaml(object("v1", "Pod", "p4", "ReplicaSet", "other"))
          .yaml(object("v1", "Pod", "p5", "ReplicaSet", "gone"))
          .yaml(object("v1", "Pod", "p6"))
          .yaml(object("v1", "Pod", "p7", "ReplicaSet", "new", ", status: {phase: Succeeded}"))
          .build();
  CHECK(pods(snapshot, "Deployment", "d") == "p1 | p2 p3 ");
  CHECK(pods(snapshot, "ReplicaSet", "other") == "| p4 ");
}

TEST_CASE("leaders own the sets of their workers") {
  const auto snapshot =
      support::scene()
          .yaml(object("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "l"))
          .yaml(object("apps/v1", "StatefulSet", "l", "LeaderWorkerSet", "l"))
          .yaml(object("v1", "Pod", "l-0", "StatefulSet", "l", ", spec: {nodeName: n1}"))
          .yaml(object("apps/v1", "StatefulSet", "l-0", "Pod", "l-0"))
          .yaml(object("v1", "Pod", "l-0-1", "StatefulSet", "l-0"))
          .build();
  CHECK(pods(snapshot, "LeaderWorkerSet", "l") == "l-0 | l-0-1 ");
}

TEST_CASE("an owner by name alone is none, and a circle ends") {
  const auto snapshot =
      support::scene()
          .yaml(object("apps/v1", "Deployment", "d"))
          .yaml(
              "{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: r, uid: r, "
              "ownerReferences: [{kind: Deployment, name: d, uid: before, controller: true}]}}")
          .yaml(
              "{apiVersion: v1, kind: Pod, metadata: {name: p, ownerReferences: [{kind: "
              "ReplicaSet, name: r, uid: r, controller: true}]}}")
          .yaml(object("apps/v1", "ReplicaSet", "x", "ReplicaSet", "z"))
          .yaml(object("apps/v1", "ReplicaSet", "z", "ReplicaSet", "x"))
          .yaml(object("v1", "Pod", "q", "ReplicaSet", "x"))
          .build();
  CHECK(pods(snapshot, "Deployment", "d") == "| ");
}

TEST_CASE("what has made both of two pods") {
  const auto snapshot = support::scene()
                            .yaml(object("v1", "Pod", "p1", "ReplicaSet", "new"))
                            .yaml(object("v1", "Pod", "p2", "ReplicaSet", "new"))
                            .yaml(object("v1", "Pod", "p3", "ReplicaSet", "old"))
                            .yaml(object("v1", "Pod", "p4"))
                            .yaml(object("v1", "Pod", "p5"))
                            .build();
  const auto& all = snapshot.all<api::Pod>();
  REQUIRE(common_controller(all[0], all[1]) != nullptr);
  CHECK(common_controller(all[0], all[1])->name == "new");
  CHECK(common_controller(all[0], all[2]) == nullptr);
  CHECK(common_controller(all[3], all[4]) == nullptr);
}

}  // namespace
}  // namespace dra::engine::workload_pods_test
