// tests/engine/whatif/drain_budgets_test.cpp: how far a drain comes with a budget.

#include "dra/engine/whatif/drain_budgets.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::drain_budgets_test {
namespace {

using support::Scene;

struct OutcomeCase {
  const char* name;
  api::BudgetStatus status;
  LeavingPods pods;
  BudgetOutcome want;
};

api::BudgetStatus counts(std::int64_t allowed, std::int64_t desired, std::int64_t expected) {
  return {.allowed = allowed, .healthy = {}, .desired = desired, .expected = expected};
}

const OutcomeCase kOutcomes[] = {
    {"nothing was counted", {}, {.all = 3, .lost = 3}, BudgetOutcome::Passes},
    {"all may go at once", counts(2, 1, 3), {.all = 2, .lost = 2}, BudgetOutcome::Passes},
    {"one at a time", counts(1, 2, 3), {.all = 2}, BudgetOutcome::Pauses},
    {"the last may be the one without a node",
     counts(1, 2, 3),
     {.all = 2, .lost = 1},
     BudgetOutcome::MayStop},
    {"whether one gets a node is open",
     counts(1, 2, 3),
     {.all = 2, .open = 1},
     BudgetOutcome::MayStop},
    {"two get none", counts(1, 2, 3), {.all = 3, .lost = 2}, BudgetOutcome::Stops},
    {"two get none, and two may be missing once the third is healthy",
     counts(1, 1, 3),
     {.all = 2, .lost = 2},
     BudgetOutcome::Pauses},
    {"too few are healthy", counts(0, 2, 3), {.all = 1}, BudgetOutcome::Waits},
    {"all have to be healthy", counts(0, 2, 2), {.all = 1}, BudgetOutcome::Never},
    {"more have to be healthy than there are", counts(0, 3, 2), {.all = 1}, BudgetOutcome::Never},
    {"no pod is expected", counts(0, 0, 0), {.all = 1}, BudgetOutcome::Waits},
};

TEST_CASE("how far a drain comes with a budget") {
  for (const OutcomeCase& row : kOutcomes) {
    CAPTURE(std::string(row.name));
    CHECK(name_of(outcome_of(row.status, row.pods)) == name_of(row.want));
  }
}

constexpr const char* kPod = R"(apiVersion: v1
kind: Pod
metadata: {{name: {0}, namespace: default, uid: {0}, labels: {{app: {1}}}, ownerReferences: [{{apiVersion: apps/v1, kind: {2}, name: o, uid: o, controller: true}}]}}
spec: {{nodeName: {3}, containers: []}}
status: {{phase: Running, conditions: [{{type: Ready, status: "{4}"}}]}}
)";
constexpr const char* kBudget = R"(apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {{name: {0}, namespace: default}}
spec: {{selector: {{matchLabels: {{app: {1}}}}}}}
status: {{disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 2}}
)";

// "web: a, not ready c".
std::string found(const snapshot::Snapshot& snapshot) {
  const std::vector<std::string> nodes = {"n1"};
  const auto drained = drained_pods(snapshot, nodes);
  std::vector<std::string> all;
  for (const BudgetOfDrain& one : budgets_of_drain(snapshot, drained)) {
    std::string text = base::format("{}:", one.budget->meta.name);
    for (const std::size_t place : one.leaving)
      text += base::format(" {}", drained[place].pod->meta.name);
    for (const api::Pod* pod : one.not_ready)
      text += base::format(", not ready {}", pod->meta.name);
    all.push_back(std::move(text));
  }
  return base::join(all, "; ");
}

TEST_CASE("budgets count the pods that leave, and find those that are not ready") {
  Scene words;
  const auto pod = [&words](const char* name, const char* app, const char* kind, const char* node,
                            const char* ready) {
    words.yaml(base::format(kPod, name, app, kind, node, ready));
  };
  pod("a", "web", "ReplicaSet", "n1", "True");
  pod("b", "web", "DaemonSet", "n1", "True");
  pod("c", "web", "ReplicaSet", "n2", "False");
  pod("d", "twice", "ReplicaSet", "n1", "True");
  pod("e", "elsewhere", "ReplicaSet", "n2", "True");
  for (const auto& [name, app] : {std::pair("web", "web"), std::pair("one", "twice"),
                                  std::pair("two", "twice"), std::pair("far", "elsewhere")})
    words.yaml(base::format(kBudget, name, app));
  CHECK(found(words.build()) == "web: a, not ready c");
}

}  // namespace
}  // namespace dra::engine::drain_budgets_test
