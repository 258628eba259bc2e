// src/answers/explain/explain_supply.cpp: explains every waiting pod and claim, restricted to the
// target, and judges each explanation.

#include "dra/answers/explain/explain_supply.h"

#include <algorithm>
#include <set>

#include "dra/base/text.h"
#include "dra/diag/subject.h"
#include "dra/engine/cluster/pods.h"
#include "src/answers/explain/nearest.h"

namespace dra::answers {
namespace {

// Limit of answers: each is an explanation of its own, on the target's nodes only.
constexpr std::size_t kMaxAnswers = 500;

bool is_had(engine::DeviceOutcome outcome) {
  return outcome == engine::DeviceOutcome::Picked || outcome == engine::DeviceOutcome::Possible ||
         outcome == engine::DeviceOutcome::Held;
}

void judge_node(SupplyAnswer& answer) {
  answer.why = answer.explanation.cause;
  if (answer.explanation.nodes.empty()) return;  // no node was checked
  const engine::NodeResult& node = answer.explanation.nodes.front();
  if (node.is_feasible()) answer.could = true;
  if (node.is_infeasible()) answer.could = false;
}

// No value: not known.
std::optional<bool> could_get(const Explanation& explanation, const DeviceAnswer& device) {
  bool unknown = false;
  for (const DeviceOnNode& on_node : device.nodes) {
    if (!on_node.requests || !explanation.nodes[on_node.node].passes_filters()) continue;
    for (const engine::DeviceVerdict& verdict : *on_node.requests) {
      if (is_had(verdict.outcome)) return true;
      unknown |= verdict.outcome == engine::DeviceOutcome::Unknown;
    }
  }
  return unknown ? std::nullopt : std::optional(false);
}

void judge_devices(SupplyAnswer& answer) {
  answer.could = false;
  for (const DeviceAnswer& device : answer.explanation.devices) {
    const auto could = could_get(answer.explanation, device);
    if (could && *could) ++answer.devices;
    if (!could) answer.could = std::nullopt;
  }
  if (answer.devices > 0) answer.could = true;
  if (!answer.could) answer.why = answer.explanation.cause;
  if (answer.could == std::optional(false)) answer.why = nearest_reason(answer.explanation);
}

SupplyAnswer answer_from(Explanation explanation, bool about_devices) {
  SubjectName subject = explanation.subjects.front();
  SupplyAnswer answer{
      .subject = std::move(subject), .could = {}, .why = {}, .explanation = std::move(explanation)};
  const Verdict verdict = answer.explanation.verdict;
  if (verdict == Verdict::Blocked) {
    answer.could = false;
    answer.why = answer.explanation.cause;
  } else if (about_devices) {
    judge_devices(answer);
  } else {
    judge_node(answer);
  }
  // Features that are not simulated may still reject the pod.
  const bool open = !answer.explanation.not_simulated.empty() ||
                    (verdict == Verdict::Undetermined && !answer.explanation.blockers.empty());
  if (answer.could.value_or(false) && open) {
    answer.could = std::nullopt;
    answer.why = answer.explanation.cause;
  }
  if (answer.could.value_or(false)) answer.why.clear();
  return answer;
}

// Waiting claims that no waiting pod uses.
std::vector<const api::ResourceClaim*> lonely_claims(const snapshot::Snapshot& snapshot,
                                                     const std::vector<const api::Pod*>& pods) {
  std::set<std::pair<std::string_view, std::string_view>> known;
  for (const api::Pod* pod : pods) {
    for (const api::PodClaim& claim : pod->spec.claims)
      known.emplace(pod->meta.namespace_, claim.claim_name);
    for (const api::PodClaimStatus& claim : pod->status.claims)
      known.emplace(pod->meta.namespace_, claim.claim_name.value_or(std::string_view()));
  }
  std::vector<const api::ResourceClaim*> claims;
  for (const api::ResourceClaim& claim : snapshot.all<api::ResourceClaim>()) {
    const bool waits = !claim.allocated() && !claim.meta.deleted;
    if (waits && !known.contains({claim.meta.namespace_, claim.meta.name}))
      claims.push_back(&claim);
  }
  return claims;
}

std::string supply_summary(const SupplyExplanation& explanation) {
  const std::string who = base::format("{} {}", explanation.subject.kind, explanation.subject.name);
  const auto all = std::ssize(explanation.answers);
  if (all == 0) return base::format("{}: no pod or claim waits for devices.", who);
  const auto could = std::ranges::count_if(
      explanation.answers, [](const SupplyAnswer& one) { return one.could.value_or(false); });
  const auto unknown = std::ranges::count_if(
      explanation.answers, [](const SupplyAnswer& one) { return !one.could.has_value(); });
  const std::string rest = unknown == 0 ? "" : base::format("; {} could not be checked", unknown);
  if (all == 1)
    return base::format("{}: the only one that waits for devices could{} use it{}.", who,
                        could == 0 ? " not" : "", rest);
  return base::format("{}: {} of the {} that wait for devices could use it{}.", who,
                      could == 0 ? std::string("none") : base::format("{}", could), all, rest);
}

}  // namespace

SupplyExplanation explain_supply(const snapshot::Snapshot& snapshot, const SupplyTarget& target) {
  SupplyExplanation explanation{.subject = target.subject,
                                .devices = target.focus.devices.size(),
                                .summary = {},
                                .answers = {},
                                .coverage = snapshot.coverage()};
  const engine::Inventory inventory(snapshot);
  const engine::NodeLoads loads(snapshot);
  const bool about_devices = target.subject.kind != "Node";
  const std::vector<const api::Pod*> pods = engine::waiting_pods(snapshot);
  for (const api::Pod* pod : pods) {
    if (explanation.answers.size() == kMaxAnswers) {
      ++explanation.not_looked_at;
      continue;
    }
    explanation.answers.push_back(
        answer_from(explain_pod(snapshot, inventory, loads, *pod, target.focus), about_devices));
  }
  for (const api::ResourceClaim* claim : lonely_claims(snapshot, pods)) {
    if (explanation.answers.size() == kMaxAnswers) {
      ++explanation.not_looked_at;
      continue;
    }
    explanation.answers.push_back(
        answer_from(explain_claims(snapshot, std::string(claim->meta.namespace_),
                                   {std::string(claim->meta.name)}, target.focus),
                    about_devices));
  }
  explanation.summary = supply_summary(explanation);
  return explanation;
}

}  // namespace dra::answers
