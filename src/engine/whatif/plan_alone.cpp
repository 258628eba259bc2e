// src/engine/whatif/plan_alone.cpp: see plan_alone.h.

#include "src/engine/whatif/plan_alone.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/scheduling_group.h"
#include "dra/engine/scheduler/node_result.h"
#include "dra/engine/scheduler/pod_kind.h"
#include "dra/engine/whatif/gang.h"
#include "dra/engine/whatif/post_filter.h"

namespace dra::engine {
namespace {

using diag::Code;
using diag::Reason;

// Only these filters let a node through once some pod is elsewhere.
bool is_opened_by_pods(const Reason& reason) {
  return reason.code == Code::TopologySpread || reason.code == Code::PodAffinity;
}

// The scheduler gives up whatever devices are there.
bool is_of_claim(const Reason& reason) {
  return reason.code == Code::CountTooLarge || reason.code == Code::FeatureOff ||
         reason.code == Code::ClassMissing;
}

// Other pods only take devices away. Where the scheduler gives up because of one that it comes to,
// it goes on once that is taken.
bool may_open(const NodeResult& node) {
  if (!std::ranges::all_of(node.other_reasons, is_opened_by_pods)) return false;
  if (node.aborts()) return node.reasons.empty() || !is_of_claim(node.reasons.front());
  return !node.is_ruled_out();
}

}  // namespace

AlonePods::AlonePods(const Cluster& cluster, const std::vector<const api::Pod*>& queue)
    : snapshot_(cluster.snapshot),
      inventory_(cluster.inventory),
      loads_(cluster.loads),
      nodes_(cluster.nodes),
      waiting_(queue.size()) {
  for (const api::ResourceSlice& slice : cluster.snapshot.all<api::ResourceSlice>()) {
    if (slice.spec.node_name.empty()) shared_slices_.push_back(&slice);
  }
  for (const api::Pod* pod : queue)
    note_claims(*pod);
}

void AlonePods::note_claims(const api::Pod& pod) {
  std::set<std::string> labels;
  for (const SubjectClaim& claim : subject_of_pod(snapshot_, pod).claims) {
    if (claim.claim != nullptr && !claim.allocated()) labels.insert(claim.label());
  }
  for (const std::string& label : labels)
    ++users_[label];
}

KindOfPod AlonePods::with_kind(const api::Pod& pod) {
  const Subject subject = subject_of_pod(snapshot_, pod);
  const bool alone = depends_on_other_pods(pod, loads_) || uses_shared_claim(subject);
  const auto kind =
      kinds_.try_emplace(pod_kind(snapshot_, loads_, subject, alone), kinds_.size()).first->second;
  if (!takes_.contains(kind)) takes_.emplace(kind, takes_of(subject, loads_.rules()));
  return {&pod, kind};
}

// The plan shows itself whether the pods of a gang fit together.
std::vector<std::string> AlonePods::not_simulated(const NodeFilters& filters,
                                                  const api::Pod& pod) const {
  std::vector<std::string> parts = filters.not_simulated();
  if (!pod.spec.group) return parts;
  const SchedulingGroup group = scheduling_group_of(snapshot_, pod);
  if (is_placed_together(group)) std::erase(parts, not_filtered(group));
  return parts;
}

Alone AlonePods::look(const api::Pod& pod) const {
  const Subject subject = subject_of_pod(snapshot_, pod);
  const Demands demands(snapshot_, inventory_, subject);
  std::optional<NodeFilters> filters;
  if (!nodes_.assumed) filters.emplace(snapshot_, loads_, pod);
  SearchBudget budget;
  // The filters are asked here, and not once more for each node that they let pass.
  NodeEvaluator evaluator(snapshot_, {inventory_, snapshot_.coverage(), demands, budget, nullptr},
                          subject, Depth::Answer);
  std::vector<NodeResult> results;
  results.reserve(nodes_.nodes.size());
  for (const api::Node& node : nodes_.nodes) {
    // The scheduler does not look for devices on a node that other filters reject.
    auto rejected = filters ? filters->against(node) : std::vector<Reason>();
    results.push_back(std::ranges::all_of(rejected, is_opened_by_pods)
                          ? evaluator.evaluate(node)
                          : NodeResult{.name = std::string(node.meta.name)});
    results.back().other_reasons = std::move(rejected);
  }
  const Wanted wanted{.namespace_ = std::string(pod.meta.namespace_),
                      .pod = std::string(pod.meta.name),
                      .claims = {}};
  apply_post_filter(snapshot_, wanted, Depth::Answer, results);
  Alone alone;
  if (filters) alone.not_simulated = base::join(not_simulated(*filters, pod), " and ");
  alone.decision =
      judge(snapshot_.coverage(), subject, results, filters && alone.not_simulated.empty());
  note_nodes(results, alone);
  alone.shares_devices = may_share_devices(subject, demands);
  const bool of_group = subject.group && !subject.allocated();
  alone.tied = subject.extended != nullptr || of_group || is_tied_to_waiting_pods(snapshot_, pod) ||
               uses_shared_claim(subject);
  // With fewer other pods than nodes no counting is needed.
  if (alone.tied || alone.nodes.size() >= waiting_) return alone;
  for (const NodePlace node : alone.nodes)
    alone.spare.push_back(spare_devices(inventory_, demands, subject, nodes_.nodes[node]));
  return alone;
}

void AlonePods::note_nodes(const std::vector<NodeResult>& results, Alone& alone) const {
  for (NodePlace i = 0; i < results.size(); ++i) {
    const NodeResult& result = results[i];
    alone.gives_up = alone.gives_up || result.aborts_pod();
    if (may_open(result)) alone.open.push_back(i);
    if (!result.is_infeasible()) alone.nodes.push_back(i);
  }
}

bool AlonePods::may_share_devices(const Subject& subject, const Demands& demands) const {
  const auto takes_some = [&](const api::NamedDemand& demand) {
    return std::ranges::any_of(shared_slices_, [&](const api::ResourceSlice* slice) {
      return std::ranges::any_of(slice->spec.devices, [&](const api::Device& device) {
        return demands.outcome(*demand.demand, {slice, &device}) != Outcome::PassedOver;
      });
    });
  };
  bool may = false;
  for_each_unmet(subject, [&](const SubjectClaim&, const api::DeviceRequest& request) {
    may = may || std::ranges::any_of(api::demands_of(request), takes_some);
  });
  return may;
}

bool AlonePods::uses_shared_claim(const Subject& subject) const {
  return std::ranges::any_of(subject.claims, [this](const SubjectClaim& claim) {
    const auto users = users_.find(claim.label());
    return users != users_.end() && users->second > 1;
  });
}

const Alone& AlonePods::of(const KindOfPod& pod) {
  const auto known = alone_.find(pod.kind);
  if (known != alone_.end()) return known->second;
  return alone_.emplace(pod.kind, look(*pod.pod)).first->second;
}

PlanVerdict judge_alone(const Alone& alone, const NodeLoads& loads,
                        std::vector<diag::Reason>& reasons) {
  reasons = alone.decision.blockers;
  switch (alone.decision.verdict) {
    case Verdict::Blocked:
      return PlanVerdict::Blocked;
    case Verdict::DoesNotFit:
      return PlanVerdict::DoesNotFit;
    case Verdict::Fits:
      if (loads.saw_pods()) return PlanVerdict::Fits;
      // Others may come before it.
      reasons.push_back({.code = diag::Code::NotVisible,
                         .certainty = diag::Certainty::AsFarAsVisible,
                         .message = "pods cannot be read"});
      return PlanVerdict::Undetermined;
    default:
      break;
  }
  if (reasons.empty() && !alone.not_simulated.empty())
    reasons.push_back(
        {.code = diag::Code::NotSimulated, .message = alone.not_simulated + " is not simulated"});
  return PlanVerdict::Undetermined;
}

}  // namespace dra::engine
