// src/answers/explain/workload_explanation.cpp: explains the waiting pods by cause, derives the
// verdict, and simulates the advice for one pod for all of them.

#include "dra/answers/explain/workload_explanation.h"

#include <algorithm>
#include <span>
#include <tuple>

#include "dra/api/subject.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/workload_pods.h"
#include "dra/snapshot/template_pods.h"
#include "src/answers/explain/workload_summary.h"

namespace dra::answers {
namespace {

constexpr std::size_t kMaxKindsExplained = 32;  // kinds of pods that cannot differ
// Limit of devices times replicas for each piece of advice. It is lower than the limit for the
// cluster as it is, because there are several pieces.
constexpr std::int64_t kMaxDevicesThen = 400'000;

// A higher weight is worse.
int weight_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::Scheduled:
      return 0;
    case Verdict::Fits:
      return 1;
    case Verdict::Undetermined:
      return 2;
    case Verdict::DoesNotFit:
      return 3;
    case Verdict::Blocked:
      return 4;
  }
  return 0;
}

bool too_many(const WorkloadExplanation& explanation) {
  return std::ranges::any_of(explanation.roles, [&explanation](const RoleFit& role) {
    return has_no_room(explanation, role);
  });
}

Verdict verdict_of_workload(const WorkloadExplanation& explanation) {
  Verdict worst = Verdict::Scheduled;
  for (const PodsOfCause& alike : explanation.causes) {
    if (weight_of(alike.cause.verdict) > weight_of(worst)) worst = alike.cause.verdict;
  }
  if (explanation.not_looked_at > 0 && weight_of(worst) < weight_of(Verdict::Undetermined))
    worst = Verdict::Undetermined;
  return worst == Verdict::Fits && too_many(explanation) ? Verdict::DoesNotFit : worst;
}

// The pods with a node of which it is known why they do not run properly.
std::vector<PodsOfCause> unwell_among(const snapshot::Snapshot& snapshot,
                                      const engine::Inventory& inventory,
                                      const engine::NodeLoads& loads,
                                      const std::vector<const api::Pod*>& running) {
  std::vector<const api::Pod*> not_ready;
  std::ranges::copy_if(running, std::back_inserter(not_ready), [](const api::Pod* pod) {
    const api::Condition* ready = api::condition_of(pod->status.conditions, "Ready");
    return ready != nullptr && ready->status != "True";
  });
  PodsByCause alike = pods_by_cause(snapshot, inventory, loads, not_ready, {kMaxKindsExplained});
  std::erase_if(alike.causes,
                [](const PodsOfCause& one) { return !one.explanation.fails_after(); });
  return std::move(alike.causes);
}

bool is_complete(const api::Workload& workload) {
  return api::is_true(workload.status.conditions, "Complete") ||
         api::is_true(workload.status.conditions, "Completed");
}

// Fewer pods exist than the templates want.
bool wants_more(const WorkloadExplanation& explanation) {
  std::int64_t wanted = 0;
  for (const RoleFit& role : explanation.roles)
    wanted += role.wanted;
  return explanation.made || wanted > explanation.running + explanation.waiting;
}

// Only its controller knows how many pods a DaemonSet wants.
std::optional<engine::MissingPods> why_missing(const snapshot::Snapshot& snapshot,
                                               const api::Workload& workload,
                                               const WorkloadExplanation& explanation) {
  const bool of_nodes = workload.origin.kind == api::info_of(api::Kind::DaemonSet).name &&
                        explanation.running + explanation.waiting == 0;
  if (wants_more(explanation) || (of_nodes && workload.status.desired_nodes.value_or(0) > 0))
    return engine::why_pods_are_missing(snapshot, workload);
  return of_nodes ? engine::why_unseen(snapshot, workload) : std::nullopt;
}

// Orders templates without pods so that the obstacle is explained in full: the pod with the worst
// cause, or, if each pod fits alone, the pod of the template of which not all fit.
void put_obstacle_first(const api::Workload& workload, WorkloadExplanation& explanation) {
  const auto short_of = std::ranges::find_if(
      explanation.roles, [&](const RoleFit& role) { return has_no_room(explanation, role); });
  const auto roles = api::roles_of(workload);
  const auto made_of = [&](const api::Pod& pod, const RoleFit& fit) {
    return std::ranges::any_of(roles, [&](const api::PodRole& role) {
      return role.name == fit.name &&
             snapshot::template_pod_name(workload, role, 1) == pod.meta.name;
    });
  };
  const auto is_short = [&](const api::Pod* pod) {
    return short_of != explanation.roles.end() && made_of(*pod, *short_of);
  };
  for (PodsOfCause& alike : explanation.causes)
    std::stable_partition(alike.pods.begin(), alike.pods.end(), is_short);
  std::ranges::stable_sort(explanation.causes, std::ranges::greater(), [&](const PodsOfCause& one) {
    return std::pair(weight_of(one.cause.verdict), is_short(one.pods.front()));
  });
  for (const RoleFit& role : explanation.roles) {
    if (!explanation.causes.empty() && made_of(*explanation.causes.front().pods.front(), role))
      explanation.role = role.name;
  }
}

