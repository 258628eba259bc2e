// src/engine/running/prepare_helpers.cpp: what a driver waits for before it prepares a claim: pods
// of its own on the node, and the other nodes of a ComputeDomain.

#include <algorithm>
#include <string_view>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/api/workload.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/compute_domains.h"
#include "dra/engine/cluster/missing_pods.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/facts/driver_knowledge.h"
#include "dra/engine/facts/full_name.h"
#include "src/engine/running/after_scheduling.h"

namespace dra::engine {
namespace {

// The uids of the subject's claims.
std::vector<std::string_view> claim_uids(const AfterScene& scene) {
  std::vector<std::string_view> uids;
  for (const SubjectClaim& claim : scene.subject.claims) {
    if (claim.claim != nullptr && !claim.claim->meta.uid.empty())
      uids.push_back(claim.claim->meta.uid);
  }
  return uids;
}

// A pod on the node that the driver made for a claim of the subject, or one beside the driver's
// plugin, and that does not run: the driver may wait for it.
const api::Pod* helper_in_trouble(const AfterScene& scene, std::string_view driver) {
  const std::vector<std::string_view> uids = claim_uids(scene);
  const auto& pods = scene.snapshot.all<api::Pod>();
  const auto plugin = std::ranges::find_if(pods, [&](const api::Pod& pod) {
    return pod.spec.node_name == scene.pod->spec.node_name && runs_plugin_of(pod, driver);
  });
  const auto found = std::ranges::find_if(pods, [&](const api::Pod& pod) {
    if (&pod == scene.pod || pod.finished() || pod.spec.node_name != scene.pod->spec.node_name ||
        api::is_true(pod.status.conditions, "Ready") || container_state(pod) == "Running" ||
        runs_plugin_of(pod, driver))
      return false;
    const bool for_claim = std::ranges::any_of(uids, [&pod](std::string_view uid) {
      return pod.meta.name.find(uid) != std::string_view::npos;
    });
    return for_claim || (plugin != pods.end() && plugin->meta.namespace_ == pod.meta.namespace_);
  });
  return found == pods.end() ? nullptr : &*found;
}

// A ReplicaSet or the like that the driver made for a claim, and whose pods are not created.
const api::Workload* maker_without_pods(const AfterScene& scene) {
  const std::vector<std::string_view> uids = claim_uids(scene);
  const api::Workload* any = nullptr;
  for (const api::Workload& maker : scene.snapshot.all<api::Workload>()) {
    const bool for_claim = std::ranges::any_of(uids, [&maker](std::string_view uid) {
      return maker.meta.name.find(uid) != std::string_view::npos;
    });
    if (!for_claim || why_not_created(scene.snapshot, maker).empty()) continue;
    if (any == nullptr || maker.origin.kind == "ReplicaSet") any = &maker;
  }
  return any;
}

void look_for_maker(const AfterScene& scene, AfterFinding& found) {
  constexpr std::string_view forbidden = " is forbidden: ";
  const api::Workload* maker = maker_without_pods(scene);
  if (maker == nullptr) return;
  std::string why = why_not_created(scene.snapshot, *maker);
  if (const std::size_t at = why.find(forbidden); at != std::string::npos)
    why = why.substr(at + forbidden.size());
  found.finding.message =
      base::format("driver {} waits for a pod of its own, which is refused: {}", found.driver, why);
  const std::string kind(maker->origin.kind);
  found.finding.evidence.push_back(
      {"helper", base::format("{} {} has no pod", kind, full_name(maker->meta))});
  found.repair.action = Action::MendHelper;
  found.repair.command = kind == "ReplicaSet" ? Command::DescribeReplicaSet : Command::None;
  found.repair.object = {kind, std::string(maker->meta.namespace_), std::string(maker->meta.name)};
}

}  // namespace

void look_for_helper(const AfterScene& scene, AfterFinding& found) {
  const api::Pod* helper = helper_in_trouble(scene, found.driver);
  if (helper == nullptr) return look_for_maker(scene, found);
  found.finding.evidence.push_back(
      {"helper", base::format("pod {}/{} on this node is {}", helper->meta.namespace_,
                              helper->meta.name, trouble_in_words(*helper))});
  found.repair.action = Action::MendHelper;
  found.repair.command = Command::DescribePod;
  found.repair.object = {"Pod", std::string(helper->meta.namespace_),
                         std::string(helper->meta.name)};
}

void look_for_domain(const AfterScene& scene, const SubjectClaim& claim, AfterFinding& found) {
  const auto domain =
      incomplete_domain(scene.snapshot, scene.pod->meta.namespace_, claim.template_name);
  if (!domain) return;
  const api::ObjectMeta& meta = domain->domain->meta;
  found.finding.message = base::format("{}; {}", words_of(*domain), found.finding.message);
  if (found.repair.action != Action::FixDriverError) return;
  found.repair.action = Action::CompleteDomain;
  found.repair.command = Command::DescribeDomain;
  found.repair.object = {"ComputeDomain", std::string(meta.namespace_), std::string(meta.name)};
}

}  // namespace dra::engine
