// include/dra/answers/explain/pod_plan.h
//
// `kubectl dra plan`: all waiting pods in the order of the scheduler's queue, and what each gets if
// nothing else changes, with what keeps the others.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dra/answers/explain/change_facts.h"
#include "dra/engine/facts/change.h"
#include "dra/engine/whatif/plan.h"
#include "dra/snapshot/coverage.h"

namespace dra::answers {

struct PlannedPod {
  std::size_t place = 0;  // in the queue, from 1
  engine::PlanStep step;
  // Why it gets no node, or why that is open: the end of a sentence. Empty: it gets one.
  std::string cause = {};
};

struct PodPlan {
  std::string namespace_;                    // empty: all
  std::vector<PlannedPod> pods;              // of the namespace
  std::size_t elsewhere = 0;                 // pods in the queue that are of other namespaces
  snapshot::Snapshot state;                  // that the steps point into
  std::vector<engine::Change> what_if = {};  // that the state already contains
  std::vector<ChangeFacts> what_if_facts = {};

  std::size_t count(engine::PlanVerdict verdict) const;
};

// All pods of the cluster take part, also where those of one namespace are shown.
PodPlan pod_plan(const snapshot::Snapshot& snapshot, std::string_view ns);

}  // namespace dra::answers
