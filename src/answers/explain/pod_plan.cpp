// src/answers/explain/pod_plan.cpp: adds to the steps of a plan why pods get no node.

#include "dra/answers/explain/pod_plan.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "dra/answers/explain/explanation.h"
#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/cluster/node_loads.h"

namespace dra::answers {
namespace {

using engine::PlanVerdict;

// An explanation computes the reasons of every node, so the number of kinds is limited.
constexpr std::size_t kMostExplained = 8;

// Explains pods as they would be if they were the first; those of one kind once.
class CauseFinder {
 public:
  explicit CauseFinder(const snapshot::Snapshot& snapshot) : snapshot_(snapshot) {}

  std::string of(const engine::PlanStep& step) {
    const auto [known, added] = causes_.try_emplace(step.kind);
    if (added) known->second = find(step);
    return known->second;
  }

 private:
  std::string find(const engine::PlanStep& step) {
    // What stops a pod before any node is known already.
    if (step.verdict == PlanVerdict::Blocked) return step.reasons.front().message;
    if (causes_.size() > kMostExplained)
      return step.reasons.empty() ? "no node fits it" : step.reasons.front().message;
    if (inventory_ == nullptr) {
      inventory_ = std::make_unique<const engine::Inventory>(snapshot_);
      loads_ = std::make_unique<const engine::NodeLoads>(snapshot_);
    }
    const Explanation explanation = explain_pod(snapshot_, *inventory_, *loads_, *step.pod);
    if (!explanation.cause.empty()) return explanation.cause;
    if (!explanation.depends_on.empty())
      return base::format("it depends on {}", explanation.depends_on);
    return step.reasons.empty() ? "no node fits it" : step.reasons.front().message;
  }

  const snapshot::Snapshot& snapshot_;
  std::unique_ptr<const engine::Inventory> inventory_;
  std::unique_ptr<const engine::NodeLoads> loads_;
  std::map<std::size_t, std::string> causes_;  // by kind
};

// "pods ml/a, ml/b": those before it.
std::string before_words(const engine::PlanStep& step) {
  constexpr std::size_t shown = 3;
  std::vector<std::string> names;
  for (const api::Pod* pod : step.before) {
    if (names.size() == shown) break;
    names.push_back(base::format("{}/{}", pod->meta.namespace_, pod->meta.name));
  }
  const std::size_t more = step.all_before - names.size();
  return base::format("{} {}{}", step.all_before == 1 ? "pod" : "pods", base::join(names, ", "),
                      more == 0 ? "" : base::format(" and {} more", more));
}

std::string cause_of_step(const engine::PlanStep& step, CauseFinder& causes) {
  if (step.verdict == PlanVerdict::Fits) return {};
  if (step.verdict == PlanVerdict::Depends)
    return step.before.empty() ? "it depends on where pods before it go"
                               : base::format("it depends on where {} {}", before_words(step),
                                              step.all_before == 1 ? "goes" : "go");
  if (step.verdict == PlanVerdict::DoesNotFit && step.fits_alone)
    return step.before.empty() ? "pods before it take what it needs"
                               : base::format("{} before it {} what it needs", before_words(step),
                                              step.all_before == 1 ? "takes" : "take");
  return causes.of(step);
}

}  // namespace

std::size_t PodPlan::count(PlanVerdict verdict) const {
  return static_cast<std::size_t>(
      std::ranges::count(pods, verdict, [](const PlannedPod& pod) { return pod.step.verdict; }));
}

PodPlan pod_plan(const snapshot::Snapshot& snapshot, std::string_view ns) {
  engine::Plan plan = engine::plan_for(snapshot);
  PodPlan out{.namespace_ = std::string(ns), .pods = {}, .state = plan.state};
  CauseFinder causes(plan.state);
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    engine::PlanStep& step = plan.steps[i];
    if (!ns.empty() && step.pod->meta.namespace_ != ns) {
      ++out.elsewhere;
      continue;
    }
    std::string cause = cause_of_step(step, causes);
    out.pods.push_back({i + 1, std::move(step), std::move(cause)});
  }
  return out;
}

}  // namespace dra::answers
