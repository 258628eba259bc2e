// src/answers/explain/scheduler_bugs.cpp: what must hold in a cluster for each bug. The bugs are
// those of engine/facts/known_bugs.

#include "src/answers/explain/scheduler_bugs.h"

#include <algorithm>

#include "dra/api/taint_rule.h"
#include "dra/engine/facts/features.h"
#include "dra/engine/facts/known_bugs.h"

namespace dra::answers {
namespace {

bool takes_counters(const engine::NodeResult& node) {
  return node.is_feasible() && std::ranges::any_of(node.allocation, [](const auto& picked) {
           return !picked.published.device->consumes.empty();
         });
}

bool has_rules(const snapshot::Snapshot& snapshot) {
  return engine::features_of(snapshot.server()).on(engine::Gate::DRADeviceTaintRules) &&
         !snapshot.all<api::DeviceTaintRule>().empty();
}

}  // namespace

std::vector<std::string> scheduler_bugs(const snapshot::Snapshot& snapshot,
                                        const Explanation& explanation) {
  std::vector<engine::Bug> bugs;
  if (explanation.scheduler) {
    const auto bug = engine::bug_in(explanation.scheduler->message);
    if (bug && explanation.subject.claims.size() > 1) bugs.push_back(*bug);
  }
  if (std::ranges::any_of(explanation.nodes, takes_counters))
    bugs.push_back(engine::Bug::CountersStayReserved);
  if (has_rules(snapshot)) bugs.push_back(engine::Bug::RulesNotFollowed);
  std::vector<std::string> words;
  for (const engine::Bug bug : bugs) {
    std::string text = engine::words_of(bug, snapshot.server());
    if (!text.empty()) words.push_back(std::move(text));
  }
  return words;
}

}  // namespace dra::answers
