// src/report/explain/explanation_help.cpp: see explanation_help.h.

#include "src/report/explain/explanation_help.h"

namespace dra::report {

engine::Wanted wanted_of(const Explanation& explanation) {
  const SubjectName& first = explanation.subjects.front();
  engine::Wanted wanted{.namespace_ = first.namespace_, .pod = {}, .claims = {}};
  if (explanation.subject.pod != nullptr) {
    wanted.pod = first.name;
    return wanted;
  }
  for (const SubjectName& subject : explanation.subjects)
    wanted.claims.push_back(subject.name);
  return wanted;
}

std::optional<Help> help_of(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                            const engine::NodeLoads& loads, const Explanation& explanation) {
  if (explanation.verdict != Verdict::DoesNotFit || explanation.nodes.empty()) return std::nullopt;
  const engine::Wanted wanted = wanted_of(explanation);
  const api::Pod* pod = explanation.subject.pod;
  // A pod that only its template knows is not in the snapshot.
  if (pod != nullptr && snapshot.find<api::Pod>(wanted.namespace_, wanted.pod) != pod)
    return std::nullopt;
  const engine::Simulator simulator(snapshot, inventory, loads);
  if (simulator.nodes().nodes.size() != explanation.nodes.size()) return std::nullopt;
  return Help{.conflicts = engine::conflicts_of(simulator, wanted, explanation.nodes),
              .advice = engine::advice_for(simulator, wanted, explanation.nodes)};
}

}  // namespace dra::report
