// src/report/explain/explanation_outlook.cpp: see explanation_outlook.h.

#include "src/report/explain/explanation_outlook.h"

#include <algorithm>

#include "dra/base/text.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/whatif/hypothesis.h"

namespace dra::report {
namespace {

bool somebody_else_holds(const engine::Usage& usage, const engine::Subject& subject) {
  return std::ranges::any_of(usage.all(), [&subject](const engine::Holding& holding) {
    return std::ranges::find(subject.claims, holding.claim, &engine::SubjectClaim::claim) ==
           subject.claims.end();
  });
}

// How the nodes of the explanation stand when nobody else holds anything. What other filters say is
// not asked again.
std::vector<engine::NodeStanding> standings_when_empty(const snapshot::Snapshot& snapshot,
                                                       const Explanation& explanation) {
  const engine::Inventory inventory(snapshot, {.held_by = engine::own_claims(explanation.subject)});
  const engine::Demands demands(snapshot, inventory, explanation.subject);
  engine::SearchBudget budget;
  engine::Standings looked_at(snapshot, {inventory, snapshot.coverage(), demands, budget},
                              explanation.subject, engine::Depth::Answer);
  const engine::Nodes nodes = engine::nodes_of(snapshot);
  std::vector<engine::NodeStanding> standings;
  standings.reserve(explanation.nodes.size());
  auto node = nodes.nodes.begin();
  for (const engine::NodeStanding& now : explanation.nodes) {
    node = std::find_if(node, nodes.nodes.end(),
                        [&now](const api::Node& one) { return one.meta.name == now.name; });
    standings.push_back(looked_at.of(*node));
  }
  return standings;
}

// A device plugin's devices are not DRA's: who holds them, and would not, was not looked at.
bool lacks_of_plugin(const engine::NodeStanding& node) {
  return std::ranges::any_of(node.other_reasons, [](const diag::Reason& reason) {
    return reason.code == diag::Code::ExtendedResource;
  });
}

// Of nodes as they would be: `empty` is as long as `now`.
std::optional<Outlook> judge_outlook(const std::vector<engine::NodeStanding>& now,
                                     const std::vector<engine::NodeStanding>& empty) {
  Outlook not_now{.when = When::NotNow};
  Outlook not_here{.when = When::NotHere};
  bool gives_up = false;
  bool open_passing = false;  // a node that passes and of which it is not known
  bool open_other = false;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const bool passes = now[i].passes();
    gives_up |= passes && empty[i].aborts;
    if (!empty[i].fits || (*empty[i].fits && lacks_of_plugin(now[i]))) {
      (passes ? open_passing : open_other) = true;
    } else if (*empty[i].fits) {
      ++(passes ? not_now : not_here).nodes;
    }
  }
  if (gives_up) return Outlook{.when = When::Never};
  if (not_now.nodes > 0) return not_now;
  if (open_passing) return std::nullopt;
  if (not_here.nodes > 0) return not_here;
  if (open_other) return std::nullopt;
  return Outlook{.when = When::Never};
}

}  // namespace

std::string_view name_of(When when) {
  switch (when) {
    case When::Never:
      return "never";
    case When::NotNow:
      return "notNow";
    case When::NotHere:
      return "notHere";
  }
  return "";
}

std::optional<Outlook> outlook_of(const snapshot::Snapshot& snapshot,
                                  const engine::Inventory& inventory,
                                  const Explanation& explanation) {
  const bool some_fit = std::ranges::any_of(explanation.nodes, &engine::NodeStanding::open);
  if (explanation.verdict != Verdict::DoesNotFit || explanation.nodes.empty() || some_fit)
    return std::nullopt;
  if (!somebody_else_holds(inventory.usage(), explanation.subject))
    return judge_outlook(explanation.nodes, explanation.nodes);
  return judge_outlook(explanation.nodes, standings_when_empty(snapshot, explanation));
}

std::string outlook_words(const Explanation& explanation) {
  if (!explanation.outlook) return {};
  const Outlook& outlook = *explanation.outlook;
  const std::string nodes = base::plural(outlook.nodes, "node");
  const bool one = outlook.nodes == 1;
  const std::string_view far = explanation.not_simulated.empty() ? "" : ", as far as DRA goes";
  switch (outlook.when) {
    case When::NotNow:
      return base::format("Waiting may help: in an empty cluster {} would fit{}.", nodes, far);
    case When::NotHere:
      return base::format("Devices are not what lacks: other filters reject {} that {} for DRA.",
                          nodes, one ? "fits" : "fit");
    case When::Never:
      return "Waiting does not help: not even in an empty cluster would a node fit.";
  }
  return {};
}

}  // namespace dra::report
