// src/engine/scheduler/pod_claims.cpp: resolves the claims of a pod one by one, the special claim
// last, and collects blockers on the way.

#include "dra/engine/scheduler/pod_claims.h"

#include <algorithm>
#include <optional>

#include "dra/api/cluster_objects.h"
#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/compute_domains.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/cluster/queue.h"
#include "dra/engine/cluster/refusal.h"
#include "dra/engine/cluster/scheduling_group.h"
#include "dra/engine/facts/features.h"
#include "dra/engine/facts/full_name.h"
#include "src/engine/scheduler/claim_blockers.h"

namespace dra::engine {
namespace {

using diag::Certainty;
using diag::Code;
using diag::Reason;

constexpr std::size_t kNamedUsers = 3;  // pods that are named of many

// Resolves one subject's claims and collects its blockers.
class Resolver {
 public:
  Resolver(const snapshot::Snapshot& snapshot, Subject& subject)
      : snapshot_(snapshot), subject_(subject) {}

  void pod_claim(const api::PodClaim& reference);
  void named_claim(SubjectClaim claim);
  void special_claim(const api::Pod& pod);
  void deletion(const api::ObjectMeta& meta);
  void gates(const api::Pod& pod);
  void scheduling_group(const api::Pod& pod);
  void container_claims(const api::PodSpec& spec);

 private:
  void template_claim(const api::PodClaim& reference);
  void not_created(SubjectClaim claim);
  void unnamed(SubjectClaim claim, const api::ResourceClaim& made);
  const api::ResourceClaim* made_for(const SubjectClaim& claim) const;
  void take_from_group(SubjectClaim& claim);
  void not_created_because(const SubjectClaim& claim);
  std::string where_else(const SubjectClaim& claim) const;
  void check_found(SubjectClaim& claim);
  void note_gone_users(SubjectClaim& claim) const;
  void check_owner(SubjectClaim& claim);
  std::string describe_owner(const api::ResourceClaim& claim) const;
  const api::Event* creation_failure(std::string_view pod_claim) const;

  Reason& add(Code code, const SubjectClaim& claim, std::string message) {
    subject_.blockers.push_back(
        {.code = code, .claim = claim.label(), .message = std::move(message)});
    return subject_.blockers.back();
  }

