// src/answers/explain/pod_plan.cpp: adds to the steps of a plan why pods get no node.

#include "dra/answers/explain/pod_plan.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "dra/answers/explain/explanation.h"
#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/disruption_budgets.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/cluster/job_attempts.h"
#include "dra/engine/cluster/node_loads.h"
#include "dra/engine/facts/full_name.h"
#include "dra/engine/scheduler/pod_claims.h"
#include "src/answers/explain/gang_decision.h"
#include "src/answers/explain/pods_before.h"

namespace dra::answers {
namespace {

using engine::PlanVerdict;

// An explanation computes the reasons of every node, so the number of kinds is limited.
constexpr std::size_t kMostExplained = 8;

// Explains pods as they would be if they were the first; those of one kind once. `without`: nodes
// that are not looked at.
class CauseFinder {
 public:
  explicit CauseFinder(const snapshot::Snapshot& snapshot,
                       std::span<const std::string> without = {})
      : snapshot_(snapshot), without_(without) {}

  std::string of(const engine::PlanStep& step) {
    const auto [known, added] = causes_.try_emplace(step.kind);
    if (added) known->second = find(step);
    return known->second;
  }

 private:
  std::string find(const engine::PlanStep& step) {
    // What stops a pod before any node is known already.
    if (step.verdict == PlanVerdict::Blocked) return step.reasons.front().message;
    if (causes_.size() > kMostExplained) return nearest_reason(step);
    if (inventory_ == nullptr) look_at_nodes();
    Focus focus{.is_hypothesis = !without_.empty()};
    if (!without_.empty()) focus.nodes = others_;
    if (!without_.empty() && others_.empty())
      return snapshot_.coverage().saw(api::Kind::Node) ? "there is no other node"
                                                       : nearest_reason(step);
    const Explanation explanation = explain_pod(snapshot_, *inventory_, *loads_, *step.pod, focus);
    // Of a pod without claims an explanation says that claims do not hold it up.
    if (!explanation.cause.empty() && !explanation.subject.claims.empty()) return explanation.cause;
    if (!explanation.depends_on.empty())
      return base::format("it depends on {}", explanation.depends_on);
    return nearest_reason(step);
  }

  void look_at_nodes() {
    inventory_ = std::make_unique<const engine::Inventory>(snapshot_);
    loads_ = std::make_unique<const engine::NodeLoads>(snapshot_);
    for (const api::Node& node : snapshot_.all<api::Node>()) {
      if (std::ranges::find(without_, node.meta.name) == without_.end())
        others_.emplace_back(node.meta.name);
    }
  }

  std::string nearest_reason(const engine::PlanStep& step) const {
    if (!step.reasons.empty()) return step.reasons.front().message;
    return snapshot_.all<api::Node>().empty() ? "there is no node for it" : "no node fits it";
  }

  const snapshot::Snapshot& snapshot_;
  std::span<const std::string> without_;
  std::vector<std::string> others_;
  std::unique_ptr<const engine::Inventory> inventory_;
  std::unique_ptr<const engine::NodeLoads> loads_;
  std::map<std::size_t, std::string> causes_;  // by kind
};

std::string cause_of_step(const engine::PlanStep& step, CauseFinder& causes) {
  if (step.verdict == PlanVerdict::Fits) return {};
  if (step.gang != nullptr && step.verdict != PlanVerdict::Blocked)
    return why_not_bound(*step.gang);
  if (step.verdict == PlanVerdict::Depends)
    return step.before.empty() ? "it depends on where pods before it go"
                               : base::format("it depends on where {} {}", pods_before(step, true),
                                              step.all_before == 1 ? "goes" : "go");
  if (step.verdict == PlanVerdict::DoesNotFit && step.fits_alone)
    return step.before.empty()
               ? "pods that come first take what it needs"
               : base::format("{} in front of it {} what it needs", pods_before(step, true),
                              step.all_before == 1 ? "takes" : "take");
  return causes.of(step);
}

// Whether a claim of the pod is reserved for one of those, by uid, too.
bool shares_claim(const snapshot::Snapshot& snapshot, const api::Pod& pod,
                  const std::set<std::string_view>& others) {
  const engine::Subject subject = engine::subject_of_pod(snapshot, pod);
  return std::ranges::any_of(subject.claims, [&others](const engine::SubjectClaim& claim) {
    return claim.allocated() &&
           std::ranges::any_of(claim.claim->status.reserved_for, [&others](const auto& consumer) {
             return consumer.is_pod() && others.contains(consumer.uid);
           });
  });
}

// Places among the pods of a drain, by namespace/name.
std::map<std::string, std::size_t> places_of(const DrainFacts& drain) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < drain.pods.size(); ++i)
    places.emplace(engine::full_name(drain.pods[i].namespace_, drain.pods[i].name), i);
  return places;
}

std::vector<DrainBudgetFacts> budget_facts(const snapshot::Snapshot& snapshot,
                                           std::span<const engine::DrainedPod> drained) {
  std::vector<DrainBudgetFacts> all;
  for (engine::BudgetOfDrain& one : engine::budgets_of_drain(snapshot, drained)) {
    DrainBudgetFacts& facts =
        all.emplace_back(DrainBudgetFacts{.namespace_ = std::string(one.budget->meta.namespace_),
                                          .name = std::string(one.budget->meta.name),
                                          .status = one.budget->status,
                                          .leaving = std::move(one.leaving)});
    facts.status.disrupted = {};
    for (const api::Pod* pod : one.not_ready)
      facts.not_ready.emplace_back(pod->meta.name);
  }
  return all;
}

