// src/answers/explain/outlook.cpp: evaluates the nodes again with an inventory in which only the
// subject's own claims hold devices, and compares the results with those of now.

#include "src/answers/explain/outlook.h"

#include <algorithm>
#include <vector>

#include "dra/engine/cluster/nodes.h"
#include "dra/engine/scheduler/host_parts.h"
#include "dra/engine/whatif/hypothesis.h"

namespace dra::answers {
namespace {

bool somebody_else_holds(const engine::Usage& usage, const engine::Subject& subject) {
  return std::ranges::any_of(usage.all(), [&subject](const engine::Holding& holding) {
    return std::ranges::find(subject.claims, holding.claim, &engine::SubjectClaim::claim) ==
           subject.claims.end();
  });
}

// Results for the nodes of the explanation if no other claim holds a device. The other filters are
// not run again: `now` has their reasons.
std::vector<engine::NodeResult> results_when_empty(const snapshot::Snapshot& snapshot,
                                                   const engine::Subject& subject,
                                                   std::span<const engine::NodeResult> now) {
  const engine::Inventory inventory(snapshot, {.held_by = engine::own_claims(subject)});
  const engine::Demands demands(snapshot, inventory, subject);
  engine::SearchBudget budget;
  engine::NodeEvaluator evaluator(snapshot, {inventory, snapshot.coverage(), demands, budget},
                                  subject, engine::Depth::Answer);
  const engine::Nodes nodes = engine::nodes_of(snapshot);
  std::vector<engine::NodeResult> results;
  results.reserve(now.size());
  auto node = nodes.nodes.begin();
  for (const engine::NodeResult& known : now) {
    node = std::find_if(node, nodes.nodes.end(),
                        [&known](const api::Node& one) { return one.meta.name == known.name; });
    results.push_back(evaluator.evaluate(*node));
  }
  return results;
}

// Devices of a device plugin are outside DRA: they stay in use when all claims are released.
bool lacks_of_plugin(const engine::NodeResult& node) {
  return std::ranges::any_of(node.other_reasons, [](const diag::Reason& reason) {
    return reason.code == diag::Code::ExtendedResource;
  });
}

// `empty` are the results with all other claims released, one for each node of `now`. `parts_of`
// gives the parts of hosts in one of them.
template <class F>
std::optional<Outlook> judge_outlook(std::span<const engine::NodeResult> now,
                                     std::span<const engine::NodeResult> empty, F parts_of) {
  Outlook not_now{.when = When::NotNow};
  Outlook not_here{.when = When::NotHere};
  bool gives_up = false;
  bool open_passing = false;  // a node passes the other filters, and its result is not known
  bool open_other = false;
  Outlook never{.when = When::Never};
  for (std::size_t i = 0; i < now.size(); ++i) {
    const bool passes = now[i].passes_filters();
    const engine::NodeResult& then = empty[i];
    gives_up |= passes && then.aborts();
    if (then.fits() ? lacks_of_plugin(now[i]) : !then.does_not_fit()) {
      (passes ? open_passing : open_other) = true;
    } else if (then.fits()) {
      const std::vector<engine::HostPart> parts = parts_of(then);
      if (parts.empty()) {
        ++(passes ? not_now : not_here).nodes;
        if (!passes && now[i].fits()) ++not_here.nodes_now;
      } else if (never.why == WhyNever::NoNodeFits) {
        const engine::HostPart& part = parts.front();
        never = {.when = When::Never,
                 .why = WhyNever::WouldNotStart,
                 .chips = part.devices,
                 .of_host = part.host.chips};
      }
    }
  }
  if (gives_up) return Outlook{.when = When::Never};
  if (not_now.nodes > 0) return not_now;
  if (open_passing) return std::nullopt;
  if (not_here.nodes > 0) return not_here;
  if (open_other) return std::nullopt;
  return never;
}

// Devices that match are in a pool of which slices are still to be published.
bool waits_for_slices(const engine::NodeResult& node) {
  const bool unusable = std::ranges::any_of(node.demands, [](const engine::DemandResult& demand) {
    return demand.matching > demand.in_use + demand.usable;
  });
  return unusable && std::ranges::find(node.reasons, diag::Code::PoolIncomplete,
                                       &diag::Reason::code) != node.reasons.end();
}

// What would make it fit is not among the devices that others hold: a claim of its own that other
// pods keep where it is, or slices that are still to be published.
bool depends_on_more(const engine::Subject& subject, std::span<const engine::NodeResult> nodes) {
  const bool kept = std::ranges::any_of(subject.claims, [](const engine::SubjectClaim& claim) {
    return claim.allocated() && !claim.claim->status.reserved_for.empty();
  });
  return kept || std::ranges::any_of(nodes, waits_for_slices);
}

// No value in place of "never", where that does not follow.
std::optional<Outlook> unless_open(std::optional<Outlook> outlook, const engine::Subject& subject,
                                   std::span<const engine::NodeResult> nodes) {
  const bool never =
      outlook && outlook->when == When::Never && outlook->why == WhyNever::NoNodeFits;
  return never && depends_on_more(subject, nodes) ? std::nullopt : outlook;
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

std::string_view name_of(WhyNever why) {
  switch (why) {
    case WhyNever::NoNodeFits:
      return "noNodeFits";
    case WhyNever::WouldNotStart:
      return "wouldNotStart";
    case WhyNever::HeldByOwn:
      return "heldByOwn";
    case WhyNever::HeldByOld:
      return "heldByOld";
  }
  return "";
}

std::optional<Outlook> outlook_of(const snapshot::Snapshot& snapshot,
                                  const engine::Inventory& inventory,
                                  const engine::Subject& subject,
                                  std::span<const engine::NodeResult> nodes,
                                  std::span<const engine::AfterFinding> after) {
  if (nodes.empty() || std::ranges::any_of(nodes, &engine::NodeResult::is_feasible))
    return std::nullopt;
  if (std::ranges::any_of(after, &engine::AfterFinding::held_by_own))
    return Outlook{.when = When::Never, .why = WhyNever::HeldByOwn};
  const auto parts_of = [&](const engine::NodeResult& node) {
    return engine::host_parts(snapshot, inventory, node);
  };
  if (!somebody_else_holds(inventory.usage(), subject))
    return unless_open(judge_outlook(nodes, nodes, parts_of), subject, nodes);
  const std::vector<engine::NodeResult> empty = results_when_empty(snapshot, subject, nodes);
  return unless_open(judge_outlook(nodes, empty, parts_of), subject, nodes);
}

}  // namespace dra::answers
