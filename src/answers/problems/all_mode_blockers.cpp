// src/answers/problems/all_mode_blockers.cpp: picks the node on which the fewest devices block a
// request for all, and names the holders and taints of these devices.

#include "src/answers/problems/all_mode_blockers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "dra/base/fold_names.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/taints.h"
#include "dra/engine/facts/driver_knowledge.h"
#include "dra/engine/scheduler/demands.h"

namespace dra::answers {
namespace {

using diag::Code;
using diag::Reason;

constexpr std::size_t kMaxHolders = 2;
constexpr std::size_t kMaxTaints = 2;
constexpr std::size_t kMaxDevices = 32;  // cells for names of devices

const Reason* reason_of(const engine::NodeResult& node, Code code) {
  const auto found = std::ranges::find(node.reasons, code, &Reason::code);
  return found == node.reasons.end() ? nullptr : &*found;
}

// True if the node has a finding of its own, as a host with lost chips: waiting for it is no way
// out.
bool has_own_finding(const Explanation& explanation, const engine::NodeResult& node) {
  return std::ranges::any_of(explanation.after, [&node](const engine::AfterFinding& finding) {
    return finding.node == node.name;
  });
}

// The passing node with the fewest blocking devices. nullptr: on no passing node do such devices
// decide.
const engine::NodeResult* nearest(const Explanation& explanation) {
  const engine::NodeResult* best = nullptr;
  for (const engine::NodeResult& node : explanation.nodes) {
    const Reason* reason = node.passes_filters() ? reason_of(node, Code::AllUnusable) : nullptr;
    if (reason == nullptr || has_own_finding(explanation, node)) continue;
    if (best == nullptr || reason->devices < reason_of(*best, Code::AllUnusable)->devices)
      best = &node;
  }
  return best;
}

// The devices of a node that a request for all needs and that are not available.
struct AllModeBlockers {
  // By holder: a pod, or a claim that no pod uses.
  std::map<std::pair<std::string, std::string>, std::vector<std::string_view>> held;
  // Held by the pod's own other claims.
  std::map<const api::ResourceClaim*, std::vector<std::string_view>> own;
  std::map<std::string_view, std::vector<std::string_view>> tainted;  // by key of the taint
  bool of_whole_hosts = false;

  bool empty() const { return held.empty() && own.empty() && tainted.empty(); }
};

void add_holders(const engine::DeviceFacts& facts, std::string_view device,
                 const engine::Subject& subject, AllModeBlockers& found) {
  for (const engine::Holding& holding : facts.holders) {
    if (holding.admin()) continue;
    const auto is_it = [&holding](const engine::SubjectClaim& one) {
      return one.claim == holding.claim;
    };
    if (std::ranges::any_of(subject.claims, is_it)) {
      found.own[holding.claim].push_back(device);
      continue;
    }
    const std::string pods = base::join(engine::pods_of(*holding.claim), ", ");
    const std::string claim = pods.empty() ? base::format("{}/{}", holding.claim->meta.namespace_,
                                                          holding.claim->meta.name)
                                           : std::string();
    found.held[{pods, claim}].push_back(device);
  }
}

AllModeBlockers blockers_on(const ClusterInput& cluster, const engine::Subject& subject,
                            const Reason& reason, const api::Node& node) {
  AllModeBlockers found;
  const api::DeviceDemand* demand = engine::UnmetDemands(subject).of(reason);
  const auto pools = cluster.inventory.slices().seen_from(node);
  if (demand == nullptr || !pools.ok()) return found;
  const engine::Demands demands(cluster.snapshot, cluster.inventory, subject);
  for (const engine::Pool& pool : pools.value()) {
    for (const engine::PoolDevice& device : pool.devices) {
      if (demands.outcome(*demand, device) != engine::Outcome::Chosen) continue;
      const engine::DeviceFacts& facts = cluster.inventory.facts(device);
      const std::string_view name = device.device->name;
      // Admin access neither takes devices nor is kept from them.
      const bool taken = facts.occupancy == engine::Occupancy::Entirely;
      if (taken && !demand->admin_access) add_holders(facts, name, subject, found);
      std::set<std::string_view> keys;  // a device may have one taint with several effects
      for (const engine::DeviceTaintOf& taint : facts.taints) {
        if (!engine::tolerates_all(demand->tolerations, {&taint, 1})) keys.insert(taint.taint->key);
      }
      for (const std::string_view key : keys)
        found.tainted[key].push_back(name);
      found.of_whole_hosts = found.of_whole_hosts || engine::hands_out_hosts(pool.driver);
    }
  }
  return found;
}

// "pod ml/a holds gpu-0,gpu-1 until it is done or deleted".
std::vector<std::string> words_of_held(const AllModeBlockers& found) {
  std::vector<std::string> words;
  for (const auto& [who, devices] : found.held) {
    const auto& [pod, claim] = who;
    const std::string names = base::name_devices_within(devices, kMaxDevices);
    const bool several = pod.find(',') != std::string_view::npos;
    words.push_back(
        pod.empty()
            ? base::format("claim {}, which no pod has reserved, holds {} until it is deleted",
                           claim, names)
        : several ? base::format("pods {} share {} until all are done or deleted", pod, names)
                  : base::format("pod {} holds {} until it is done or deleted", pod, names));
  }
  for (const auto& [claim, devices] : found.own)
    words.push_back(base::format("the pod's own claim {} has {}", claim->meta.name,
                                 base::name_devices_within(devices, kMaxDevices)));
  return words;
}

std::string words_of_tainted(const AllModeBlockers& found) {
  std::vector<std::string> taints;
  for (const auto& [key, devices] : found.tainted)
    taints.push_back(
        base::format("taint {} is on {}", key, base::name_devices_within(devices, kMaxDevices)));
  return base::format("{}: take {} away, or tolerate {} in the request",
                      base::join_first(taints, kMaxTaints), taints.size() == 1 ? "it" : "them",
                      taints.size() == 1 ? "it" : "them");
}

std::string words_on_count(const AllModeBlockers& found) {
  return found.of_whole_hosts ? "A count in place of allocationMode All does not help: the driver "
                                "prepares whole hosts only."
                              : "A request for a count does not need all of them.";
}

// Of the nearest node; no value: it is not known.
std::optional<AllModeBlockers> blockers_of(const ClusterInput& cluster,
                                           const Explanation& explanation,
                                           const engine::NodeResult* near) {
  const auto* node = near == nullptr ? nullptr : cluster.snapshot.find<api::Node>(near->name);
  if (node == nullptr) return std::nullopt;  // of an assumed node, the devices are assumed, too
  AllModeBlockers found =
      blockers_on(cluster, explanation.subject, *reason_of(*near, Code::AllUnusable), *node);
  return found.empty() ? std::nullopt : std::optional(std::move(found));
}

}  // namespace

std::string how_to_free_all(const ClusterInput& cluster, const Explanation& explanation) {
  const engine::NodeResult* near = nearest(explanation);
  const auto found = blockers_of(cluster, explanation, near);
  if (!found) return {};
  std::vector<std::string> parts;
  if (!found->held.empty() || !found->own.empty())
    parts.push_back(base::join_first(words_of_held(*found), kMaxHolders));
  if (!found->tainted.empty()) parts.push_back(words_of_tainted(*found));
  return base::format("On node {}, {}. {}", near->name, base::join(parts, "; "),
                      words_on_count(*found));
}

std::string count_instead_of_all(const ClusterInput& cluster, const Explanation& explanation) {
  const auto found = blockers_of(cluster, explanation, nearest(explanation));
  return found ? words_on_count(*found) : std::string();
}

}  // namespace dra::answers