// Whether a pod that leaves runs elsewhere later: whatever is not among the pods of the plan is not
// re-created.
engine::LeavingPods count_leaving(const DrainBudgetFacts& budget, const PodPlan& plan) {
  engine::LeavingPods counts{.all = static_cast<std::int64_t>(budget.leaving.size())};
  for (const std::size_t place : budget.leaving) {
    const auto pod = std::ranges::find(plan.pods, std::optional(place), &PlannedPod::drained);
    if (pod == plan.pods.end()) {
      ++counts.lost;
      continue;
    }
    switch (pod->step.verdict) {
      case PlanVerdict::Fits:
        break;
      case PlanVerdict::DoesNotFit:
      case PlanVerdict::Blocked:
        ++counts.lost;
        break;
      case PlanVerdict::Depends:
      case PlanVerdict::Undetermined:
        ++counts.open;
        break;
    }
  }
  return counts;
}

}  // namespace

std::string pods_before(const engine::PlanStep& step, bool with_namespace) {
  constexpr std::size_t shown = 3;
  std::vector<std::string> names;
  for (const api::Pod* pod : step.before) {
    if (names.size() == shown) break;
    names.push_back(with_namespace ? engine::full_name(pod->meta) : std::string(pod->meta.name));
  }
  const std::size_t more = step.all_before - names.size();
  return base::format("{} {}{}", step.all_before == 1 ? "pod" : "pods", base::join(names, ", "),
                      more == 0 ? "" : base::format(" and {} more", more));
}

DrainFacts drain_facts(const snapshot::Snapshot& snapshot, std::span<const std::string> nodes) {
  DrainFacts facts{.nodes = {nodes.begin(), nodes.end()}};
  bool evicts = false;
  std::vector<engine::DrainedPod> all = engine::drained_pods(snapshot, nodes);
  std::set<std::string_view> staying;
  for (const engine::DrainedPod& drained : all) {
    if (engine::stays(drained.fate)) staying.insert(drained.pod->meta.uid);
  }
  for (engine::DrainedPod& drained : all) {
    const api::Pod& pod = *drained.pod;
    DrainedPodFacts& one =
        facts.pods.emplace_back(DrainedPodFacts{.namespace_ = std::string(pod.meta.namespace_),
                                                .name = std::string(pod.meta.name),
                                                .node = std::string(pod.spec.node_name),
                                                .fate = drained.fate,
                                                .loses = std::move(drained.loses)});
    if (engine::stays(drained.fate)) continue;
    evicts = true;
    const auto budgets = engine::budgets_against(snapshot, pod);
    if (!budgets.empty()) one.budgets = engine::words_for_budgets(budgets, pod);
    one.never_evicted = budgets.size() > 1;
    one.loses_data = drained.loses_data;
    if (drained.fate == engine::DrainFate::EndsJob)
      one.ends_job = *engine::ends_job(snapshot, pod, engine::Removal::Eviction);
    one.shares_staying = shares_claim(snapshot, pod, staying);
  }
  facts.budgets = budget_facts(snapshot, all);
  facts.budgets_unread = evicts && !engine::saw_budgets(snapshot);
  return facts;
}

std::size_t PodPlan::count(PlanVerdict verdict) const {
  return static_cast<std::size_t>(
      std::ranges::count(pods, verdict, [](const PlannedPod& pod) { return pod.step.verdict; }));
}

std::string PodPlan::unknown() const {
  const snapshot::Coverage& coverage = state.coverage();
  const snapshot::Missing* missing = coverage.find(api::Kind::Pod);
  const bool seen =
      namespace_.empty() ? coverage.saw(api::Kind::Pod) : coverage.saw(api::Kind::Pod, namespace_);
  if (!pods.empty() || !drain.pods.empty() || seen || missing == nullptr) return {};
  return cannot_be_read(*missing);
}

PodPlan pod_plan(const snapshot::Snapshot& snapshot, std::string_view ns, DrainFacts drain) {
  engine::Plan plan = engine::plan_for(snapshot);
  PodPlan out{.namespace_ = std::string(ns), .pods = {}, .state = plan.state};
  out.drain = std::move(drain);
  const auto places = places_of(out.drain);
  const auto is_shown = [&](const api::Pod& pod) {
    return ns.empty() || pod.meta.namespace_ == ns || places.contains(engine::full_name(pod.meta));
  };
  out.more_nodes = engine::more_nodes_for(plan, is_shown);
  CauseFinder causes(plan.state);
  // That a drained node is cordoned is why they move, and not why they find no other.
  CauseFinder elsewhere(plan.state, out.drain.nodes);
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    engine::PlanStep& step = plan.steps[i];
    const auto drained = places.find(engine::full_name(step.pod->meta));
    if (!is_shown(*step.pod)) {
      ++out.elsewhere;
      continue;
    }
    std::string cause = cause_of_step(step, drained == places.end() ? causes : elsewhere);
    PlannedPod& pod = out.pods.emplace_back(
        PlannedPod{.place = i + 1, .step = std::move(step), .cause = std::move(cause)});
    if (drained != places.end()) pod.drained = drained->second;
  }
  for (DrainBudgetFacts& budget : out.drain.budgets) {
    budget.counts = count_leaving(budget, out);
    budget.outcome = engine::outcome_of(budget.status, budget.counts);
  }
  return out;
}

}  // namespace dra::answers
