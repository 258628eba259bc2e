// src/engine/running/lost_claim_names.cpp: finds claims that were made for the pod and that its
// status does not name. A source of after_scheduling.h.
//
// A client with types of an older release that updates the whole status of a pod drops
// status.resourceClaimStatuses (kubernetes/kubernetes issue 139772). Upstream: the kubelet finds a
// claim by that status alone when it prepares it, and when it takes it back before v1.37
// (k8s.io/kubernetes/pkg/kubelet/cm/dra, Manager.unprepareResourcesForPod; from v1.37 on by what it
// has prepared). The claim controller restores the status of a pod that is not in deletion
// (pkg/controller/resourceclaim, Controller.syncPod and findPodResourceClaim).

#include <algorithm>

#include "dra/api/cluster_objects.h"
#include "dra/api/release.h"
#include "dra/base/text.h"
#include "src/engine/running/after_scheduling.h"

namespace dra::engine {
namespace {

using diag::Code;

constexpr int kFindsByItself = 37;  // the kubelet's minor release
constexpr std::size_t kLostNames = 3;

// The claims that the pod owns and that its status does not name.
std::vector<const SubjectClaim*> unnamed_claims(const AfterScene& scene) {
  std::vector<const SubjectClaim*> claims;
  const auto& named = scene.pod->status.claims;
  for (const SubjectClaim& claim : scene.subject.claims) {
    const bool own =
        claim.claim != nullptr && !claim.template_name.empty() && claim.pod_group.empty();
    if (own && std::ranges::find(named, claim.pod_claim, &api::PodClaimStatus::name) == named.end())
      claims.push_back(&claim);
  }
  return claims;
}

bool may_need_names(const AfterScene& scene) {
  const auto* node = scene.snapshot.find<api::Node>(scene.pod->spec.node_name);
  if (node == nullptr) return true;
  const auto release = api::release_of(node->status.info.kubelet_version);
  return !release || release->minor < kFindsByItself;
}

std::string words_of(const std::vector<const SubjectClaim*>& claims) {
  std::vector<std::string> names;
  names.reserve(claims.size());
  for (const SubjectClaim* claim : claims)
    names.push_back(claim->name);
  return base::format("{} {}", claims.size() == 1 ? "claim" : "claims",
                      base::join_first(names, kLostNames));
}

// A merge patch puts its list in the place of the old one, so it has the entries that are left.
std::string patch_of(const AfterScene& scene, const std::vector<const SubjectClaim*>& claims) {
  std::vector<std::string> entries;
  for (const api::PodClaimStatus& status : scene.pod->status.claims) {
    entries.push_back(status.claim_name
                          ? base::format(R"({{"name":"{}","resourceClaimName":"{}"}})", status.name,
                                         *status.claim_name)
                          : base::format(R"({{"name":"{}"}})", status.name));
  }
  for (const SubjectClaim* claim : claims)
    entries.push_back(
        base::format(R"({{"name":"{}","resourceClaimName":"{}"}})", claim->pod_claim, claim->name));
  return base::format(R"({{"status":{{"resourceClaimStatuses":[{}]}}}})", base::join(entries, ","));
}

// Names that are what the server says that they are have no quotes.
bool are_names(std::string_view patch) {
  return patch.find_first_not_of("abcdefghijklmnopqrstuvwxyzNCS0123456789-.\"{}[]:,") ==
         std::string_view::npos;
}

AfterFinding& add_lost(const AfterScene& scene, const std::vector<const SubjectClaim*>& claims,
                       Code code, std::string_view consequence) {
  AfterFinding& found =
      scene.add(code, claims.front(),
                base::format("its status has lost the {} of {} (status.resourceClaimStatuses), {}",
                             claims.size() == 1 ? "name" : "names", words_of(claims), consequence));
  found.what = "lost claim names";
  found.finding.evidence.push_back(
      {"status",
       "the usual cause is a client with types of an older Kubernetes that updates the "
       "status of pods, as a network plugin does"});
  return found;
}

}  // namespace

bool look_for_claim_names(const AfterScene& scene) {
  const auto claims = unnamed_claims(scene);
  if (claims.empty() || scene.pod->spec.node_name.empty()) return false;
  if (scene.pod->meta.deleted) {
    if (!may_need_names(scene)) return false;
    AfterFinding& found =
        add_lost(scene, claims, Code::PodNotGone, "so the kubelet cannot take its devices back");
    found.fails = Fails::End;
    std::string patch = patch_of(scene, claims);
    const bool valid = are_names(patch);
    found.repair = {.action = Action::RestoreClaimNames,
                    .patch = std::move(patch),
                    .command = valid ? Command::RestoreClaimNames : Command::DescribePod,
                    .object = {"Pod", std::string(scene.pod->meta.namespace_),
                               std::string(scene.pod->meta.name)}};
    return true;
  }
  if (scene.started()) return false;
  AfterFinding& found =
      add_lost(scene, claims, Code::PrepareFailed, "so the kubelet does not find its devices");
  found.repair = {.action = Action::AwaitClaimNames,
                  .pods = {std::string(scene.pod->meta.name)},
                  .command = Command::ShowControllerLease};
  return true;
}

}  // namespace dra::engine
