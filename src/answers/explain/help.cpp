// src/answers/explain/help.cpp: runs the simulator on the subject for conflicts and for advice, if
// the nodes of the explanation are all nodes of the cluster.

#include "src/answers/explain/help.h"

namespace dra::answers {

engine::Wanted wanted_of(const std::vector<SubjectName>& subjects, const engine::Subject& subject) {
  const SubjectName& first = subjects.front();
  engine::Wanted wanted{.namespace_ = first.namespace_, .pod = {}, .claims = {}};
  if (subject.pod != nullptr) {
    wanted.pod = first.name;
    return wanted;
  }
  for (const SubjectName& claim : subjects)
    wanted.claims.push_back(claim.name);
  return wanted;
}

std::optional<Help> help_of(const Cluster& cluster, const engine::Wanted& wanted,
                            const engine::Subject& subject,
                            const std::vector<engine::NodeResult>& nodes, Detail detail) {
  if (nodes.empty()) return std::nullopt;
  const api::Pod* pod = subject.pod;
  // The simulator finds the pod by name, and a pod of a template may not be in the snapshot.
  if (pod != nullptr && cluster.snapshot.find<api::Pod>(wanted.namespace_, wanted.pod) != pod)
    return std::nullopt;
  const engine::Simulator simulator(cluster.snapshot, cluster.inventory, cluster.loads);
  if (simulator.nodes().nodes.size() != nodes.size()) return std::nullopt;
  Help help{.advice = engine::advice_for(simulator, wanted, nodes)};
  if (detail == Detail::Every) help.conflicts = engine::conflicts_of(simulator, wanted, nodes);
  for (const engine::Advice& advice : help.advice.advice)
    help.advice_facts.push_back(facts_of(advice.changes, subject, cluster.snapshot));
  return help;
}

}  // namespace dra::answers
