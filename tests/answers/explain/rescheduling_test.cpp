// tests/answers/explain/rescheduling_test.cpp: generated clusters with pods that have devices. What
// is said of all of them together is what each one's own explanation says.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "dra/answers/explain/explanation.h"
#include "dra/answers/explain/rescheduling.h"
#include "dra/base/text.h"
#include "dra/engine/whatif/hypothesis.h"
#include "dra/snapshot/draft.h"
#include "tests/support/builders.h"
#include "tests/support/seed.h"

namespace dra::answers::rescheduling_test {
namespace {

using engine::Verdict;
using support::pick;
using support::Scene;

// Nodes with devices of their own and a pool that all of them see; pods that hold some.
class Cluster {
 public:
  explicit Cluster(std::mt19937_64& random) : random_(random) {
    nodes_ = 1 + pick(random_, 4);
    for (std::uint64_t i = 0; i < nodes_; ++i)
      add_node(base::format("n{}", i));
    if (one_in(3))
      scene_.slice({.name = "net", .driver = "net", .pool = "net", .devices = "{name: p0}"});
    if (one_in(3)) add_pod(base::format("n{}", pick(random_, nodes_)), "net", "net", {"p0"});
  }

  snapshot::Snapshot build() const { return scene_.build(); }
  std::uint64_t nodes() const { return nodes_; }

 private:
  bool one_in(std::uint64_t of) { return pick(random_, of) == 0; }

  void add_node(const std::string& name) {
    scene_.yaml(base::format(
        "{{apiVersion: v1, kind: Node, metadata: {{name: {0}, labels: {{kubernetes.io/hostname: "
        "{0}, zone: z{1}}}}}, spec: {{unschedulable: {2}}}, status: {{allocatable: {{cpu: '8', "
        "memory: 64Gi, pods: '20'}}}}}}",
        name, pick(random_, 2), one_in(6) ? "true" : "false"));
    const int published = 1 + static_cast<int>(pick(random_, 4));
    std::vector<std::string> devices;
    for (int i = 0; i < published; ++i)
      devices.push_back(
          base::format("{{name: gpu-{}{}}}", i,
                       one_in(6) ? ", taints: [{key: broken, effect: NoSchedule}]" : ""));
    // A device that is in use may have gone from its slice.
    if (one_in(6)) devices.pop_back();
    scene_.slice({.name = name,
                  .pool = name,
                  .where = base::format("nodeName: {}", name),
                  .devices = base::join(devices, ", ")});
    for (int next = 0; next < published;) {
      const int wanted = 1 + static_cast<int>(pick(random_, 2));
      std::vector<std::string> taken;
      for (int i = 0; i < wanted && next < published; ++i)
        taken.push_back(base::format("gpu-{}", next++));
      if (!one_in(4)) add_pod(name, "gpu.example.com", name, taken);
    }
  }

  void add_pod(const std::string& node, const std::string& driver, const std::string& pool,
               const std::vector<std::string>& devices) {
    const std::string name = base::format("p{}", pods_++);
    std::vector<std::string> results;
    for (const std::string& device : devices)
      results.push_back(
          base::format("{{request: gpu, driver: {}, pool: {}, device: {}}}", driver, pool, device));
    scene_.claim(
        name,
        base::format(
            "{{name: gpu, exactly: {{deviceClassName: gpu, allocationMode: ExactCount, "
            "count: {}, selectors: [{{cel: {{expression: \"device.driver == '{}'\"}}}}]}}}}",
            devices.size(), driver),
        base::format("allocation: {{devices: {{results: [{}]}}}}, reservedFor: [{{resource: pods, "
                     "name: {}, uid: {}}}]",
                     base::join(results, ", "), name, name));
    constexpr std::array<const char*, 4> terms = {
        "", "", "nodeSelector: {zone: z0}, ",
        "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
        "[{topologyKey: zone, labelSelector: {matchLabels: {app: apart}}}]}}, "};
    scene_.yaml(base::format(
        "{{apiVersion: v1, kind: Pod, metadata: {{name: {0}, namespace: default, uid: {0}, labels: "
        "{{app: {1}}}}}, spec: {{nodeName: {2}, {3}containers: [{{name: c, resources: {{requests: "
        "{{cpu: '1'}}}}}}], resourceClaims: [{{name: gpu, resourceClaimName: {0}}}]}}, status: "
        "{{phase: Running}}}}",
        name, one_in(3) ? "apart" : "plain", node, terms[pick(random_, terms.size())]));
  }

