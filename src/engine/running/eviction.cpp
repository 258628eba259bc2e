// src/engine/running/eviction.cpp: follows the eviction controller: taints of a result, tolerations
// of that result, then the pods that have reserved the claim.

#include "dra/engine/running/eviction.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "dra/api/taint_rule.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/allocated_device.h"
#include "dra/engine/facts/features.h"

namespace dra::engine {
namespace {

constexpr base::Duration kEvictionTakes = base::Duration::seconds(60);

// How long the taint is tolerated: the shortest time of all tolerations, for ever if one of them
// has no time.
struct Tolerated {
  bool for_ever = false;
  std::int64_t seconds = 0;
};

Tolerated tolerated(std::span<const api::Toleration> tolerations, const api::DeviceTaint& taint) {
  std::optional<std::int64_t> shortest;
  for (const api::Toleration& toleration : tolerations) {
    if (toleration.effect != api::kTaintNoExecute || !tolerates(toleration, taint)) continue;
    if (!toleration.seconds) return {.for_ever = true};
    const std::int64_t seconds = std::max(*toleration.seconds, std::int64_t{0});
    shortest = std::min(shortest.value_or(seconds), seconds);
  }
  return {.seconds = shortest.value_or(0)};
}

// A time beyond the calendar becomes the last one, which is later than any wait.
base::Instant later(base::Instant from, std::int64_t seconds) {
  constexpr std::int64_t last = 253'402'300'799;  // 9999-12-31T23:59:59Z
  from.seconds = seconds > last - from.seconds ? last : from.seconds + seconds;
  return from;
}

// NoSchedule evicts no pod; there the question is whether the scheduler would choose the device.
bool tolerates_forever(const api::AllocationResultItem& result, api::DeviceTaint taint) {
  if (taint.effect == api::kTaintNoSchedule) {
    return std::ranges::any_of(result.tolerations, [&taint](const api::Toleration& toleration) {
      return tolerates(toleration, taint);
    });
  }
  taint.effect = api::kTaintNoExecute;
  return tolerated(result.tolerations, taint).for_ever;
}

// Whether the pod's spec refers to that claim. The controller ignores claims for extended
// resources, and claims from a template that belong to another pod.
bool refers_to(const api::Pod& pod, const api::ResourceClaim& claim) {
  const api::OwnerReference* owner = api::controller_of(claim.meta);
  const bool owned = owner != nullptr && owner->uid == pod.meta.uid;
  return std::ranges::any_of(pod.spec.claims, [&](const api::PodClaim& reference) {
    if (!reference.claim_name.empty()) return reference.claim_name == claim.meta.name;
    const auto& made = pod.status.claims;
    const auto status = std::ranges::find(made, reference.name, &api::PodClaimStatus::name);
    return owned && status != made.end() && status->claim_name == claim.meta.name;
  });
}

bool by_name(const api::Pod* a, const api::Pod* b) {
  return std::tie(a->meta.namespace_, a->meta.name) < std::tie(b->meta.namespace_, b->meta.name);
}

// Visits each pod with a device of the rule by a claim that does not tolerate the taint for ever.
template <class F>
void for_each_affected(const snapshot::Snapshot& snapshot, const Usage& usage,
                       const api::DeviceTaintRule& rule, F on_pod) {
  for (const Holding& holding : usage.all()) {
    if (!selects(rule, holding.id) || tolerates_forever(*holding.result, rule.spec.taint)) continue;
    for (const api::Consumer& consumer : holding.claim->status.reserved_for) {
      const auto* pod = snapshot.find<api::Pod>(holding.claim->meta.namespace_, consumer.name);
      if (pod != nullptr && is_evictable(*pod, *holding.claim)) on_pod(*pod, holding);
    }
  }
}

}  // namespace

std::optional<Eviction> eviction_for(const api::AllocationResultItem& result,
                                     std::span<const DeviceTaintOf> taints) {
  std::optional<Eviction> first;
  for (const DeviceTaintOf& on_device : taints) {
    const api::DeviceTaint& taint = *on_device.taint;
    if (taint.effect != api::kTaintNoExecute) continue;
    const Tolerated time = tolerated(result.tolerations, taint);
    if (time.for_ever) continue;
    Eviction eviction{on_device, std::nullopt};
    if (taint.added) eviction.at = later(*taint.added, time.seconds);
    if (!first || eviction.at < first->at) first = eviction;  // an absent time comes first
  }
  return first;
}

bool is_evictable(const api::Pod& pod, const api::ResourceClaim& claim) {
  if (pod.spec.node_name.empty() || pod.meta.namespace_ != claim.meta.namespace_) return false;
  if (pod.meta.deleted || !refers_to(pod, claim)) return false;
  return std::ranges::any_of(claim.status.reserved_for, [&pod](const api::Consumer& consumer) {
    return consumer.is_pod() && consumer.uid == pod.meta.uid;
  });
}

bool is_overdue(const api::Time& eviction, const snapshot::Snapshot& snapshot) {
  return eviction && snapshot.time() && *snapshot.time() - *eviction > kEvictionTakes;
}

bool is_unseen_by_eviction(const api::Pod& pod, const api::ResourceClaim& claim) {
  const auto& extended = pod.status.extended_resource_claim;
  return extended && extended->claim_name == claim.meta.name &&
         pod.meta.namespace_ == claim.meta.namespace_ && !refers_to(pod, claim);
}

bool stays_on_tainted_device(const snapshot::Snapshot& snapshot, const Inventory& inventory,
                             const api::Pod& pod) {
  const auto& extended = pod.status.extended_resource_claim;
  if (!extended || pod.spec.node_name.empty() || pod.meta.deleted) return false;
  const auto* claim = snapshot.find<api::ResourceClaim>(pod.meta.namespace_, extended->claim_name);
  if (claim == nullptr || !claim->status.allocation || !is_unseen_by_eviction(pod, *claim))
    return false;
  static const api::Device unpublished;  // rules select it all the same
  return std::ranges::any_of(
      claim->status.allocation->devices.results,
      [&inventory](const api::AllocationResultItem& result) {
        const PoolDevice* published = inventory.find(id_of(result));
        const api::Device& device = published == nullptr ? unpublished : *published->device;
        return eviction_for(result, inventory.taints().blocking(id_of(result), device)).has_value();
      });
}

std::vector<const api::Pod*> pods_affected(const snapshot::Snapshot& snapshot, const Usage& usage,
                                           const api::DeviceTaintRule& rule) {
  std::set<const api::Pod*, decltype(&by_name)> pods(by_name);
  for_each_affected(snapshot, usage, rule,
                    [&pods](const api::Pod& pod, const Holding&) { pods.insert(&pod); });
  return {pods.begin(), pods.end()};
}

std::vector<DueEviction> evictions_by(const snapshot::Snapshot& snapshot, const Usage& usage,
                                      const api::DeviceTaintRule& rule) {
  std::map<const api::Pod*, api::Time, decltype(&by_name)> first(by_name);
  const DeviceTaintOf on_device{&rule.spec.taint, &rule};
  for_each_affected(snapshot, usage, rule, [&](const api::Pod& pod, const Holding& holding) {
    const auto eviction = eviction_for(*holding.result, {&on_device, 1});
    if (!eviction) return;
    api::Time& at = first.try_emplace(&pod, eviction->at).first->second;
    at = std::min(at, eviction->at);  // an absent time comes first
  });
  std::vector<DueEviction> due;
  due.reserve(first.size());
  for (const auto& [pod, at] : first)
    due.push_back({pod, at});
  return due;
}

bool acts_by_eviction(const snapshot::Server& server, const api::DeviceTaintRule& rule) {
  return rule.spec.taint.effect == api::kTaintNoExecute && gates_off_for_rules(server).empty();
}

std::vector<std::string> gates_off_for_rules(const snapshot::Server& server) {
  const Features features = features_of(server);
  std::vector<std::string> why;
  for (const Gate gate : {Gate::DRADeviceTaints, Gate::DRADeviceTaintRules}) {
    if (features.on(gate)) continue;
    why.push_back(base::format("{} is off{}", name_of(gate),
                               is_assumed(server, gate)
                                   ? base::format(" by default in {}", server.version)
                                   : std::string()));
  }
  return why;
}

}  // namespace dra::engine