// The pod has the claims that the template would give it now.
bool is_of(const api::PodRole& role, const api::Pod& pod) {
  return std::ranges::equal(role.pod->spec.claims, pod.spec.claims,
                            [](const api::PodClaim& a, const api::PodClaim& b) {
                              return std::tie(a.name, a.claim_name, a.template_name) ==
                                     std::tie(b.name, b.claim_name, b.template_name);
                            });
}

// The advice deletes running pods of the workload. The controller creates them again, so more pods
// wait than those that wait now.
bool lets_go(const engine::Advice& advice, const std::vector<const api::Pod*>& pods) {
  return std::ranges::any_of(advice.changes, [&pods](const engine::Change& change) {
    const auto* release = std::get_if<engine::Release>(&change);
    return release != nullptr && std::ranges::any_of(pods, [release](const api::Pod* pod) {
             const std::string name = base::format("{}/{}", pod->meta.namespace_, pod->meta.name);
             return std::ranges::find(release->pods, name) != release->pods.end();
           });
  });
}

// Notes the other pods that an edit of their claims' template is for.
void name_alike(PodsOfCause& cause) {
  std::vector<std::string> others;
  for (const api::Pod* pod : std::span(cause.pods).subspan(1))
    others.emplace_back(pod->meta.name);
  for (std::vector<ChangeFacts>& facts : cause.explanation.help->advice_facts)
    facts.front().pods_alike = others;
}

// Simulates each piece of advice for the first pod with all waiting pods, if they have one cause.
void follow_advice(const snapshot::Snapshot& snapshot, const api::Workload& workload,
                   const std::vector<const api::Pod*>& running, WorkloadExplanation& explanation) {
  if (explanation.causes.size() != 1 || explanation.roles.size() != 1) return;
  const PodsOfCause& first = explanation.causes.front();
  const RoleFit& role = explanation.roles.front();
  const std::int64_t wanted = explanation.made ? role.wanted : explanation.waiting;
  const api::PodRole of_workload = api::roles_of(workload).front();
  if (!first.explanation.help || !role.fit.known || wanted < 2 || explanation.not_looked_at > 0 ||
      !is_of(of_workload, *first.pods.front()))
    return;
  if (!explanation.made) name_alike(explanation.causes.front());
  const api::ObjectMeta& meta = first.pods.front()->meta;
  const engine::Wanted pod{
      .namespace_ = std::string(meta.namespace_), .pod = std::string(meta.name), .claims = {}};
  for (const engine::Advice& advice : first.explanation.help->advice.advice) {
    auto& then = explanation.pods_then.emplace_back();
    if (lets_go(advice, running)) continue;
    const auto fit = engine::pod_capacity_if(snapshot, workload, of_workload, {pod, advice.changes},
                                             {.most = wanted, .devices = kMaxDevicesThen});
    if (fit) then = PodsThen{wanted, fit->fit, !fit->complete && fit->fit < wanted};
  }
}

}  // namespace

std::int64_t WorkloadExplanation::not_running() const {
  std::int64_t count = 0;
  for (const PodsOfCause& one : unwell)
    count += std::ssize(one.pods);
  return count;
}

bool has_no_room(const WorkloadExplanation& explanation, const RoleFit& role) {
  const bool one_role = explanation.roles.size() == 1;
  const std::int64_t wanted = explanation.made ? role.wanted : one_role ? explanation.waiting : 0;
  return role.fit.known && role.fit.complete && role.fit.fit < wanted;
}

WorkloadExplanation explain_workload(const snapshot::Snapshot& snapshot,
                                     const api::Workload& workload, std::vector<RoleFit> roles) {
  WorkloadExplanation explanation{
      .subject = api::subject_of(workload.origin.kind, workload.meta), .summary = {}, .causes = {}};
  explanation.roles = std::move(roles);
  explanation.coverage = snapshot.coverage();
  const engine::WorkloadPods pods = engine::pods_of(snapshot, workload);
  explanation.running = std::ssize(pods.running);
  explanation.made = std::ranges::any_of(
      pods.waiting, [](const api::Pod* pod) { return snapshot::is_from_template(*pod); });
  explanation.waiting = explanation.made ? 0 : std::ssize(pods.waiting);
  const engine::Inventory inventory(snapshot);
  const engine::NodeLoads loads(snapshot);
  PodsByCause alike = pods_by_cause(snapshot, inventory, loads, pods.waiting, {kMaxKindsExplained});
  explanation.causes = std::move(alike.causes);
  explanation.not_looked_at = std::ssize(alike.not_looked_at);
  if (explanation.made) put_obstacle_first(workload, explanation);
  // The first pod of each cause stands for the others, so it gets a full explanation.
  for (PodsOfCause& one : explanation.causes)
    one.explanation = explain_pod(snapshot, *one.pods.front());
  follow_advice(snapshot, workload, pods.running, explanation);
  explanation.verdict = verdict_of_workload(explanation);
  explanation.missing = why_missing(snapshot, workload, explanation);
  if (explanation.missing && explanation.running + explanation.waiting == 0)
    explanation.verdict = Verdict::Blocked;
  explanation.unwell = unwell_among(snapshot, inventory, loads, pods.running);
  if (is_complete(workload) && explanation.running + explanation.waiting == 0) {
    explanation.complete = true;
    explanation.missing.reset();
    explanation.causes.clear();
    explanation.verdict = Verdict::Scheduled;
  }
  explanation.summary = summary_of(explanation);
  return explanation;
}

}  // namespace dra::answers