  std::mt19937_64& random_;
  Scene scene_;
  std::uint64_t nodes_ = 0;
  int pods_ = 0;
};

NextNode expected_of(const snapshot::Snapshot& snapshot, const api::Pod& pod,
                     std::span<const engine::Change> changes) {
  engine::Hypothesis hypothesis(
      snapshot, {.namespace_ = "default", .pod = std::string(pod.meta.name), .claims = {}});
  hypothesis.make_pending();
  REQUIRE(hypothesis.apply(changes).ok());
  const snapshot::Snapshot state = hypothesis.snapshot();
  const Explanation all =
      explain_pod(state, *state.find<api::Pod>("default", pod.meta.name), {.is_hypothesis = true});
  if (all.verdict == Verdict::Undetermined) return NextNode::Open;
  if (all.verdict != Verdict::Fits || all.cause_is_after) return NextNode::None;
  const bool same = std::ranges::any_of(all.nodes, [&pod](const engine::NodeResult& node) {
    return node.name == pod.spec.node_name && node.is_feasible();
  });
  return same ? NextNode::Same : NextNode::Other;
}

TEST_CASE("all pods together are rescheduled as each one by itself") {
  std::mt19937_64 random = support::seeded();
  std::map<std::string_view, int> seen;
  const std::uint64_t count = support::cases(300);
  for (std::uint64_t i = 0; i < count; ++i) {
    CAPTURE(i);
    const Cluster cluster(random);
    const snapshot::Snapshot snapshot = cluster.build();
    std::vector<engine::Change> changes;
    if (pick(random, 3) == 0)
      changes.emplace_back(engine::RemoveNode{base::format("n{}", pick(random, cluster.nodes()))});
    const auto found = rescheduling(snapshot, "default", changes, snapshot.server());
    REQUIRE(found.ok());
    CHECK(found.value().not_looked_at.empty());
    for (const RescheduledPod& one : found.value().pods) {
      CAPTURE(one.pod->meta.name);
      CAPTURE(one.cause);
      CHECK(name_of(one.next) == name_of(expected_of(snapshot, *one.pod, changes)));
      CHECK(one.cause.empty() == (one.next == NextNode::Same));
      ++seen[name_of(one.next)];
      if (changes.empty() || one.next == NextNode::Same) continue;
      const NextNode without = expected_of(snapshot, *one.pod, {});
      CHECK(one.also_without == (without == one.next));
      ++seen[one.also_without ? "without, too" : "due to the change"];
    }
  }
  for (const char* kind : {"Same", "Other", "None", "without, too", "due to the change"})
    CHECK_MESSAGE(seen[kind] > 3, kind, " was seen only ", seen[kind], " times");
}

TEST_CASE("pods that are no matter of the scheduler are not among them") {
  const auto pod = [](const char* name, const char* more, const char* phase) {
    return base::format(
        "{{apiVersion: v1, kind: Pod, metadata: {{name: {0}, namespace: default, uid: {0}{1}}}, "
        "spec: {{nodeName: n1, resourceClaims: [{{name: gpu, resourceClaimName: {0}}}]}}, status: "
        "{{phase: {2}}}}}",
        name, more, phase);
  };
  Scene scene;
  scene.node("n1").slice("n1", {"a", "b", "c", "d"});
  scene.yaml(pod("runs", "", "Running"));
  scene.yaml(pod("ended", "", "Succeeded"));
  scene.yaml(pod("going", ", deletionTimestamp: '2026-11-20T08:00:00Z'", "Running"));
  scene.yaml(pod("static",
                 ", ownerReferences: [{apiVersion: v1, kind: Node, name: n1, uid: n1, controller: "
                 "true}]",
                 "Running"));
  scene.yaml(pod("without", "", "Running"));
  const std::array holders = {std::pair("runs", "a"), std::pair("ended", "b"),
                              std::pair("going", "c"), std::pair("static", "d")};
  for (const auto& [name, device] : holders)
    scene.claim(name, support::exactly("gpu", 1),
                support::allocated(base::format("{{device: {}, pool: n1}}", device),
                                   base::format("reservedFor: [{{resource: pods, name: {0}, uid: "
                                                "{0}}}]",
                                                name)));
  const snapshot::Snapshot snapshot = scene.build();
  const auto found = rescheduling(snapshot, {}, {}, snapshot.server());
  REQUIRE(found.ok());
  REQUIRE(found.value().pods.size() == 1);
  CHECK(found.value().pods.front().pod->meta.name == "runs");
  CHECK_FALSE(found.value().supposes());
}

}  // namespace
}  // namespace dra::answers::rescheduling_test
