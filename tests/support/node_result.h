// tests/support/node_result.h: the results of nodes for a subject.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/scheduler/node_result.h"

namespace dra::support {

// An evaluator and what it needs; the snapshot and the subject must outlive it.
struct EvaluatorParts {
  EvaluatorParts(const snapshot::Snapshot& snapshot, const engine::Subject& subject)
      : inventory(snapshot),
        demands(snapshot, inventory, subject),
        evaluator(snapshot, {inventory, snapshot.coverage(), demands, budget}, subject) {}

  engine::Inventory inventory;
  engine::Demands demands;
  engine::SearchBudget budget;
  engine::NodeEvaluator evaluator;
};

inline engine::NodeResult evaluate(const snapshot::Snapshot& snapshot,
                                   const engine::Subject& subject, const api::Node& node) {
  return EvaluatorParts(snapshot, subject).evaluator.evaluate(node);
}

inline engine::NodeResult evaluate(const snapshot::Snapshot& snapshot,
                                   const engine::Subject& subject) {
  return evaluate(snapshot, subject, engine::nodes_of(snapshot).nodes.front());
}

// "out: CountShort DeviceInUse": each code once in a row.
inline std::string to_line(const engine::NodeResult& result) {
  std::string line = result.aborts() ? "aborts:" : result.is_ruled_out() ? "out:" : "open:";
  for (const diag::Reason& reason : result.reasons) {
    const std::string word = base::format(" {}", diag::name_of(reason.code));
    if (!line.ends_with(word)) line += word;
  }
  return line;
}

// The verdict on a device of a node for each demand; no value where the node does not see it.
inline std::optional<std::vector<engine::DeviceVerdict>> verdicts(
    const snapshot::Snapshot& snapshot, const engine::Subject& subject, const api::Node& node,
    const engine::DeviceId& device) {
  EvaluatorParts parts(snapshot, subject);
  engine::NodeEvaluator& evaluator = parts.evaluator;
  return evaluator.verdicts(node, evaluator.evaluate(node), device);
}

}  // namespace dra::support
