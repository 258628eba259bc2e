// src/answers/explain/gang_decision.cpp: see gang_decision.h.

#include "src/answers/explain/gang_decision.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/scheduling_group.h"
#include "src/answers/explain/pods_before.h"

namespace dra::answers {
namespace {

using diag::Code;
using engine::Gang;
using engine::GangVerdict;
using engine::PlanStep;
using engine::PlanVerdict;

// "pods train-0, train-1 before it take what it could have". Of a pod that fits nowhere by
// itself, that; its own explanation says why.
std::string why_not(const PlanStep& step) {
  if (!step.reasons.empty()) return step.reasons.front().message;
  if (!step.fits_alone) return "no node has room for it";
  if (step.before.empty()) return "the pods before it leave it no room";
  return base::format("{} before it {} what it could have", pods_before(step, false),
                      step.all_before == 1 ? "takes" : "take");
}

// "2 of the 3 pods that gang train needs fit together; pod train-2 does not: ...".
std::string too_few(const Gang& gang) {
  const std::int64_t most = gang.with_node + gang.possible;
  std::string words = base::format("{}{} of the {} pods that gang {} needs {} together",
                                   gang.possible == gang.placed ? "" : "at most ", most,
                                   gang.min_count, gang.name, most == 1 ? "fits" : "fit");
  const PlanStep* step = gang.in_the_way();
  if (step == nullptr) return words + "; the others are being deleted";
  return words + base::format("; pod {} does not: {}", step->pod->meta.name, why_not(*step));
}

diag::Reason against(std::string message) {
  return {.code = Code::GangDoesNotFit, .message = std::move(message)};
}

// Whether all but the gang lets the pod fit. Of a pod without claims no node is looked at.
bool is_open_for_gang(const Cluster& cluster, const engine::Subject& subject, const Survey& survey,
                      const engine::Decision& decision, const std::vector<std::string>& others) {
  if (decision.verdict != Verdict::Undetermined || !decision.blockers.empty()) return false;
  if (subject.claims.empty()) return others.empty();
  return engine::judge(cluster.snapshot.coverage(), subject, survey.nodes, others.empty())
             .verdict == Verdict::Fits;
}

}  // namespace

std::string why_not_bound(const Gang& gang) {
  if (gang.verdict == GangVerdict::DoesNotFit) return too_few(gang);
  const auto& steps = gang.plan->steps;
  if (gang.verdict == GangVerdict::Fits)
    return base::format(
        "gang {} has room for {} of its {} pods that wait, and which these are is open", gang.name,
        gang.placed, steps.size());
  const auto behind = std::ranges::find_if(
      steps, [](const PlanStep& step) { return step.verdict == PlanVerdict::Depends; });
  if (behind != steps.end() && !behind->before.empty())
    return base::format("gang {} fits together or not, which depends on where {} {}", gang.name,
                        pods_before(*behind, true), behind->all_before == 1 ? "goes" : "go");
  const auto unknown =
      std::ranges::find_if(steps, [](const PlanStep& step) { return !step.reasons.empty(); });
  const std::string words = base::format("whether gang {} fits together is not known", gang.name);
  return unknown == steps.end() ? words
                                : base::format("{}: {}", words, unknown->reasons.front().message);
}

std::optional<Gang> decide_gang(const Cluster& cluster, const engine::Subject& subject,
                                Survey& survey, engine::Decision& decision) {
  if (subject.pod == nullptr || survey.nodes_chosen || !subject.pod->spec.group)
    return std::nullopt;
  const api::Pod& pod = *subject.pod;
  const auto group = engine::scheduling_group_of(cluster.snapshot, pod);
  std::vector<std::string> others = survey.not_simulated;
  std::erase(others, engine::not_filtered(group));
  if (!group.is_looked_at() || !is_open_for_gang(cluster, subject, survey, decision, others))
    return std::nullopt;
  std::optional<Gang> gang = engine::gang_of(cluster.snapshot, pod);
  if (!gang || gang->verdict == GangVerdict::Undetermined) return gang;
  survey.not_simulated = std::move(others);
  if (gang->verdict == GangVerdict::DoesNotFit) {
    decision = {.verdict = Verdict::Blocked, .blockers = {against(too_few(*gang))}};
  } else if (gang->own == GangVerdict::Fits) {
    if (!subject.claims.empty()) decision.verdict = Verdict::Fits;
  } else if (gang->own == GangVerdict::DoesNotFit) {
    decision = {.verdict = Verdict::Blocked,
                .blockers = {against(base::format(
                    "gang {} has room for the {} pods that it needs, and none is left for it",
                    gang->name, gang->min_count))}};
  } else {
    survey.not_simulated.push_back(
        base::format("which pods of gang {} the scheduler takes first", gang->name));
  }
  return gang;
}

}  // namespace dra::answers
