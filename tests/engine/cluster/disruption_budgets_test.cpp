// tests/engine/cluster/disruption_budgets_test.cpp

#include "dra/engine/cluster/disruption_budgets.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::disruption_budgets_test {
namespace {

using support::Scene;

struct Case {
  const char* name;
  std::vector<std::string> budgets;  // spec and status, each in the flow style
  const char* want;                  // "": the pod may be evicted
  const char* pod =
      R"(metadata: {name: p, namespace: default, uid: p, labels: {app: web, tier: gold}}
spec: {nodeName: n1, containers: []}
status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
)";
};

constexpr const char* kNotReady =
    R"(metadata: {name: p, namespace: default, uid: p, labels: {app: web}}
spec: {nodeName: n1, containers: []}
status: {phase: Running, conditions: [{type: Ready, status: "False"}]}
)";
constexpr const char* kWeb = "selector: {matchLabels: {app: web}}";
constexpr const char* kNone = "{disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2}";

std::string budget(std::string_view spec, std::string_view status) {
  return base::format("spec: {{{}}}\nstatus: {}\n", spec, status);
}

std::string said(const Case& row) {
  Scene scene;
  scene.yaml(base::format("apiVersion: v1\nkind: Pod\n{}", row.pod));
  char name = 'a';
  for (const std::string& one : row.budgets)
    scene.yaml(
        base::format("apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {{name: "
                     "{}, namespace: default}}\n{}",
                     std::string(1, name++), one));
  const snapshot::Snapshot snapshot = scene.build();
  const api::Pod& pod = snapshot.all<api::Pod>().front();
  const auto found = budgets_against(snapshot, pod);
  return found.empty() ? std::string() : words_for_budgets(found, pod);
}

const Case kCases[] = {
    {"no budget", {}, ""},
    {"one that allows none",
     {budget(kWeb, kNone)},
     "PodDisruptionBudget default/a blocks the eviction of pod default/p now: it needs 2 healthy "
     "pods "
     "and has 2"},
    {"one that never allows any",
     {budget(kWeb,
             "{disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2, expectedPods: 2}")},
     "PodDisruptionBudget default/a never allows the eviction of pod default/p: it needs all 2 of "
     "its pods to be healthy"},
    {"one that wants more pods than there are",
     {budget(kWeb,
             "{disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 2, expectedPods: 1}")},
     "PodDisruptionBudget default/a never allows the eviction of pod default/p: it needs 2 healthy "
     "pods and has 1"},
    {"one whose pods are not all healthy",
     {budget(kWeb,
             "{disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2, expectedPods: 3}")},
     "PodDisruptionBudget default/a blocks the eviction of pod default/p now: 2 of its 3 pods are "
     "healthy, and it needs 2"},
    {"one that finds none of its pods' controllers",
     {budget(kWeb,
             "{disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0}")},
     "PodDisruptionBudget default/a blocks the eviction of pod default/p now"},
    {"one that allows some",
     {budget(kWeb, "{disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2}")},
     ""},
    {"one that has not counted", {budget(kWeb, "{}")}, ""},
    {"one for other pods", {budget("selector: {matchLabels: {app: db}}", kNone)}, ""},
    {"a condition that holds",
     {budget("selector: {matchExpressions: [{key: tier, operator: Exists}]}",
             "{disruptionsAllowed: 0}")},
     "PodDisruptionBudget default/a blocks the eviction of pod default/p now"},
    {"a condition that does not",
     {budget("selector: {matchExpressions: [{key: tier, operator: In, values: [tin]}]}", kNone)},
     ""},
    {"an empty selector means all",
     {budget("selector: {}", "{disruptionsAllowed: 0}")},
     "PodDisruptionBudget default/a blocks the eviction of pod default/p now"},
    {"none means none", {budget("minAvailable: 1", kNone)}, ""},
    {"two always refuse",
     {budget(kWeb, "{disruptionsAllowed: 1}"), budget("selector: {}", "{disruptionsAllowed: 1}")},
     "pod default/p has 2 PodDisruptionBudgets (a, b), and a drain fails for a pod that has more "
     "than one"},
    {"a pod that is not ready goes where enough others are", {budget(kWeb, kNone)}, "", kNotReady},
    {"and stays where they are not",
     {budget(kWeb, "{disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 2}")},
     "PodDisruptionBudget default/a blocks the eviction of pod default/p now: it needs 2 healthy "
     "pods "
     "and has 1",
     kNotReady},
    {"unless it always may go",
     {budget("selector: {}, unhealthyPodEvictionPolicy: AlwaysAllow",
             "{disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 2}")},
     "",
     kNotReady},
    {"a pod that is going",
     {budget(kWeb, kNone)},
     "",
     R"(metadata: {name: p, namespace: default, uid: p, labels: {app: web}, deletionTimestamp: "2026-11-20T09:00:00Z"}
spec: {nodeName: n1, containers: []}
status: {phase: Running}
)"},
};

TEST_CASE("budgets in the way of an eviction") {
  for (const Case& row : kCases) {
    CAPTURE(std::string(row.name));
    CHECK(said(row) == row.want);
  }
}

TEST_CASE("budgets that cannot be read are not absent") {
  CHECK(saw_budgets(Scene().build()));
  CHECK_FALSE(saw_budgets(Scene().cannot_read(api::Kind::DisruptionBudget).build()));
}

}  // namespace
}  // namespace dra::engine::disruption_budgets_test
