// tests/engine/whatif/turn_test.cpp: which node is left for a pod behind others.

#include "src/engine/whatif/turn.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::turn_test {
namespace {

using support::Scene;

// A waiting pod with a claim of so many GPUs.
void add(Scene& scene, std::string_view name, int priority, int gpus, std::string_view owner = "") {
  scene.claim(base::format("c-{}", name), support::exactly("gpu", gpus));
  const std::string owners =
      owner.empty() ? ""
                    : base::format(
                          ", ownerReferences: [{{apiVersion: apps/v1, kind: ReplicaSet, name: {0}, "
                          "uid: {0}, controller: true}}]",
                          owner);
  scene.yaml(base::format(
      "{{apiVersion: v1, kind: Pod, metadata: {{name: {0}, namespace: default, uid: {0}{1}}}, "
      "spec: {{priority: {2}, resourceClaims: [{{name: gpu, resourceClaimName: c-{0}}}], "
      "containers: [{{name: c}}]}}, status: {{phase: Pending}}}}",
      name, owners, priority));
}

// "n1", "before: default/a", "none in front".
std::string told(const Scene& scene, InFront which) {
  const snapshot::Snapshot snapshot = scene.build();
  const auto turn =
      turn_of(snapshot, {.namespace_ = "default", .pod = "subject", .claims = {}}, which);
  if (!turn) return "none in front";
  return turn->nodes.empty() ? base::format("before: {}", base::join(turn->before, " "))
                             : base::join(turn->nodes, " ");
}

}  // namespace

TEST_CASE("a node is left for a pod, or pods in front of it take it") {
  struct Row {
    std::string_view name;
    int priority, gpus;
    std::string_view owner;
    std::string_view higher, equal;  // what is left for the subject, by which pods are in front
  };
  for (const Row& row :
       {Row{"a higher priority", 1, 1, "", "before: default/other", "before: default/other"},
        Row{"the same priority", 0, 1, "", "none in front", "before: default/other"},
        Row{"a lower priority", -1, 1, "", "none in front", "none in front"},
        Row{"a replica", 0, 1, "set", "none in front", "none in front"},
        Row{"a replica of a higher priority", 1, 1, "set", "before: default/other",
            "before: default/other"},
        Row{"one that fits nowhere", 1, 9, "", "n1", "n1"}}) {
    Scene scene;
    scene.node("n1").slice("n1", {"gpu-0"});
    add(scene, "subject", 0, 1, row.owner);
    add(scene, "other", row.priority, row.gpus, row.owner);
    CAPTURE(row.name);
    CHECK(told(scene, InFront::HigherPriority) == row.higher);
    CHECK(told(scene, InFront::AlsoEqual) == row.equal);
  }
}

TEST_CASE("of too many in front none is named, and no node is certain") {
  Scene scene;
  scene.node("n1").slice("n1", {"gpu-0"});
  add(scene, "subject", 0, 1);
  for (int i = 0; i < 101; ++i)
    add(scene, base::format("other-{}", i), 1, 9);
  CHECK(told(scene, InFront::HigherPriority) == "before: ");
}

TEST_CASE("claims by themselves have no turn") {
  Scene scene;
  scene.node("n1").slice("n1", {"gpu-0"}).claim("c", support::exactly("gpu", 1));
  const snapshot::Snapshot snapshot = scene.build();
  CHECK_FALSE(
      turn_of(snapshot, {.namespace_ = "default", .pod = {}, .claims = {"c"}}, InFront::AlsoEqual));
}

}  // namespace dra::engine::turn_test