  const snapshot::Snapshot& snapshot_;
  Subject& subject_;
};

void Resolver::pod_claim(const api::PodClaim& reference) {
  if (!reference.claim_name.empty()) {
    return named_claim({.namespace_ = std::string(subject_.pod->meta.namespace_),
                        .name = std::string(reference.claim_name),
                        .pod_claim = reference.name});
  }
  if (!reference.template_name.empty()) return template_claim(reference);
  SubjectClaim claim{.namespace_ = std::string(subject_.pod->meta.namespace_),
                     .name = {},
                     .pod_claim = reference.name};
  add(Code::ClaimReferenceEmpty, claim,
      base::format("claim reference {} names neither a claim nor a template", reference.name));
  subject_.claims.push_back(std::move(claim));
}

void Resolver::named_claim(SubjectClaim claim) {
  claim.claim = snapshot_.find<api::ResourceClaim>(claim.namespace_, claim.name);
  if (claim.claim == nullptr) {
    if (snapshot_.coverage().saw(api::Kind::Claim, claim.namespace_)) {
      add(Code::ClaimMissing, claim, base::format("claim {} does not exist", claim.label()));
    } else {
      claim.state = ClaimState::Unknown;
    }
    subject_.claims.push_back(std::move(claim));
    return;
  }
  claim.spec = &claim.claim->spec;
  claim.state = claim.claim->allocated() ? ClaimState::Allocated : ClaimState::Pending;
  if (claim.claim->meta.deleted) claim.state = ClaimState::Deleting;
  check_found(claim);
  subject_.claims.push_back(std::move(claim));
}

// A pod with a node has the claim that its status names. Before that the scheduler makes one in
// memory for each attempt; if binding failed, the claim of the last attempt may still exist, and is
// deleted before the next attempt.
void Resolver::special_claim(const api::Pod& pod) {
  const std::string ns(pod.meta.namespace_);
  if (!pod.spec.node_name.empty()) {
    if (const auto& made = pod.status.extended_resource_claim)
      named_claim({.namespace_ = ns, .name = std::string(made->claim_name)});
    return;
  }
  subject_.extended = extended_claim_of(snapshot_, pod);
  if (subject_.extended == nullptr) return;
  const api::ResourceClaim* old = left_over_claim(snapshot_, pod);
  if (old == nullptr || old->spec.devices.requests.empty()) {
    subject_.claims.push_back({.namespace_ = ns,
                               .name = {},
                               .pod_claim = kSpecialClaim,
                               .spec = &subject_.extended->spec,
                               .state = ClaimState::NotCreated,
                               .extended = subject_.extended.get()});
    return;
  }
  subject_.claims.push_back(
      {.namespace_ = std::string(old->meta.namespace_),
       .name = std::string(old->meta.name),
       .pod_claim = kSpecialClaim,
       .claim = old,
       .spec = &old->spec,
       .state = old->allocated() ? ClaimState::Allocated : ClaimState::Pending});
  add(Code::ExtendedClaimLeftOver, subject_.claims.back(),
      base::format("claim {} is left over from an earlier attempt to schedule the pod",
                   subject_.claims.back().label()));
}

void Resolver::template_claim(const api::PodClaim& reference) {
  SubjectClaim claim{.namespace_ = std::string(subject_.pod->meta.namespace_),
                     .name = {},
                     .pod_claim = reference.name,
                     .template_name = reference.template_name};
  const auto& statuses = subject_.pod->status.claims;
  const auto status = std::ranges::find(statuses, reference.name, &api::PodClaimStatus::name);
  if (status == statuses.end()) return not_created(std::move(claim));
  if (!status->claim_name) return;  // without a name: no claim is needed
  claim.name = *status->claim_name;
  named_claim(std::move(claim));
}

void Resolver::not_created(SubjectClaim claim) {
  claim.state = ClaimState::NotCreated;
  const auto* found =
      snapshot_.find<api::ResourceClaimTemplate>(claim.namespace_, claim.template_name);
  if (found != nullptr) claim.spec = &found->spec.spec;
  if (found == nullptr)
    claim.domain = engine::domain_of_template(snapshot_, claim.namespace_, claim.template_name);
  if (subject_.group) take_from_group(claim);
  const api::ResourceClaim* made = claim.claim == nullptr ? made_for(claim) : nullptr;
  if (made != nullptr) return unnamed(std::move(claim), *made);
  const std::string what =
      claim.claim == nullptr
          ? base::format("claim {} is to be made from template {}, and that has not happened",
                         claim.pod_claim, claim.template_name)
          : base::format("claim {} is that of pod group {}, and the pod's status does not name it",
                         claim.pod_claim, claim.pod_group);
  add(Code::ClaimNotCreated, claim, what);
  not_created_because(claim);
  subject_.claims.push_back(std::move(claim));
}

// A claim that is there and that the pod's status does not name is the pod's all the same; only the
// scheduler waits for its name.
void Resolver::unnamed(SubjectClaim claim, const api::ResourceClaim& made) {
  if (subject_.pod->spec.node_name.empty())
    add(Code::ClaimNotCreated, claim,
        base::format("claim {} has been made for it, and the pod's status does not name it",
                     full_name(made.meta)));
  claim.name = std::string(made.meta.name);
  named_claim(std::move(claim));
}

// The claim that the controller has made for the pod and that the pod's status does not name.
// Upstream: k8s.io/kubernetes/pkg/controller/resourceclaim, podResourceClaimAnnotation.
const api::ResourceClaim* Resolver::made_for(const SubjectClaim& claim) const {
  constexpr std::string_view annotation = "resource.kubernetes.io/pod-claim-name";
  for (const api::ResourceClaim& one : snapshot_.all<api::ResourceClaim>()) {
    const api::OwnerReference* owner = api::controller_of(one.meta);
    const auto* name = api::find(one.meta.annotations, annotation);
    if (owner != nullptr && owner->uid == subject_.pod->meta.uid && name != nullptr &&
        *name == claim.pod_claim && !subject_.pod->meta.uid.empty())
      return &one;
  }
  return nullptr;
}

// The claim controller writes the group's claim into the pod's status once it exists.
void Resolver::take_from_group(SubjectClaim& claim) {
  claim.claim = claim_of_group(snapshot_, *subject_.group, claim.pod_claim);
  if (claim.claim == nullptr) return;
  claim.name = std::string(claim.claim->meta.name);
  claim.spec = &claim.claim->spec;
  claim.pod_group = subject_.group->name;
}

// "; it does in namespace b", "; ComputeDomain d brings it". Empty: nothing of that is known.
std::string Resolver::where_else(const SubjectClaim& claim) const {
  if (claim.domain != nullptr) {
    const api::ObjectMeta& domain = claim.domain->meta;
    return domain.namespace_ == claim.namespace_
               ? base::format(
                     "; the driver's controller makes it for ComputeDomain {}, and has not",
                     domain.name)
               : base::format("; ComputeDomain {} brings it, and is in namespace {}", domain.name,
                              domain.namespace_);
  }
  for (const auto& other : snapshot_.all<api::ResourceClaimTemplate>()) {
    if (other.meta.name == claim.template_name)
      return base::format("; it does in namespace {}", other.meta.namespace_);
  }
  return {};
}

void Resolver::not_created_because(const SubjectClaim& claim) {
  const bool saw_templates = snapshot_.coverage().saw(api::Kind::Template, claim.namespace_);
  if (claim.spec == nullptr && saw_templates) {
    add(Code::TemplateMissing, claim,
        base::format("template {} does not exist in namespace {}{}", claim.template_name,
                     claim.namespace_, where_else(claim)));
  }
  if (const api::Event* event = creation_failure(claim.pod_claim)) {
    CreationFailure failure = engine::creation_failure(snapshot_, claim.namespace_, event->message);
    Reason& reason =
        add(Code::ClaimCreationFailed, claim,
            base::format("claim {} could not be created: {}", claim.pod_claim, failure.cause));
    reason.certainty = Certainty::Heuristic;  // the controller may have succeeded since
    if (failure.refusal) {
      reason.evidence = std::make_shared<const diag::Evidence>(
          diag::Evidence{.refusal = *std::move(failure.refusal)});
    }
  }
}

// The controller's words: "PodResourceClaim NAME: why", for a group's claim "PodGroupResourceClaim
// NAME: why".
const api::Event* Resolver::creation_failure(std::string_view pod_claim) const {
  const api::Event* newest = nullptr;
  const auto look = [&](std::string_view kind, const api::ObjectMeta& meta) {
    const std::string words = base::format("{}ResourceClaim {}:", kind, pod_claim);
    for (const api::Event* event : events_of(snapshot_, kind, meta)) {
      const bool is_it =
          event->reason == "FailedResourceClaimCreation" && event->message.starts_with(words);
      if (is_it && (newest == nullptr || event->last_seen() > newest->last_seen())) newest = event;
    }
  };
  look("Pod", subject_.pod->meta);
  if (subject_.group) {
    api::ObjectMeta group;
    group.namespace_ = subject_.pod->meta.namespace_;
    group.name = subject_.group->name;
    look("PodGroup", group);
  }
  return newest;
}

// Nothing is known of pods that could not be read.
void Resolver::note_gone_users(SubjectClaim& claim) const {
  if (!snapshot_.coverage().saw(api::Kind::Pod, claim.namespace_)) return;
  for (const api::Consumer& consumer : claim.claim->status.reserved_for) {
    if (consumer.is_pod() && consuming_pod(snapshot_, claim.namespace_, consumer) == nullptr)
      claim.gone_users.emplace_back(consumer.name);
  }
}

void Resolver::check_found(SubjectClaim& claim) {
  if (claim.state == ClaimState::Deleting) {
    note_gone_users(claim);
    const bool one = claim.gone_users.size() == 1;
    add(Code::ClaimDeleting, claim,
        base::format("claim {} is being deleted{}", claim.label(),
                     claim.gone_users.empty()
                         ? std::string()
                         : base::format(" and is still reserved for {} {}, which {} not exist any "
                                        "more",
                                        one ? "pod" : "pods",
                                        base::join_first(claim.gone_users, kNamedUsers),
                                        one ? "does" : "do")));
  }
  if (!claim.template_name.empty()) check_owner(claim);
}

void Resolver::check_owner(SubjectClaim& claim) {
  const api::OwnerReference* owner = api::controller_of(claim.claim->meta);
  if (owner != nullptr && owner->uid == subject_.pod->meta.uid) return;
  if (subject_.group && subject_.group->owns(*claim.claim)) {
    claim.pod_group = subject_.group->name;
    return;
  }
  add(Code::ClaimNotOwned, claim,
      base::format("claim {} was not created for this pod: {}", claim.label(),
                   describe_owner(*claim.claim)));
}

std::string Resolver::describe_owner(const api::ResourceClaim& claim) const {
  const api::OwnerReference* owner = api::controller_of(claim.meta);
  if (owner == nullptr) return "it has no owner";
  const auto group = pod_group_of(snapshot_, *subject_.pod);
  if (group && group->owns(claim))
    return base::format("its owner is pod group {}, and the feature {} is {}", group->name,
                        name_of(Gate::DRAWorkloadResourceClaims),
                        is_assumed(snapshot_.server(), Gate::DRAWorkloadResourceClaims)
                            ? "assumed to be off"
                            : "off");
  return base::format("its owner is {} {} with another uid", owner->kind, owner->name);
}

// The scheduler removes such a pod from its queue: k8s.io/kubernetes/pkg/scheduler,
// skipPodSchedule.
void Resolver::deletion(const api::ObjectMeta& meta) {
  if (!meta.deleted) return;
  const std::vector<std::string> finalizers(meta.finalizers.begin(), meta.finalizers.end());
  subject_.blockers.push_back(
      {.code = Code::PodDeleting,
       .message = finalizers.empty()
                      ? std::string("the pod is being deleted")
                      : base::format("the pod is being deleted, and waits for {} {}",
                                     finalizers.size() == 1 ? "finalizer" : "finalizers",
                                     base::join(finalizers, ", "))});
}

void Resolver::gates(const api::Pod& pod) {
  if (pod.spec.gates.empty()) return;
  std::vector<std::string> names;
  bool queued = false;
  for (const api::SchedulingGate& gate : pod.spec.gates) {
    names.emplace_back(gate.name);
    queued |= is_gate_of_queue(gate.name);
  }
  Reason& reason = subject_.blockers.emplace_back(Reason{
      .code = Code::SchedulingGated,
      .message = base::format("scheduling waits for {} {} to be removed",
                              names.size() == 1 ? "gate" : "gates", base::join(names, ", "))});
  const auto* workload = queued ? queued_workload_of(snapshot_, pod.meta) : nullptr;
  if (workload == nullptr) return;
  std::string why = why_not_admitted(*workload);
  if (why.empty()) return;
  reason.message = base::format(
      "Kueue holds it back ({} {}), as its Workload {} is not admitted: {}",
      names.size() == 1 ? "gate" : "gates", base::join(names, ", "), workload->meta.name, why);
  diag::Evidence evidence;
  evidence.refusal = {.by = diag::RefusalEvidence::By::Queue,
                      .name = std::string(workload->meta.name),
                      .said = std::move(why)};
  reason.evidence = std::make_shared<const diag::Evidence>(std::move(evidence));
}

// The scheduler does not put such a pod into its queue: see scheduling_group.h.
void Resolver::scheduling_group(const api::Pod& pod) {
  if (!pod.spec.node_name.empty()) return;
  const SchedulingGroup group = scheduling_group_of(snapshot_, pod);
  if (group.state == SchedulingGroup::State::Missing) {
    subject_.blockers.push_back(
        {.code = Code::PodGroupMissing,
         .message = base::format("pod group {} does not exist in namespace {}", group.name,
                                 pod.meta.namespace_)});
  } else if (group.state == SchedulingGroup::State::Gang && !group.is_looked_at()) {
    subject_.blockers.push_back(
        {.code = Code::GangIncomplete,
         .message = base::format("gang {} has {} of the {} pods that it needs", group.name,
                                 group.pods.size(), group.min_count)});
  }
}

void Resolver::container_claims(const api::PodSpec& spec) {
  const auto known = [&spec](std::string_view name) {
    return std::ranges::find(spec.claims, name, &api::PodClaim::name) != spec.claims.end();
  };
  for (const auto* containers : {&spec.init_containers, &spec.containers}) {
    for (const api::Container& container : *containers) {
      for (const api::ContainerClaim& claim : container.resources.claims) {
        if (known(claim.name)) continue;
        subject_.blockers.push_back(
            {.code = Code::ContainerClaimUnknown,
             .claim = std::string(claim.name),
             .message =
                 base::format("container {} uses claim {}, which is missing in spec.resourceClaims",
                              container.name, claim.name)});
      }
    }
  }
}

}  // namespace

std::string_view name_of(ClaimState state) {
  switch (state) {
    case ClaimState::Pending:
      return "pending";
    case ClaimState::Allocated:
      return "allocated";
    case ClaimState::Missing:
      return "missing";
    case ClaimState::Unknown:
      return "unknown";
    case ClaimState::NotCreated:
      return "notCreated";
    case ClaimState::Deleting:
      return "deleting";
  }
  return "";
}

std::string SubjectClaim::label() const {
  return name.empty() ? std::string(pod_claim) : full_name(namespace_, name);
}

std::string_view SubjectClaim::resource_of(const api::DeviceRequest& request) const {
  if (extended == nullptr) return {};
  const auto index = &request - extended->spec.devices.requests.data();
  return extended->of_request[static_cast<std::size_t>(index)];
}

bool SubjectClaim::asks(const api::DeviceRequest& request) const {
  return by_plugin.empty() || std::ranges::find(by_plugin, resource_of(request)) == by_plugin.end();
}

bool SubjectClaim::left_to_plugins() const {
  return extended != nullptr && by_plugin.size() == extended->resources.size();
}

bool Subject::allocated() const {
  return std::ranges::all_of(claims, [](const SubjectClaim& claim) {
    return claim.allocated() || claim.left_to_plugins();
  });
}

bool Subject::has_empty_claim() const {
  return claims.size() > 1 && std::ranges::any_of(claims, [](const SubjectClaim& claim) {
           return claim.extended != nullptr &&
                  std::ranges::none_of(
                      claim.spec->devices.requests,
                      [&claim](const api::DeviceRequest& one) { return claim.asks(one); });
         });
}

bool Subject::left_to_plugins() const {
  return std::ranges::all_of(claims, &SubjectClaim::left_to_plugins);
}

UnmetDemands::UnmetDemands(const Subject& subject) {
  for_each_unmet(subject, [this](const SubjectClaim& claim, const api::DeviceRequest& request) {
    for (api::NamedDemand& demand : api::demands_of(request))
      asked_.emplace(std::pair(claim.label(), std::move(demand.name)), demand.demand);
  });
}

const api::DeviceDemand* UnmetDemands::of(const diag::Reason& reason) const {
  return of(reason.claim, reason.request);
}

const api::DeviceDemand* UnmetDemands::of(const std::string& claim,
                                          const std::string& request) const {
  const auto found = asked_.find({claim, request});
  return found == asked_.end() ? nullptr : found->second;
}

Subject subject_of_pod(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  Subject subject{.pod = &pod, .claims = {}, .blockers = {}};
  if (features_of(snapshot.server()).on(Gate::DRAWorkloadResourceClaims))
    subject.group = pod_group_of(snapshot, pod);
  Resolver resolver(snapshot, subject);
  resolver.deletion(pod.meta);
  resolver.gates(pod);
  resolver.scheduling_group(pod);
  for (const api::PodClaim& reference : pod.spec.claims)
    resolver.pod_claim(reference);
  resolver.special_claim(pod);
  resolver.container_claims(pod.spec);
  add_claim_blockers(snapshot, subject);
  return subject;
}

Subject subject_of_claims(const snapshot::Snapshot& snapshot, std::string_view ns,
                          const std::vector<std::string>& names) {
  Subject subject;
  Resolver resolver(snapshot, subject);
  for (const std::string& name : names) {
    resolver.named_claim({.namespace_ = std::string(ns), .name = name});
  }
  add_claim_blockers(snapshot, subject);
  return subject;
}

}  // namespace dra::engine
