// tests/support/standing.h: how a node stands towards a subject.

#pragma once

#include <optional>
#include <vector>

#include "dra/engine/nodes.h"
#include "dra/engine/standing.h"

namespace dra::support {

inline engine::NodeStanding stand(const snapshot::Snapshot& snapshot,
                                  const engine::Subject& subject, const api::Node& node) {
  const engine::Inventory inventory(snapshot);
  const engine::Demands demands(snapshot, inventory, subject);
  engine::SearchBudget budget;
  engine::Standings standings(snapshot, {inventory, snapshot.coverage(), demands, budget}, subject);
  return standings.of(node);
}

inline engine::NodeStanding stand(const snapshot::Snapshot& snapshot,
                                  const engine::Subject& subject) {
  return stand(snapshot, subject, engine::nodes_of(snapshot).nodes.front());
}

// How a device stands on a node towards each demand; no value where the node does not see it.
inline std::optional<std::vector<engine::DeviceChance>> chances(const snapshot::Snapshot& snapshot,
                                                                const engine::Subject& subject,
                                                                const api::Node& node,
                                                                const engine::DeviceId& device) {
  const engine::Inventory inventory(snapshot);
  const engine::Demands demands(snapshot, inventory, subject);
  engine::SearchBudget budget;
  engine::Standings standings(snapshot, {inventory, snapshot.coverage(), demands, budget}, subject);
  return standings.chances(node, standings.of(node), device);
}

}  // namespace dra::support
