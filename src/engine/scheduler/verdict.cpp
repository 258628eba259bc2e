// src/engine/scheduler/verdict.cpp: see verdict.h.

#include "dra/engine/scheduler/verdict.h"

#include <algorithm>
#include <array>

#include "dra/base/text.h"

namespace dra::engine {
namespace {

using diag::Code;
using diag::Reason;

// Without these no statement about devices is complete; what was read may still prove one.
constexpr std::array kNeeded = {api::Kind::Claim, api::Kind::Class, api::Kind::Node,
                                api::Kind::Slice, api::Kind::TaintRule};

std::vector<Reason> not_visible(const snapshot::Coverage& coverage) {
  std::vector<Reason> reasons;
  for (const api::Kind kind : kNeeded) {
    const snapshot::Missing* missing = coverage.find(kind);
    if (missing == nullptr) continue;
    reasons.push_back({.code = Code::NotVisible,
                       .certainty = diag::Certainty::AsFarAsVisible,
                       .message = snapshot::cannot_be_read(*missing)});
  }
  return reasons;
}

bool is_scheduled(const Subject& subject) {
  return subject.pod == nullptr ? subject.allocated() : !subject.pod->spec.node_name.empty();
}

bool is_for_another_scheduler(const Subject& subject) {
  return subject.pod != nullptr && !subject.pod->spec.scheduler_name.empty() &&
         subject.pod->spec.scheduler_name != api::kDefaultScheduler;
}

Reason other_scheduler(const api::Pod& pod) {
  return {
      .code = Code::OtherScheduler,
      .message = base::format("scheduler {} is responsible for this pod", pod.spec.scheduler_name)};
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::Fits:
      return "Fits";
    case Verdict::DoesNotFit:
      return "DoesNotFit";
    case Verdict::Blocked:
      return "Blocked";
    case Verdict::Scheduled:
      return "Scheduled";
    case Verdict::Undetermined:
      return "Undetermined";
  }
  return "";
}

std::size_t nodes_to_find(std::size_t all) {
  constexpr std::size_t few = 100;
  if (all < few) return all + 1;  // it does not stop before the last
  const std::size_t percent = all / 125 >= 45 ? 5 : 50 - all / 125;
  return std::max(few, all * percent / 100);
}

// Where the scheduler gives up on the pod, nothing else counts; but it may not come to that where
// enough nodes fit before.
Verdict judge_nodes(std::span<const NodeResult> nodes, bool all_simulated) {
  const auto feasible =
      static_cast<std::size_t>(std::ranges::count_if(nodes, &NodeResult::is_feasible));
  const bool gives_up = std::ranges::any_of(nodes, &NodeResult::aborts_pod);
  // A filter that is not simulated may keep the scheduler from the node where it would give up.
  if (gives_up && feasible > 0 && !all_simulated) return Verdict::Undetermined;
  if (gives_up)
    return feasible < nodes_to_find(nodes.size()) || feasible == 0 ? Verdict::DoesNotFit
                                                                   : Verdict::Undetermined;
  if (feasible > 0) return all_simulated ? Verdict::Fits : Verdict::Undetermined;
  const bool all_out = !nodes.empty() && std::ranges::all_of(nodes, &NodeResult::is_infeasible);
  return all_out ? Verdict::DoesNotFit : Verdict::Undetermined;
}

Decision judge(const snapshot::Coverage& coverage, const Subject& subject,
               std::span<const NodeResult> nodes, bool all_simulated) {
  // What would block a start does not matter any more.
  if (is_scheduled(subject)) return {.verdict = Verdict::Scheduled};
  Decision decision{.blockers = subject.blockers};
  // A gate, or a claim that is not there, keeps every scheduler from the pod.
  if (!decision.blockers.empty()) {
    decision.verdict = Verdict::Blocked;
    return decision;
  }
  if (is_for_another_scheduler(subject)) {
    decision.blockers.push_back(other_scheduler(*subject.pod));
    return decision;
  }
  decision.blockers = not_visible(coverage);
  if (coverage.saw(api::Kind::Node) && coverage.saw(api::Kind::Slice))
    decision.verdict = judge_nodes(nodes, all_simulated);
  return decision;
}

}  // namespace dra::engine
