// src/snapshot/template_pods.cpp: copies the template into pods with marked uids, and applies the
// defaults of admission that matter to the scheduler.

#include "dra/snapshot/template_pods.h"

#include <algorithm>

#include "dra/base/text.h"

namespace dra::snapshot {
namespace {

constexpr std::string_view kMade = "made/";        // prefix of uids of objects made from templates
constexpr std::string_view kPlanned = "planned/";  // prefix of uids of objects in manifests

// Adds the tolerations that admission adds to every pod.
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

// Adds the claims that the pod does not have yet, and their names to its status.
void add_claims(Draft& draft, api::Pod& pod, std::vector<api::ResourceClaim>& claims) {
  for (const api::PodClaim& reference : pod.spec.claims) {
    const bool known = std::ranges::find(pod.status.claims, reference.name,
                                         &api::PodClaimStatus::name) != pod.status.claims.end();
    const auto* from =
        draft.now().find<api::ResourceClaimTemplate>(pod.meta.namespace_, reference.template_name);
    if (known || from == nullptr) continue;
    const std::string_view name = draft.keep(base::format("{}-{}", pod.meta.name, reference.name));
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

bool is_one_of(const api::ObjectMeta& meta, std::string_view ns,
               const std::vector<std::string>& names) {
  return meta.namespace_ == ns && std::ranges::find(names, meta.name) != names.end();
}

// True if a pod has this name, as pods of a StatefulSet do, or a claim has the name of one of its
// claims.
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

std::vector<std::string> make_template_pods(Draft& draft, const api::Workload& owner,
                                            const api::PodRole& role, std::int64_t count) {
  std::vector<std::string> names;
  std::vector<api::Pod> pods;
  for (std::int64_t i = 1; std::ssize(names) < count; ++i) {
    std::string name = template_pod_name(owner, role, i);
    if (is_taken(draft.now(), owner.meta.namespace_, name, role.pod->spec)) continue;
    names.push_back(std::move(name));
    api::Pod& pod = pods.emplace_back();
    pod.meta.namespace_ = owner.meta.namespace_;
    pod.meta.name = draft.keep(names.back());
    pod.meta.uid = draft.keep(base::format("{}{}/{}", kMade, owner.origin.kind, names.back()));
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
    add_claims(draft, pod, claims);
  draft.add(std::move(pods));
  draft.add(std::move(claims));
  return names;
}

void create_claims(Draft& draft, std::string_view ns, const std::vector<std::string>& names) {
  std::vector<api::ResourceClaim> claims;
  const auto is_meant = [&](const api::Pod& pod) { return is_one_of(pod.meta, ns, names); };
  draft.change_if<api::Pod>(is_meant, [&](api::Pod& pod) {
    if (pod.meta.uid.empty())
      pod.meta.uid = draft.keep(base::format("{}{}/{}", kPlanned, ns, pod.meta.name));
    tolerate_as_admitted(pod.spec);
    add_claims(draft, pod, claims);
  });
  draft.add(std::move(claims));
}

void mark_planned(Draft& draft, std::string_view ns, const std::vector<std::string>& names) {
  const auto is_meant = [&](const api::ResourceClaim& claim) {
    return claim.meta.uid.empty() && is_one_of(claim.meta, ns, names);
  };
  draft.change_if<api::ResourceClaim>(is_meant, [&](api::ResourceClaim& claim) {
    claim.meta.uid = draft.keep(base::format("{}{}/{}", kPlanned, ns, claim.meta.name));
  });
}

void make_template_claim(Draft& draft, std::string_view ns, std::string_view claim_template,
                         std::string_view name) {
  const auto* from = draft.now().find<api::ResourceClaimTemplate>(ns, claim_template);
  if (from == nullptr) return;
  api::ResourceClaim claim = claim_of(*from, draft.keep(name));
  claim.meta.uid = draft.keep(base::format("{}{}", kMade, name));
  draft.add(std::vector{std::move(claim)});
}

void remove_template_pods(Draft& draft) {
  draft.remove_if<api::ResourceClaim>([](const api::ResourceClaim& claim) {
    const api::OwnerReference* owner = api::controller_of(claim.meta);
    return owner != nullptr && owner->uid.starts_with(kMade);
  });
  draft.remove_if<api::Pod>([](const api::Pod& pod) { return is_from_template(pod); });
}

}  // namespace dra::snapshot
