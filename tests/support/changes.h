// tests/support/changes.h: changes in short words, and evaluator of every node, for tests of what
// would help.

#pragma once

#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/engine/whatif/advice.h"
#include "tests/support/builders.h"
#include "tests/support/node_result.h"

namespace dra::support {

struct ChangeInWords {
  std::string operator()(const engine::SetCount& change) const {
    return base::format("count {}={}", change.request, change.count);
  }
  std::string operator()(const engine::DropSelector& change) const {
    return base::format("drop {}{} {}", change.place.of_class ? "class " : "", change.place.request,
                        change.text);
  }
  std::string operator()(const engine::EditSelector& change) const {
    return base::format("edit {}{} {}", change.place.of_class ? "class " : "", change.place.request,
                        change.expression);
  }
  std::string operator()(const engine::Tolerate& change) const {
    return base::format("tolerate {} {}",
                        change.claim.empty() ? std::string("node") : change.request, change.key);
  }
  std::string operator()(const engine::DropConstraint& change) const {
    return base::format("unconstrain {}", change.constraint);
  }
  std::string operator()(const engine::RelaxConstraint& change) const {
    return base::format("relax {} to {}", change.constraint, change.instead);
  }
  std::string operator()(const engine::SplitRequests& change) const {
    std::string shares;
    for (const std::int64_t count : change.counts)
      shares += base::format("{}{}", shares.empty() ? ": " : "+", count);
    return base::format("split {} of {} in {}{}", base::join(change.requests, ","),
                        change.constraint, change.parts, shares);
  }
  std::string operator()(const engine::SelectNodes& change) const {
    return base::format("select {} for {}{}", change.value.value_or("any"), change.text,
                        change.other_devices ? " (other)" : "");
  }
  std::string operator()(const engine::UseAlternative& change) const {
    return base::format("use {}", change.request);
  }
  std::string operator()(const engine::Release& change) const {
    return base::format("release {}{}{}", base::join(change.claims, ","),
                        change.pods.empty() ? "" : " of ", base::join(change.pods, ","));
  }
  std::string operator()(const engine::AddNode& change) const {
    return base::format("node like {}", change.like);
  }
  std::string operator()(const engine::RemoveNode& change) const {
    return base::format("no {}", change.node);
  }
  std::string operator()(const engine::JoinNodes& change) const {
    return base::format("join {}", base::join(change.nodes, ","));
  }
  std::string operator()(const engine::Drain& change) const {
    return base::format("drain {}", base::join(change.nodes, ","));
  }
  std::string operator()(const engine::Wait& change) const {
    return base::format("wait {}", change.pool);
  }
};

// The node n1 with a pool of these devices, of which `count` slices are said to be.
inline Scene devices_on_n1(std::string list, int count = 1) {
  return scene().node("n1").slice(SliceWords{.name = "s",
                                             .pool = "n1",
                                             .count = count,
                                             .where = "nodeName: n1",
                                             .devices = std::move(list)});
}

// One selector, as fields of a demand.
inline std::string select_by(std::string_view expression) {
  return base::format("selectors: [{{cel: {{expression: \"{}\"}}}}]", expression);
}

// "count gpu=2 (1)", with the number of nodes behind.
inline std::string words(const engine::Advice& advice) {
  std::vector<std::string> parts;
  for (const engine::Change& change : advice.changes)
    parts.push_back(std::visit(ChangeInWords(), change));
  return base::format("{} ({})", base::join(parts, " + "), advice.nodes);
}

// Of every node, other filters included where the subject is a pod.
inline std::vector<engine::NodeResult> stand_everywhere(const engine::Simulator& simulator,
                                                        const engine::Wanted& wanted) {
  const snapshot::Snapshot& snapshot = simulator.snapshot();
  const engine::Subject subject = engine::resolve(snapshot, wanted);
  const engine::Demands demands(snapshot, simulator.inventory(), subject);
  const engine::NodeLoads loads(snapshot);
  std::optional<engine::NodeFilters> filters;
  if (subject.pod != nullptr && !simulator.nodes().assumed)
    filters.emplace(snapshot, loads, *subject.pod);
  engine::SearchBudget budget;
  engine::NodeEvaluator evaluator(
      snapshot,
      {simulator.inventory(), snapshot.coverage(), demands, budget, filters ? &*filters : nullptr},
      subject);
  std::vector<engine::NodeResult> all;
  for (const api::Node& node : simulator.nodes().nodes)
    all.push_back(evaluator.evaluate(node));
  for (engine::NodeResult& node : all)
    node.allocation.clear();  // which points to the subject
  return all;
}

}  // namespace dra::support
