// src/answers/explain/survey.h: what an explanation finds in the cluster: what selectors choose,
// and what the scheduler would decide about each node.

#pragma once

#include <string>
#include <vector>

#include "dra/answers/explain/explanation.h"
#include "src/answers/explain/demand_facts.h"

namespace dra::answers {

// What an explanation is computed from.
struct Cluster {
  const snapshot::Snapshot& snapshot;
  const engine::Inventory& inventory;
  const engine::NodeLoads& loads;
  const Focus& focus;
};

// Its members are those of an explanation.
struct Survey {
  std::vector<DemandFacts> demands = {};
  bool nodes_assumed = false;
  bool nodes_chosen = false;
  std::vector<std::string> not_simulated = {};
  std::vector<engine::NodeStanding> nodes = {};
  std::vector<std::vector<std::size_t>> groups = {};
  std::vector<DeviceAnswer> devices = {};
};

// Nothing of a subject without claims.
Survey survey(const Cluster& cluster, const std::vector<SubjectName>& subjects,
              const engine::Subject& subject, Detail detail);

}  // namespace dra::answers
