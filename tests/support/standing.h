// tests/support/standing.h: how a node stands towards a subject.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/scheduler/standing.h"

namespace dra::support {

// All that standings of nodes are made of; the snapshot and the subject must outlive it.
struct LookOut {
  LookOut(const snapshot::Snapshot& snapshot, const engine::Subject& subject)
      : inventory(snapshot),
        demands(snapshot, inventory, subject),
        standings(snapshot, {inventory, snapshot.coverage(), demands, budget}, subject) {}

  engine::Inventory inventory;
  engine::Demands demands;
  engine::SearchBudget budget;
  engine::Standings standings;
};

inline engine::NodeStanding stand(const snapshot::Snapshot& snapshot,
                                  const engine::Subject& subject, const api::Node& node) {
  return LookOut(snapshot, subject).standings.of(node);
}

inline engine::NodeStanding stand(const snapshot::Snapshot& snapshot,
                                  const engine::Subject& subject) {
  return stand(snapshot, subject, engine::nodes_of(snapshot).nodes.front());
}

// "out: CountShort DeviceInUse": each code once in a row.
inline std::string to_line(const engine::NodeStanding& standing) {
  std::string line = standing.aborts ? "aborts:" : standing.ruled_out ? "out:" : "open:";
  for (const diag::Reason& reason : standing.reasons) {
    const std::string word = base::format(" {}", diag::name_of(reason.code));
    if (!line.ends_with(word)) line += word;
  }
  return line;
}

// How a device stands on a node towards each demand; no value where the node does not see it.
inline std::optional<std::vector<engine::DeviceVerdict>> verdicts(
    const snapshot::Snapshot& snapshot, const engine::Subject& subject, const api::Node& node,
    const engine::DeviceId& device) {
  LookOut look_out(snapshot, subject);
  engine::Standings& standings = look_out.standings;
  return standings.verdicts(node, standings.of(node), device);
}

}  // namespace dra::support
