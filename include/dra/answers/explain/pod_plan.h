// include/dra/answers/explain/pod_plan.h
//
// `kubectl dra plan`: all waiting pods in the order of the scheduler's queue, and what each gets if
// nothing else changes, with what keeps the others.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/answers/explain/change_facts.h"
#include "dra/api/cluster_objects.h"
#include "dra/engine/facts/change.h"
#include "dra/engine/whatif/drain.h"
#include "dra/engine/whatif/drain_budgets.h"
#include "dra/engine/whatif/more_nodes.h"
#include "dra/engine/whatif/plan.h"
#include "dra/snapshot/coverage.h"

namespace dra::answers {

struct PlannedPod {
  std::size_t place = 0;  // in the queue, from 1
  engine::PlanStep step;
  // Why it gets no node, or why that is open: the end of a sentence. Empty: it gets one.
  std::string cause = {};
  // Its place among the pods of the drain, if it waits because of that.
  std::optional<std::size_t> drained = {};
};

// A pod on a node that is drained, as it is before.
struct DrainedPodFacts {
  std::string namespace_;
  std::string name;
  std::string node;
  engine::DrainFate fate = engine::DrainFate::Recreated;
  std::vector<engine::DeviceId> loses = {};
  // Of PodDisruptionBudgets because of which it is not evicted now, as words_for_budgets() has it.
  std::string budgets = {};
  bool never_evicted = false;   // by these budgets, until one is removed
  bool loses_data = false;      // of emptyDir volumes
  std::string ends_job = {};    // "Job ml/train, which has no attempt left (backoffLimit 0)"
  bool shares_staying = false;  // a claim with a pod that stays on its node
};

// A PodDisruptionBudget that counts evictions of the drain, as it is before.
struct DrainBudgetFacts {
  std::string namespace_;
  std::string name;
  api::BudgetStatus status;                 // without the names of pods
  std::vector<std::size_t> leaving;         // places among the pods of the drain
  std::vector<std::string> not_ready = {};  // names of its pods that are not ready
  // Set by pod_plan(), which knows whether replacements get a node.
  engine::BudgetOutcome outcome = engine::BudgetOutcome::Passes;
  engine::LeavingPods counts = {};
};

struct DrainFacts {
  std::vector<std::string> nodes;  // none: nothing is drained
  std::vector<DrainedPodFacts> pods = {};
  std::vector<DrainBudgetFacts> budgets = {};
  bool budgets_unread = false;  // PodDisruptionBudgets of its pods could not be read
};
// The snapshot is the state before.
DrainFacts drain_facts(const snapshot::Snapshot& snapshot, std::span<const std::string> nodes);

struct PodPlan {
  std::string namespace_;                    // empty: all
  std::vector<PlannedPod> pods;              // of the namespace, or drained
  std::size_t elsewhere = 0;                 // other pods in the queue
  snapshot::Snapshot state;                  // that the steps point into
  std::vector<engine::Change> what_if = {};  // that the state already contains
  std::vector<ChangeFacts> what_if_facts = {};
  DrainFacts drain = {};  // the state already contains it
  engine::MoreNodesFound more_nodes = {};

  std::size_t count(engine::PlanVerdict verdict) const;
  // Why it is not known whether pods wait: "pods are not in the files". Empty: it is known, or
  // there is something to show.
  std::string unknown() const;
};

// All pods of the cluster take part, also where those of one namespace are shown.
PodPlan pod_plan(const snapshot::Snapshot& snapshot, std::string_view ns, DrainFacts drain = {});

}  // namespace dra::answers
