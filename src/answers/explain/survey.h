// src/answers/explain/survey.h: the first stage of an explanation: the devices that selectors
// choose, and the scheduler's decision about each node.

#pragma once

#include <string>
#include <vector>

#include "dra/answers/explain/explanation.h"
#include "src/answers/explain/demand_facts.h"

namespace dra::answers {

// The input of an explanation.
struct Cluster {
  const snapshot::Snapshot& snapshot;
  const engine::Inventory& inventory;
  const engine::NodeLoads& loads;
  const Focus& focus;
};

// Members mean the same as in an Explanation.
struct Survey {
  std::vector<DemandFacts> demands = {};
  bool nodes_assumed = false;
  bool nodes_chosen = false;
  std::vector<std::string> not_simulated = {};
  std::vector<engine::NodeResult> nodes = {};
  std::vector<std::vector<std::size_t>> groups = {};
  std::vector<DeviceAnswer> devices = {};
};

// Empty for a subject without claims.
Survey survey(const Cluster& cluster, const std::vector<SubjectName>& subjects,
              const engine::Subject& subject, Detail detail);

}  // namespace dra::answers
