// src/engine/running/evicted.cpp: a pod that was evicted for a taint of one of its devices. A
// source of after_scheduling.h.
//
// Upstream: k8s.io/kubernetes/pkg/controller/devicetainteviction, since v1.33: it sets condition
// DisruptionTarget with this reason, deletes the pod, and makes an event. kube-scheduler before
// v1.35 does not copy tolerations of a request into the allocation, where that controller looks for
// them (kubernetes/kubernetes issue 134434).

#include <algorithm>
#include <set>

#include "dra/api/taint_rule.h"
#include "dra/base/ages.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/allocated_device.h"
#include "dra/engine/facts/known_bugs.h"
#include "dra/engine/running/eviction.h"
#include "src/engine/running/after_scheduling.h"

namespace dra::engine {
namespace {

using diag::Code;

constexpr std::string_view kByTaintManager = "DeletionByDeviceTaintManager";
constexpr std::string_view kEvictionEvent = "DeviceTaintManagerEviction";

struct EvictedFor {
  const SubjectClaim* claim = nullptr;  // nullptr: no device of the pod has such a taint any more
  const api::AllocationResultItem* result = nullptr;
  DeviceTaintOf cause = {};
};

// The gate need not be looked at: that the pod was evicted shows that it is on.
std::vector<DeviceTaintOf> taints_of(const AfterScene& scene, const DeviceId& id) {
  std::vector<DeviceTaintOf> taints;
  const PoolDevice* published = scene.inventory.find(id);
  if (published != nullptr) {
    for (const api::DeviceTaint& taint : published->device->taints)
      taints.push_back({&taint, nullptr});
  }
  for (const api::DeviceTaintRule& rule : scene.snapshot.all<api::DeviceTaintRule>()) {
    if (selects(rule, id)) taints.push_back({&rule.spec.taint, &rule});
  }
  return taints;
}

EvictedFor evicted_for(const AfterScene& scene) {
  for (const SubjectClaim& claim : scene.subject.claims) {
    if (!claim.allocated()) continue;
    for (const auto& result : claim.claim->status.allocation->devices.results) {
      const auto taints = taints_of(scene, id_of(result));
      if (const auto eviction = eviction_for(result, taints))
        return {&claim, &result, eviction->cause};
    }
  }
  return {};
}

std::string taint_text(const api::DeviceTaint& taint) {
  return describe_taint(taint.key, taint.value, taint.effect);
}

// "4 pods of ReplicaSet diag-7d9c were evicted within 4m". Empty: it is the only one.
std::string times_words(const AfterScene& scene) {
  const api::OwnerReference* owner = api::controller_of(scene.pod->meta);
  if (owner == nullptr) return {};
  const std::string start = base::format("{}-", owner->name);
  std::set<std::string_view> pods;
  api::Time first;
  api::Time last;
  for (const api::Event& event : scene.snapshot.all<api::Event>()) {
    const bool of_owner = event.about.kind == "Pod" &&
                          event.about.namespace_ == scene.pod->meta.namespace_ &&
                          event.about.name.starts_with(start);
    if (event.reason != kEvictionEvent || !of_owner || !event.message.starts_with("Marking"))
      continue;
    pods.insert(event.about.name);
    const api::Time seen = event.last_seen();
    if (!seen) continue;
    first = first ? std::min(*first, *seen) : *seen;
    last = last ? std::max(*last, *seen) : *seen;
  }
  if (pods.size() < 2 || !first) return {};
  return base::format("{} pods of {} {} were evicted within {}", pods.size(), owner->kind,
                      owner->name, base::human_age(*last - *first));
}

std::string words_of(const EvictedFor& evicted, bool lost) {
  if (evicted.claim == nullptr) return "it was evicted for a NoExecute taint of its device";
  const std::string why = base::format("for taint {} of device {}",
                                       taint_text(*evicted.cause.taint), evicted.result->device);
  if (lost)
    return base::format(
        "it was evicted at once {}, though its claim tolerates it: the scheduler did not write the "
        "toleration into the allocation",
        why);
  return base::format("it was evicted {}", why);
}

bool is_lost(const EvictedFor& evicted) {
  return evicted.claim != nullptr && evicted.result->tolerations.empty() &&
         request_tolerates(*evicted.claim->claim, *evicted.result, *evicted.cause.taint);
}

void add_facts(const AfterScene& scene, const EvictedFor& evicted, const api::Condition& condition,
               AfterFinding& found) {
  auto& evidence = found.finding.evidence;
  evidence.push_back({"evicted", std::string(condition.message), condition.changed});
  if (evicted.claim != nullptr) {
    const api::DeviceTaint& taint = *evicted.cause.taint;
    evidence.push_back(
        {"taint",
         evicted.cause.rule == nullptr
             ? base::format("{}, set by driver {}", taint_text(taint), evicted.result->driver)
             : base::format("{}, set by taint rule {}", taint_text(taint),
                            evicted.cause.rule->meta.name),
         taint.added});
  }
  std::string times = times_words(scene);
  if (!times.empty()) evidence.push_back({"others", std::move(times)});
  if (!is_lost(evicted)) return;
  std::string bug = words_of(Bug::TolerationLost, scene.snapshot.server());
  if (!bug.empty()) evidence.push_back({"bug", std::move(bug)});
}

}  // namespace

const api::Condition* eviction_of(const api::Pod& pod) {
  const api::Condition* condition = api::condition_of(pod.status.conditions, "DisruptionTarget");
  const bool by_taint =
      condition != nullptr && condition->status == "True" && condition->reason == kByTaintManager;
  return by_taint ? condition : nullptr;
}

void look_at_eviction(const AfterScene& scene) {
  const api::Condition* condition = eviction_of(*scene.pod);
  if (condition == nullptr || scene.subject.claims.empty()) return;
  const EvictedFor evicted = evicted_for(scene);
  std::erase_if(scene.findings, [](const AfterFinding& found) {
    const auto& evidence = found.finding.evidence;
    return found.finding.code == Code::DeviceUnhealthy && !evidence.empty() &&
           evidence.front().about == "taint";
  });
  const bool lost = is_lost(evicted);
  const auto stays = std::ranges::find_if(scene.findings, [](const AfterFinding& found) {
    return found.finding.code == Code::PodNotGone;
  });
  if (stays != scene.findings.end()) {
    std::string& message = stays->finding.message;
    constexpr std::string_view deleted = "it is being deleted, and ";
    if (message.starts_with(deleted)) message.erase(0, deleted.size());
    message = base::format("{}, and {}", words_of(evicted, false), message);
    add_facts(scene, evicted, *condition, *stays);
    if (lost) stays->finding.evidence.push_back({"toleration", words_of(evicted, true)});
    return;
  }
  AfterFinding& found = scene.add(Code::DeviceTainted, evicted.claim, words_of(evicted, lost));
  found.fails = Fails::End;
  found.what = lost ? kTolerationLost : std::string_view("evicted");
  add_facts(scene, evicted, *condition, found);
  found.repair.action = Action::EvictedForTaint;
  if (evicted.claim == nullptr) return;
  found.devices = 1;
  found.driver = evicted.result->driver;
  found.examples = {to_string(id_of(*evicted.result))};
  found.repair.devices = {std::string(evicted.result->device)};
  found.repair.command = Command::Describe;
  found.repair.object = {"Device", {}, found.examples.front()};
}

}  // namespace dra::engine
