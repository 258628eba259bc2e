// src/snapshot/template_pods.cpp: see template_pods.h.

#include "dra/snapshot/template_pods.h"

#include <algorithm>
#include <iterator>

#include "dra/base/text.h"
#include "dra/snapshot/builder.h"
#include "src/snapshot/order.h"

namespace dra::snapshot {
namespace {

constexpr std::string_view kMade = "made/";        // uids of pods that do not exist
constexpr std::string_view kPlanned = "planned/";  // uids of pods in manifests

// Into the sorted objects, all at once: each alone would move the others about.
template <class T>
void add_sorted(Snapshot& snapshot, std::vector<T> added) {
  std::ranges::sort(added, {}, name_key<T>);
  auto& objects = Builder::objects<T>(snapshot);
  const auto before = std::ssize(objects);
  std::ranges::move(added, std::back_inserter(objects));
  std::inplace_merge(objects.begin(), objects.begin() + before, objects.end(),
                     [](const T& a, const T& b) { return name_key(a) < name_key(b); });
}

// Every pod gets these on its way into the cluster.
// Upstream: k8s.io/kubernetes/plugin/pkg/admission/defaulttolerationseconds.
void tolerate_as_admitted(api::PodSpec& spec) {
  constexpr std::int64_t seconds = 300;
  for (const std::string_view key :
       {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
    spec.tolerations.push_back(
        {.key = key, .op = "Exists", .value = {}, .effect = "NoExecute", .seconds = seconds});
  }
}

api::ResourceClaim claim_of(const api::ResourceClaimTemplate& from, std::string_view name) {
  api::ResourceClaim claim;
  claim.meta.name = name;
  claim.meta.namespace_ = from.meta.namespace_;
  claim.spec = from.spec.spec;
  claim.origin = from.origin;
  claim.origin.kind = api::info_of(api::Kind::Claim).name;
  return claim;
}

// The claims that the pod still needs, which its status names from now on.
void add_claims(Snapshot& snapshot, api::Pod& pod, std::vector<api::ResourceClaim>& claims) {
  for (const api::PodClaim& reference : pod.spec.claims) {
    const bool known = std::ranges::find(pod.status.claims, reference.name,
                                         &api::PodClaimStatus::name) != pod.status.claims.end();
    const auto* from =
        snapshot.find<api::ResourceClaimTemplate>(pod.meta.namespace_, reference.template_name);
    if (known || from == nullptr) continue;
    const std::string_view name =
        Builder::keep(snapshot, base::format("{}-{}", pod.meta.name, reference.name));
    api::ResourceClaim claim = claim_of(*from, name);
    claim.meta.owners.push_back({.api_version = "v1",
                                 .kind = "Pod",
                                 .name = pod.meta.name,
                                 .uid = pod.meta.uid,
                                 .controller = true});
    claims.push_back(std::move(claim));
    pod.status.claims.push_back({reference.name, name});
  }
}

// By a pod, as those of a StatefulSet are named like that, or by a claim that would be its.
bool is_taken(const Snapshot& snapshot, std::string_view ns, std::string_view name,
              const api::PodSpec& spec) {
  return snapshot.find<api::Pod>(ns, name) != nullptr ||
         std::ranges::any_of(spec.claims, [&](const api::PodClaim& reference) {
           return snapshot.find<api::ResourceClaim>(
                      ns, base::format("{}-{}", name, reference.name)) != nullptr;
         });
}

}  // namespace

bool is_from_template(const api::Pod& pod) { return pod.meta.uid.starts_with(kMade); }

bool is_planned(const api::Pod& pod) {
  return is_from_template(pod) || pod.meta.uid.starts_with(kPlanned);
}

bool is_from_template(const api::ResourceClaim& claim) { return claim.meta.uid.starts_with(kMade); }

bool is_planned(const api::ResourceClaim& claim) {
  return is_from_template(claim) || claim.meta.uid.starts_with(kPlanned);
}

std::string template_pod_name(const api::Workload& owner, const api::PodRole& role,
                              std::int64_t number) {
  return role.name.empty() ? base::format("{}-{}", owner.meta.name, number)
                           : base::format("{}-{}-{}", owner.meta.name, role.name, number);
}

std::vector<std::string> make_template_pods(Snapshot& snapshot, const api::Workload& owner,
                                            const api::PodRole& role, std::int64_t count) {
  std::vector<std::string> names;
  std::vector<api::Pod> pods;
  for (std::int64_t i = 1; std::ssize(names) < count; ++i) {
    std::string name = template_pod_name(owner, role, i);
    if (is_taken(snapshot, owner.meta.namespace_, name, role.pod->spec)) continue;
    names.push_back(std::move(name));
    api::Pod& pod = pods.emplace_back();
    pod.meta.namespace_ = owner.meta.namespace_;
    pod.meta.name = Builder::keep(snapshot, names.back());
    pod.meta.uid =
        Builder::keep(snapshot, base::format("{}{}/{}", kMade, owner.origin.kind, names.back()));
    pod.meta.labels = role.pod->meta.labels;
    pod.meta.owners.push_back({.api_version = owner.origin.api_version,
                               .kind = owner.origin.kind,
                               .name = owner.meta.name,
                               .uid = owner.meta.uid,
                               .controller = true});
    pod.spec = role.pod->spec;
    tolerate_as_admitted(pod.spec);
    pod.status.phase = "Pending";
  }
  std::vector<api::ResourceClaim> claims;
  for (api::Pod& pod : pods)
    add_claims(snapshot, pod, claims);
  add_sorted(snapshot, std::move(pods));
  add_sorted(snapshot, std::move(claims));
  return names;
}

void create_claims(Snapshot& snapshot, std::string_view ns, const std::vector<std::string>& names) {
  std::vector<api::ResourceClaim> claims;
  for (api::Pod& pod : Builder::objects<api::Pod>(snapshot)) {
    const bool meant =
        pod.meta.namespace_ == ns && std::ranges::find(names, pod.meta.name) != names.end();
    if (!meant) continue;
    if (pod.meta.uid.empty())
      pod.meta.uid = Builder::keep(snapshot, base::format("{}{}/{}", kPlanned, ns, pod.meta.name));
    tolerate_as_admitted(pod.spec);
    add_claims(snapshot, pod, claims);
  }
  add_sorted(snapshot, std::move(claims));
}

void mark_planned(Snapshot& snapshot, std::string_view ns, const std::vector<std::string>& names) {
  for (api::ResourceClaim& claim : Builder::objects<api::ResourceClaim>(snapshot)) {
    const api::ObjectMeta& meta = claim.meta;
    if (meta.namespace_ == ns && meta.uid.empty() &&
        std::ranges::find(names, meta.name) != names.end())
      claim.meta.uid = Builder::keep(snapshot, base::format("{}{}/{}", kPlanned, ns, meta.name));
  }
}

void make_template_claim(Snapshot& snapshot, std::string_view ns, std::string_view claim_template,
                         std::string_view name) {
  const auto* from = snapshot.find<api::ResourceClaimTemplate>(ns, claim_template);
  if (from == nullptr) return;
  std::vector<api::ResourceClaim> claims;
  claims.push_back(claim_of(*from, Builder::keep(snapshot, name)));
  claims.back().meta.uid = Builder::keep(snapshot, base::format("{}{}", kMade, name));
  add_sorted(snapshot, std::move(claims));
}

void remove_template_pods(Snapshot& snapshot) {
  std::erase_if(Builder::objects<api::ResourceClaim>(snapshot),
                [](const api::ResourceClaim& claim) {
                  const api::OwnerReference* owner = api::controller_of(claim.meta);
                  return owner != nullptr && owner->uid.starts_with(kMade);
                });
  std::erase_if(Builder::objects<api::Pod>(snapshot),
                [](const api::Pod& pod) { return is_from_template(pod); });
}

}  // namespace dra::snapshot
