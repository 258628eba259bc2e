// src/answers/explain/pods_by_cause.cpp: groups pods by likeness_of(), explains the first pod of
// each group, and merges groups with one cause.

#include "dra/answers/explain/pods_by_cause.h"

#include <algorithm>
#include <functional>
#include <map>

#include "dra/answers/explain/refusal.h"
#include "dra/api/daemon_pod.h"
#include "dra/base/prose.h"
#include "dra/base/text.h"

namespace dra::answers {
namespace {

using diag::Code;

// Undetermined pods share a cause if they depend on the same feature that is not simulated; the
// number of rejected nodes does not count.
Cause cause_of(const Explanation& explanation) {
  if (const auto refusal = refusal_of(explanation))
    return {explanation.verdict, refusal->code, refusal->cause, explanation.nodes.size()};
  const Code code = explanation.code.value_or(Code::NotSimulated);
  const bool computed = code != Code::NotSimulated;
  return {explanation.verdict, code, computed ? explanation.cause : explanation.depends_on,
          computed ? explanation.nodes.size() : 0};
}

bool is_refusal(const Cause& cause) {
  return cause.code == Code::SchedulerRefuses || cause.code == Code::SchedulerSilent ||
         cause.code == Code::SchedulerDown;
}

// Adds pods to the group of their cause.
void add_cause(std::vector<PodsOfCause>& causes, Explanation explanation,
               const std::vector<const api::Pod*>& pods, OfNodes nodes) {
  const Cause cause = cause_of(explanation);
  if (nodes == OfNodes::Drop) {
    explanation.nodes = {};
    explanation.groups = {};
  }
  auto known = std::ranges::find(causes, cause, &PodsOfCause::cause);
  if (known == causes.end()) {
    causes.push_back(
        {cause, is_refusal(cause) ? cause.text : explanation.cause, std::move(explanation)});
    known = std::prev(causes.end());
  } else if (!is_refusal(cause) && known->text != explanation.cause) {
    known->text = base::format("it depends on {}", explanation.depends_on);
  }
  known->pods.insert(known->pods.end(), pods.begin(), pods.end());
}

}  // namespace

bool PodsOfCause::is_refusal() const { return answers::is_refusal(cause); }

// The key has all that an explanation depends on: the controller and its revision, the templates
// and claims that the pod refers to, and its blockers.
std::string likeness_of(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  const api::OwnerReference* owner = api::controller_of(pod.meta);
  std::string key =
      base::format("{}|{}|{}", pod.meta.namespace_, owner == nullptr ? pod.meta.uid : owner->uid,
                   pod.spec.scheduler_name);
  if (pod.spec.group) key += base::format("|{}", pod.spec.group->pod_group);
  // Each pod of a DaemonSet is for its own node. The revision counts because a controller may have
  // changed its template.
  if (api::daemon_set_of(pod) != nullptr) key += base::format("|{}", pod.meta.name);
  for (const char* label : {"controller-revision-hash", "pod-template-hash"}) {
    const auto* revision = api::find(pod.meta.labels, label);
    key += base::format("|{}", revision == nullptr ? std::string_view() : *revision);
  }
  for (const api::PodClaim& reference : pod.spec.claims)
    key += base::format("|{} {} {}", reference.name, reference.claim_name, reference.template_name);
  const engine::Subject subject = engine::subject_of_pod(snapshot, pod);
  for (const diag::Reason& blocker : subject.blockers)
    key += base::format("|{} {}", diag::name_of(blocker.code), blocker.message);
  // An allocated claim ties its pod to certain nodes.
  for (const engine::SubjectClaim& claim : subject.claims) {
    if (claim.allocated()) key += "|" + claim.label();
  }
  return key;
}

PodsByCause pods_by_cause(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                          const engine::NodeLoads& loads, std::span<const api::Pod* const> pods,
                          Extent extent) {
  std::map<std::string, std::vector<const api::Pod*>> kinds;
  std::vector<std::string> order;  // keys, in the order of the first pods
  for (const api::Pod* pod : pods) {
    const std::string key = likeness_of(snapshot, *pod);
    std::vector<const api::Pod*>& same = kinds[key];
    if (same.empty()) order.push_back(key);
    same.push_back(pod);
  }
  PodsByCause all;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::vector<const api::Pod*>& same = kinds[order[i]];
    if (i < extent.most) {
      add_cause(all.causes, explain_pod(snapshot, inventory, loads, *same.front()), same,
                extent.nodes);
    } else {
      auto& rest = all.not_looked_at;
      rest.insert(rest.end(), same.begin(), same.end());
    }
  }
  std::ranges::stable_sort(all.causes, std::ranges::greater(),
                           [](const PodsOfCause& one) { return one.pods.size(); });
  return all;
}

// A scheduler that decides against a pod may know more than what is simulated.
bool is_known_to_fit(const PodsOfCause& pods) {
  if (pods.cause.verdict != Verdict::Fits) return false;
  const auto refusal = refusal_of(pods.explanation);
  return !refusal || refusal->is_fault || refusal->code != Code::SchedulerRefuses;
}

std::string predicate_of(const PodsOfCause& pods, bool one) {
  const Cause& cause = pods.cause;
  if (is_refusal(cause))
    return base::sentence(base::format("{}{}, but {}", one ? "fits" : "fit",
                                       is_known_to_fit(pods) ? "" : " as far as DRA goes",
                                       pods.text));
  switch (cause.verdict) {
    case Verdict::Blocked:
      return base::sentence(base::format("{} blocked: {}", one ? "is" : "are", pods.text));
    case Verdict::DoesNotFit:
      return base::sentence(base::format("{} not fit: {}", one ? "does" : "do", pods.text));
    case Verdict::Fits:
      if (pods.explanation.cause_is_after && one) return pods.explanation.headline.predicate;
      if (pods.explanation.cause_is_after) return "each " + pods.explanation.headline.predicate;
      return base::format("{}, though the devices are available: {}.", one ? "waits" : "wait",
                          waits_for_scheduler(pods.explanation));
    case Verdict::Undetermined:
    case Verdict::Scheduled:
      break;
  }
  return base::sentence(base::format("{}: undetermined, {}", one ? "waits" : "wait", pods.text));
}

std::string standing_of(const PodsOfCause& pods) {
  const std::string& first = pods.explanation.headline.standing;
  const bool alike = pods.pods.size() == 1 || first.rfind(' ') == std::string::npos;
  if (alike) return first;
  const std::size_t age = first.rfind(' ');
  return base::format("{} up to{}", first.substr(0, age), first.substr(age));
}

std::string headline_of(const PodsOfCause& pods, std::string_view names) {
  const std::string standing = standing_of(pods);
  const bool one = pods.pods.size() == 1;
  const Cause& cause = pods.cause;
  if (standing.empty()) return base::format("{} {}", names, predicate_of(pods, one));
  std::string answer = base::sentence(pods.text);
  if (is_refusal(cause) || cause.verdict == Verdict::Fits) {
    answer = base::format("{} {}", one ? "it" : "they", predicate_of(pods, one));
    if (cause.verdict == Verdict::Fits && pods.can_be_had() && !is_refusal(cause))
      answer = base::format("{} fit{}; {}.", one ? "it" : "they", one ? "s" : "",
                            waits_for_scheduler(pods.explanation));
  }
  if (cause.verdict == Verdict::Undetermined && !is_refusal(cause))
    answer = base::format("undetermined: {}", answer);
  return base::format("{}: {}. {}", names, standing, capitalized(std::move(answer)));
}

}  // namespace dra::answers
