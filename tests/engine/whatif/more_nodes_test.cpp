// tests/engine/whatif/more_nodes_test.cpp: how many nodes of a kind place how many pods.

#include "dra/engine/whatif/more_nodes.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::more_nodes_test {
namespace {

using support::Scene;

// Waiting pods "p1" and so on with so many GPUs each.
void add_pods(Scene& scene, std::initializer_list<int> gpus, std::string_view ns = "default") {
  int number = 0;
  for (const int count : gpus) {
    const std::string name = base::format("p{}", ++number);
    scene.yaml(base::format(
        "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: c-{0}, "
        "namespace: {1}}}, spec: {{devices: {{requests: [{2}]}}}}}}",
        name, ns, support::exactly("gpu", count)));
    scene.yaml(base::format(
        "{{apiVersion: v1, kind: Pod, metadata: {{name: {0}, namespace: {1}, uid: {1}-{0}}}, spec: "
        "{{containers: [{{name: c}}], resourceClaims: [{{name: gpu, resourceClaimName: c-{0}}}]}}, "
        "status: {{phase: Pending}}}}",
        name, ns));
  }
}

// "1 like n1: default/p1 default/p2; 3 like n2 (pool a): ...".
std::string told(const Scene& scene, std::string_view ns = "") {
  const snapshot::Snapshot snapshot = scene.build();
  const Plan plan = plan_for(snapshot);
  const MoreNodesFound found = more_nodes_for(
      plan, [ns](const api::Pod& pod) { return ns.empty() || pod.meta.namespace_ == ns; });
  std::vector<std::string> all;
  for (const MoreNodes& more : found.found) {
    all.push_back(base::format("{} like {}{}: {}{}", more.count, more.like,
                               more.pool.empty() ? "" : base::format(" (pool {})", more.pool),
                               more.at_least ? "at least " : "", base::join(more.pods, " ")));
  }
  return base::join(all, "; ") + (found.bounded ? " bounded" : "");
}

}  // namespace

TEST_CASE("the smallest number of nodes that helps most is found, and what one does") {
  Scene scene;
  scene.node("n1").slice("n1", {"gpu-0", "gpu-1"});
  add_pods(scene, {2, 2, 2, 2, 5});
  CHECK(told(scene) == "1 like n1: default/p2; 3 like n1: default/p2 default/p3 default/p4");
}

TEST_CASE("one node of each kind is tried") {
  Scene scene;
  scene.node("n1", "cloud.google.com/gke-nodepool: small").slice("n1", {"gpu-0"});
  scene.node("n2", "cloud.google.com/gke-nodepool: small").slice("n2", {"gpu-0"});
  scene.node("n3", "cloud.google.com/gke-nodepool: large").slice("n3", {"gpu-0", "gpu-1"});
  scene.node("n4");
  add_pods(scene, {2, 2});
  CHECK(told(scene) == "1 like n3 (pool large): default/p2");
}

TEST_CASE("nothing is tried where every pod gets a node, or none is looked at") {
  Scene scene;
  scene.node("n1").slice("n1", {"gpu-0"});
  add_pods(scene, {1});
  CHECK(told(scene).empty());
  Scene gated;
  gated.node("n1").slice("n1", {"gpu-0"}).claim("c", support::exactly("gpu", 2));
  gated.pod("p", "{name: gpu, resourceClaimName: c}", "schedulingGates: [{name: example.com/a}]",
            "phase: Pending");
  CHECK(told(gated).empty());
}

// p4 gets a node now if p3 takes the device of n1. Then p5 has a new node, and p6 finds one device.
TEST_CASE("a pod is named if it gets a node whichever of those ahead are gone by then") {
  Scene scene;
  scene.node("n1").slice("n1", {"gpu-0"});
  scene.node("n2").slice("n2", {"gpu-0", "gpu-1"});
  scene.node("n4").slice("n4", {"gpu-0", "gpu-1", "gpu-2", "gpu-3"});
  add_pods(scene, {2, 2, 1, 2, 3, 2});
  CHECK(told(scene) ==
        "1 like n4: at least default/p4; 3 like n4: default/p4 default/p5 default/p6; "
        "1 like n2: default/p4; 2 like n2: default/p4 default/p6");
}

TEST_CASE("pods of one namespace are counted, and all take part") {
  Scene scene;
  scene.node("n1").slice("n1", {"gpu-0"});
  add_pods(scene, {1, 1}, "a");
  add_pods(scene, {1, 1}, "b");
  CHECK(told(scene, "b") == "3 like n1: b/p1 b/p2");
}

// The first pod gets the device, which a new node would reach, too.
TEST_CASE("devices that nodes share stay with the pods that get them now") {
  Scene scene;
  scene.node("n1").yaml(
      "{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: shared}, spec: "
      "{driver: gpu.example.com, allNodes: true, pool: {name: shared, generation: 1, "
      "resourceSliceCount: 1}, devices: [{name: gpu-0}]}}");
  add_pods(scene, {1, 1});
  CHECK(told(scene).empty());
}

// The second pod has to go to the node that the first gets, which has no place for both.
TEST_CASE("a pod that shares a claim stays with it") {
  Scene scene;
  scene.node("n1").slice("n1", {"gpu-0"}).claim("c", support::exactly("gpu", 1));
  for (const std::string_view name : {"p1", "p2"}) {
    scene.pod(name, "{name: gpu, resourceClaimName: c}",
              "containers: [{name: c, resources: {requests: {cpu: '5'}}}]", "phase: Pending");
  }
  CHECK(told(scene).empty());
}

TEST_CASE("no host is added to a TPU slice that has all") {
  Scene scene;
  for (const std::string_view host : {"h1", "h2"}) {
    scene.node(host,
               "cloud.google.com/gke-tpu-topology: 2x4, cloud.google.com/gke-tpu-accelerator: "
               "tpu-v6e-slice, cloud.google.com/gke-accelerator-count: '4', "
               "cloud.google.com/gke-nodepool: tpus");
    scene.yaml(base::format(
        "{{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {{name: {0}}}, spec: "
        "{{driver: tpu.google.com, nodeName: {0}, pool: {{name: {0}, generation: 1, "
        "resourceSliceCount: 1}}, devices: [{{name: chip-0}}, {{name: chip-1}}, {{name: chip-2}}, "
        "{{name: chip-3}}]}}}}",
        host));
  }
  scene.node("n1").slice("n1", {"gpu-0"});
  add_pods(scene, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1});  // the host's eight chips will do, too
  CHECK(told(scene) == "1 like n1: default/p9");
}

}  // namespace dra::engine::more_nodes_test
