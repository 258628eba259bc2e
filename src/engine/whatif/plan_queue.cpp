// src/engine/whatif/plan_queue.cpp: which pods wait, and in which order the scheduler takes them.
// See plan.h.

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "dra/engine/whatif/plan.h"

#include "dra/api/pod.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/scheduler/pod_claims.h"
#include "dra/snapshot/template_pods.h"

namespace dra::engine {
namespace {

using diag::Code;
using diag::Reason;

}  // namespace

std::string_view name_of(PlanVerdict verdict) {
  switch (verdict) {
    case PlanVerdict::Fits:
      return "Fits";
    case PlanVerdict::DoesNotFit:
      return "DoesNotFit";
    case PlanVerdict::Depends:
      return "Depends";
    case PlanVerdict::Blocked:
      return "Blocked";
    case PlanVerdict::Undetermined:
      return "Undetermined";
  }
  return "";
}

base::Instant queued_at(const api::Pod& pod) {
  const base::Instant created = pod.meta.created.value_or(base::Instant());
  const api::Condition* condition = api::condition_of(pod.status.conditions, "PodScheduled");
  const bool failed = condition != nullptr && condition->status == "False" && condition->changed &&
                      condition->reason != "SchedulingGated";
  return failed ? std::max(created, *condition->changed) : created;
}

snapshot::Snapshot with_claims(const snapshot::Snapshot& snapshot) {
  std::map<std::string, std::vector<std::string>> without;
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    if (!waits_for_node(pod) || pod.spec.claims.empty()) continue;
    const Subject subject = subject_of_pod(snapshot, pod);
    const bool only = !subject.blockers.empty() &&
                      std::ranges::all_of(subject.blockers, [](const Reason& reason) {
                        return reason.code == Code::ClaimNotCreated;
                      });
    if (only) without[std::string(pod.meta.namespace_)].emplace_back(pod.meta.name);
  }
  snapshot::Draft draft(snapshot);
  for (const auto& [ns, names] : without)
    snapshot::create_claims(draft, ns, names);
  return std::move(draft).finish();
}

std::vector<const api::Pod*> queue_of(const snapshot::Snapshot& snapshot) {
  std::vector<const api::Pod*> pods;
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    if (waits_for_node(pod)) pods.push_back(&pod);
  }
  std::ranges::sort(pods, {}, [](const api::Pod* pod) {
    return std::tuple(-pod->spec.priority, queued_at(*pod), pod->meta.namespace_, pod->meta.name);
  });
  return pods;
}

}  // namespace dra::engine
