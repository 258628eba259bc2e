// tests/engine/whatif/preemption_test.cpp: which pods the scheduler would delete, and where.

#include "dra/engine/whatif/preemption.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::preemption_test {
namespace {

using support::Scene;
using support::scene;

std::string node(std::string_view name, std::string_view cpu = "4") {
  return base::format(
      "apiVersion: v1\nkind: Node\nmetadata: {{name: {}}}\n"
      "status: {{allocatable: {{cpu: '{}', pods: '110'}}}}\n",
      name, cpu);
}

struct PodWords {
  std::string name;
  std::string where;  // "nodeName: n1"
  int priority = 0;
  std::string cpu = "2";
  std::string status = "phase: Running";
  std::string meta = {};
};

std::string pod(const PodWords& words) {
  return base::format(
      "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: default, name: {}, uid: {}, labels: "
      "{{app: "
      "{}}}{}}}\nspec:\n  priority: {}\n  {}\n  containers: [{{name: c, resources: {{requests: "
      "{{cpu: '{}'}}}}}}]\nstatus: {{{}}}\n",
      words.name, words.name, words.name, words.meta, words.priority, words.where, words.cpu,
      words.status);
}

std::string asking(std::string_view spec = "hostNetwork: false", std::string_view status = "") {
  return pod({.name = "p",
              .where = std::string(spec),
              .priority = 10,
              .cpu = "3",
              .status = base::format("phase: Pending{}", status)});
}

std::string budget(std::string_view app, int allowed) {
  return base::format(
      "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {{namespace: default, name: "
      "{}}}\n"
      "spec: {{selector: {{matchLabels: {{app: {}}}}}}}\nstatus: {{disruptionsAllowed: {}}}\n",
      app, app, allowed);
}

constexpr std::string_view kNoDevices = "n3";

// "helps: *n1 a b !1; n2 c": the chosen nodes with a star, and the number of violated budgets.
std::string preempted(Scene scene) {
  const auto snapshot = scene.server("v1.37.1").build();
  const NodeLoads loads(snapshot);
  const api::Pod& waiting = *snapshot.find<api::Pod>("default", "p");
  const NodeFilters filters(snapshot, loads, waiting);
  std::vector<NodeResult> results;
  for (const api::Node& one : snapshot.all<api::Node>())
    results.push_back(
        {.name = std::string(one.meta.name),
         .outcome = one.meta.name == kNoDevices ? NodeOutcome::DoesNotFit : NodeOutcome::Fits,
         .other_reasons = filters.against(one)});
  const auto found = preemption_for(snapshot, loads, waiting, results);
  if (!found) return "nothing";
  std::string text = base::format("{}:{}", name_of(found->preempts), found->nominated);
  for (const NodePreemption& one : found->nodes) {
    text += base::format(" {}{}", one.chosen ? "*" : "", one.node->meta.name);
    for (const api::Pod* victim : one.victims)
      text += base::format(" {}", victim->meta.name);
    if (one.violations > 0) text += base::format(" !{}", one.violations);
    text += ";";
  }
  return text;
}

Scene two_nodes() {
  return scene()
      .yaml(node("n1"))
      .yaml(node("n2"))
      .yaml(pod({"a", "nodeName: n1", 1}))
      .yaml(pod({"b", "nodeName: n1", 5}))
      .yaml(pod({"c", "nodeName: n2", 7, "4"}));
}

TEST_CASE("as few as make room go, the least important first") {
  CHECK(preempted(two_nodes().yaml(asking())) == "helps: *n1 b a; n2 c;");
  CHECK(preempted(scene()
                      .yaml(node("n1"))
                      .yaml(pod({"a", "nodeName: n1", 1}))
                      .yaml(pod({"b", "nodeName: n1", 5, "1"}))
                      .yaml(asking())) == "helps: *n1 a;");
}

TEST_CASE("pods of the same priority stay, and what no node has is not made") {
  CHECK(preempted(scene().yaml(node("n1")).yaml(pod({"a", "nodeName: n1", 10})).yaml(asking())) ==
        "nothing");
  CHECK(
      preempted(scene().yaml(node("n1", "2")).yaml(pod({"a", "nodeName: n1", 0})).yaml(asking())) ==
      "nothing");
}

TEST_CASE("a budget is kept where another node or pod can go") {
  CHECK(preempted(two_nodes().yaml(budget("b", 0)).yaml(asking())) == "helps: n1 b a !1; *n2 c;");
  CHECK(preempted(scene()
                      .yaml(node("n1"))
                      .yaml(pod({"a", "nodeName: n1", 1}))
                      .yaml(pod({"b", "nodeName: n1", 5, "1"}))
                      .yaml(pod({"c", "nodeName: n1", 1, "1"}))
                      .yaml(budget("a", 0))
                      .yaml(asking())) == "helps: *n1 a c !1;");
  CHECK(preempted(scene()
                      .yaml(node("n1"))
                      .yaml(pod({"a", "nodeName: n1", 1, "3"}))
                      .yaml(pod({"b", "nodeName: n1", 5, "1"}))
                      .yaml(budget("a", 1))
                      .yaml(asking())) == "helps: *n1 a;");
}

TEST_CASE("of equal nodes the one whose pods are the youngest") {
  const auto started = [](std::string_view name, std::string_view at, int hour) {
    return pod(
        {.name = std::string(name),
         .where = std::string(at),
         .cpu = "4",
         .status = base::format("phase: Running, startTime: '2026-01-01T{:02}:00:00Z'", hour)});
  };
  CHECK(preempted(scene()
                      .yaml(node("n1"))
                      .yaml(node("n2"))
                      .yaml(started("a", "nodeName: n1", 1))
                      .yaml(started("b", "nodeName: n2", 2))
                      .yaml(asking())) == "helps: n1 a; *n2 b;");
}

TEST_CASE("devices are not freed") {
  const Scene base = scene().yaml(node("n3")).yaml(pod({"a", "nodeName: n3", 0, "4"}));
  CHECK(preempted(Scene(base).yaml(asking())) == "noDevices: *n3 a;");
  CHECK(preempted(
            Scene(base).yaml(node("n1")).yaml(pod({"b", "nodeName: n1", 9, "4"})).yaml(asking())) ==
        "helps: *n1 b;");
}

TEST_CASE("a policy that forbids it, and another scheduler") {
  CHECK(preempted(two_nodes().yaml(asking("preemptionPolicy: Never"))) ==
        "forbidden: *n1 b a; n2 c;");
  CHECK(preempted(two_nodes().yaml(asking("schedulerName: other"))) == "nothing");
}

TEST_CASE("pods that were preempted before are waited for") {
  const std::string ending =
      "phase: Running, conditions: [{type: DisruptionTarget, status: 'True', reason: "
      "PreemptionByScheduler}]";
  const std::string deleted = ", deletionTimestamp: '2026-01-01T00:00:00Z'";
  const Scene base =
      scene().yaml(node("n1")).yaml(pod({"a", "nodeName: n1", 0, "4", ending, deleted}));
  CHECK(preempted(Scene(base).yaml(asking("hostNetwork: false", ", nominatedNodeName: n1"))) ==
        "waits:n1");
  CHECK(preempted(Scene(base).yaml(asking())) == "helps: *n1 a;");
}

TEST_CASE("pods that are nominated with that priority or a higher one count") {
  CHECK(preempted(two_nodes()
                      .yaml(pod({"q", "hostNetwork: false", 10, "4",
                                 "phase: Pending, nominatedNodeName: n2"}))
                      .yaml(asking())) == "helps: *n1 b a;");
  CHECK(preempted(two_nodes()
                      .yaml(pod({"q", "hostNetwork: false", 9, "4",
                                 "phase: Pending, nominatedNodeName: n2"}))
                      .yaml(asking())) == "helps: *n1 b a; n2 c;");
}

// The scheduler does not run the filter at all where no pod on a node repels.
TEST_CASE("a nominated pod repels only where a pod on a node does") {
  const auto repelling = [](std::string_view name, std::string_view where, std::string_view cpu) {
    return pod({.name = std::string(name),
                .where = base::format(
                    "{}\n  affinity: {{podAntiAffinity: "
                    "{{requiredDuringSchedulingIgnoredDuringExecution: [{{labelSelector: "
                    "{{matchLabels: {{app: p}}}}, topologyKey: rack}}]}}}}",
                    where),
                .priority = 10,
                .cpu = std::string(cpu),
                .status = where.starts_with("nodeName") ? "phase: Running"
                                                        : "phase: Pending, nominatedNodeName: n1"});
  };
  const auto in_rack = [](std::string_view name) {
    return base::format(
        "apiVersion: v1\nkind: Node\nmetadata: {{name: {}, labels: {{rack: {}}}}}\n"
        "status: {{allocatable: {{cpu: '4', pods: '110'}}}}\n",
        name, name);
  };
  const Scene base = scene()
                         .yaml(in_rack("n1"))
                         .yaml(in_rack("n2"))
                         .yaml(pod({"a", "nodeName: n1", 1, "4"}))
                         .yaml(repelling("q", "hostNetwork: false", "1"))
                         .yaml(asking());
  CHECK(preempted(base) == "helps: *n1 a;");
  CHECK(preempted(Scene(base).yaml(repelling("b", "nodeName: n2", "1"))) == "nothing");
}

TEST_CASE("names of outcomes") {
  CHECK(name_of(Preempts::Helps) == "helps");
  CHECK(name_of(Preempts::NoDevices) == "noDevices");
  CHECK(name_of(Preempts::Forbidden) == "forbidden");
  CHECK(name_of(Preempts::Waits) == "waits");
}

}  // namespace
}  // namespace dra::engine::preemption_test
