// src/answers/explain/blocker_remedy.cpp: one function for each code that needs names of objects;
// other codes get the catalogue's remedy.

#include "dra/answers/explain/blocker_remedy.h"

#include <algorithm>

#include "dra/answers/explain/missing_pods_words.h"
#include "dra/api/cluster_objects.h"
#include "dra/base/ages.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/claim_controller.h"
#include "dra/engine/cluster/queue.h"
#include "dra/engine/cluster/quotas.h"
#include "dra/engine/facts/features.h"
#include "dra/snapshot/template_pods.h"
#include "src/answers/explain/cause.h"

namespace dra::answers {
namespace {

using diag::Code;
using diag::Remedy;
using engine::SubjectClaim;

constexpr std::size_t kMaxPods = 4;  // pods named in a sentence

// What it watches is not created unless it is asked, or its configuration lets that pass.
Remedy against_silent_webhook(const diag::RefusalEvidence& refusal) {
  const std::string& service = refusal.unreachable;
  const std::size_t slash = service.find('/');
  const bool named = slash != std::string::npos && service.find(' ') == std::string::npos;
  return {base::format("The webhook did not refuse it: the API server cannot reach {}. See whether "
                       "its pods run, and get them going; the claim is then made by itself. Until "
                       "then failurePolicy: Ignore in its configuration lets claims pass.",
                       named ? "its service " + service : "it"),
          named ? diag::kubectl("get pods,endpointslices").in(service.substr(0, slash)).text()
                : diag::kubectl("get validatingwebhookconfigurations,mutatingwebhookconfigurations")
                      .text()};
}

Remedy against(const diag::RefusalEvidence& refusal, std::string_view ns) {
  switch (refusal.by) {
    case diag::RefusalEvidence::By::Quota:
      if (engine::has_room(refusal))
        return {
            "Wait: the quota has room by now, and the controller tries again by itself within "
            "minutes.",
            diag::kubectl("describe resourcequota").name(refusal.name).in(ns).text()};
      return {base::format(
                  "Delete claims that are not needed any more in namespace {}, or have the quota "
                  "raised. The controller tries again by itself.",
                  ns),
              diag::kubectl("describe resourcequota").name(refusal.name).in(ns).text()};
    case diag::RefusalEvidence::By::Webhook:
      if (!refusal.unreachable.empty()) return against_silent_webhook(refusal);
      return {
          "A claim template cannot be edited: delete it and create it as the webhook wants it, or "
          "ask the owner of the webhook.",
          diag::kubectl("get validatingwebhookconfigurations,mutatingwebhookconfigurations")
              .text()};
    case diag::RefusalEvidence::By::Policy:
      return {
          "A claim template cannot be edited: delete it and create it as the policy wants it, or "
          "ask the owner of the policy.",
          diag::kubectl("describe validatingadmissionpolicy").name(refusal.name).text()};
    case diag::RefusalEvidence::By::Queue:
      return {base::format("{} It removes the gate when it admits the workload.",
                           what_kueue_asks_for(refusal.said)),
              diag::kubectl("describe workloads.kueue.x-k8s.io").name(refusal.name).in(ns).text()};
  }
  return {};
}

// "pod a", "pods a, b and 2 more".
std::string name_pods(const std::vector<std::string>& pods) {
  std::vector<std::string> some(
      pods.begin(), pods.begin() + static_cast<std::ptrdiff_t>(std::min(pods.size(), kMaxPods)));
  std::string text =
      base::format("{} {}", pods.size() == 1 ? "pod" : "pods", base::join(some, ", "));
  if (pods.size() > kMaxPods) text += base::format(" and {} more", pods.size() - kMaxPods);
  return text;
}

class BlockerRemedy {
 public:
  BlockerRemedy(const diag::Reason& reason, const Explanation& explanation)
      : reason_(reason),
        classes_(explanation.classes),
        server_(explanation.server),
        pod_(explanation.subject.pod),
        gang_(explanation.gang ? &*explanation.gang : nullptr),
        controller_manager_(explanation.controller_manager),
        now_(explanation.not_before),
        namespace_(explanation.subjects.front().namespace_) {
    const auto& claims = explanation.subject.claims;
    const auto found = std::ranges::find_if(
        claims, [&reason](const SubjectClaim& one) { return one.label() == reason.claim; });
    if (found != claims.end()) claim_ = &*found;
  }

  Remedy remedy() const {
    if (pod_ != nullptr && pod_->spec.group && is_of_group()) return group_remedy();
    if (claim_ == nullptr) return remedy_of(reason_, namespace_);
    switch (reason_.code) {
      case Code::ClaimMissing:
        return claim_missing();
      case Code::TemplateMissing:
        if (claim_->domain != nullptr) return template_of_domain(*claim_->domain);
        return {base::format("Create template {} in namespace {}, or {}. This lists the templates "
                             "there are.",
                             claim_->template_name, namespace_, correct_name()),
                diag::kubectl("get resourceclaimtemplates").in(namespace_).text()};
      case Code::ClassMissing:
        return class_missing();
      case Code::AdminAccessNotAllowed:
        return {"Label the namespace, if its users may have access to all devices.",
                diag::kubectl("label namespace")
                    .name(namespace_)
                    .words(base::format("{}=true --overwrite", api::kAdminAccessLabel))
                    .text()};
      case Code::ClaimDeleting:
        return claim_deleting();
      case Code::ClaimNotOwned:
        return claim_not_owned();
      case Code::ClaimNotCreated:
        return claim_not_created();
      case Code::SchedulingGated:
        return gated();
      default:
        return remedy_of(reason_, namespace_);
    }
  }

 private:
  bool is_of_group() const {
    return reason_.code == Code::PodGroupMissing || reason_.code == Code::GangIncomplete ||
           reason_.code == Code::GangDoesNotFit;
  }
  Remedy group_remedy() const;
  Remedy claim_missing() const;
  Remedy template_of_domain(const api::ComputeDomain& domain) const;
  Remedy class_missing() const;
  Remedy claim_deleting() const;
  Remedy claim_not_owned() const;
  Remedy gated() const;
  std::string keepers() const;
  Remedy claim_not_created() const;
  bool is_late() const;
  std::string correct_name() const;
  std::string after_delete() const;
  std::string in_claim(std::string_view what) const;
  const api::DeviceDemand* demand() const;

  const diag::Reason& reason_;
  const ClassFacts& classes_;
  const snapshot::Server& server_;
  const api::Pod* pod_;
  const engine::Gang* gang_;
  const engine::Component& controller_manager_;
  std::optional<base::Instant> now_;
  std::string namespace_;
  const SubjectClaim* claim_ = nullptr;
};

// How to correct a name in the pod's spec.resourceClaims, which cannot be changed after creation.
std::string BlockerRemedy::correct_name() const {
  const api::OwnerReference* owner = api::controller_of(pod_->meta);
  const std::string who = owner == nullptr ? "" : base::format("{} {}", owner->kind, owner->name);
  if (owner != nullptr && owner->kind == "Job")  // the template of a Job cannot be edited
    return base::format("re-create {} with the right name", who);
  if (snapshot::is_from_template(*pod_) && owner != nullptr)
    return base::format("correct the name in the pod template of {}", who);
  if (snapshot::is_planned(*pod_)) return "correct the name in the pod before it is created";
  if (owner == nullptr) return "delete the pod and re-create it with the right name";
  return base::format("correct the name in the pod template {} {}, then delete the pod",
                      owner->kind == "ReplicaSet" ? "behind" : "of", who);
}

// A new pod would get the claim of its group again.
Remedy BlockerRemedy::claim_not_owned() const {
  const api::OwnerReference* owner =
      claim_->claim == nullptr ? nullptr : api::controller_of(claim_->claim->meta);
  if (owner == nullptr || owner->kind != "PodGroup") return remedy_of(reason_, namespace_);
  const std::string_view gate = engine::name_of(engine::Gate::DRAWorkloadResourceClaims);
  if (engine::is_assumed(server_, engine::Gate::DRAWorkloadResourceClaims))
    return {
        base::format("That a claim was made for the group suggests that the cluster has the "
                     "feature on: say so with --feature-gates {}=true.",
                     gate)};
  return {
      base::format("Switch the feature {} on in the control plane and the kubelets, or name a "
                   "claim of the pod's own in its spec.resourceClaims.",
                   gate)};
}

// The template has the domain's UID in it, so it cannot be written by hand.
Remedy BlockerRemedy::template_of_domain(const api::ComputeDomain& domain) const {
  const std::string describe = diag::kubectl("describe computedomains.resource.nvidia.com")
                                   .name(domain.meta.name)
                                   .in(domain.meta.namespace_)
                                   .text();
  if (domain.meta.namespace_ != namespace_)
    return {
        base::format("Pods can use the template in namespace {} only: create the pods there, or "
                     "a ComputeDomain here.",
                     domain.meta.namespace_),
        describe};
  return {
      "Do not create the template by hand: the driver's controller writes the domain's UID into "
      "it. See whether the controller's pod runs, and its log.",
      describe};
}

// Kueue tells in its Workload why it holds the pod back.
Remedy BlockerRemedy::gated() const {
  const bool queued = pod_ != nullptr &&
                      (reason_.evidence == nullptr || !reason_.evidence->refusal) &&
                      std::ranges::any_of(pod_->spec.gates, [](const api::SchedulingGate& gate) {
                        return engine::is_gate_of_queue(gate.name);
                      });
  if (!queued) return remedy_of(reason_, namespace_);
  return {
      "Kueue removes this gate when it admits the pod's workload; its Workload object says what "
      "that waits for.",
      diag::kubectl("get workloads.kueue.x-k8s.io").in(namespace_).words("-o wide").text()};
}

Remedy BlockerRemedy::group_remedy() const {
  const std::string_view group = pod_->spec.group->pod_group;
  const std::string describe =
      diag::kubectl("describe podgroups.scheduling.k8s.io").name(group).in(namespace_).text();
  if (reason_.code == Code::PodGroupMissing)
    return {base::format("Create PodGroup {} in namespace {}, with spec.schedulingPolicy basic or "
                         "gang: what made the pods usually does. This lists those that there are.",
                         group, namespace_),
            diag::kubectl("get podgroups.scheduling.k8s.io").in(namespace_).text()};
  if (reason_.code == Code::GangIncomplete)
    return {base::format("Find out why the other pods of PodGroup {} are not made; or lower its "
                         "minCount, if fewer pods can do the work.",
                         group),
            describe};
  const engine::PlanStep* step = gang_ == nullptr ? nullptr : gang_->in_the_way();
  if (step == nullptr || step->pod->meta.name == pod_->meta.name)
    return {base::format("Make room for all pods of PodGroup {}; or lower its minCount, if fewer "
                         "pods can do the work.",
                         group),
            describe};
  return {base::format("Act on what keeps pod {} away; or lower the minCount of PodGroup {}, if "
                       "fewer pods can do the work.",
                       step->pod->meta.name, group),
          diag::kubectl_dra("explain pod").name(step->pod->meta.name).in(namespace_).text()};
}

// How to get a new pod: a controller creates one after a deletion, otherwise the user has to.
std::string BlockerRemedy::after_delete() const {
  return pod_ != nullptr && api::controller_of(pod_->meta) == nullptr
             ? "delete the pod and re-create it"
             : "delete the pod";
}

// How to change the claim. `what` is the change: "use gpu.nvidia.com".
std::string BlockerRemedy::in_claim(std::string_view what) const {
  const bool planned = claim_->claim == nullptr || (snapshot::is_planned(*claim_->claim) &&
                                                    !snapshot::is_from_template(*claim_->claim));
  if (claim_->claim != nullptr && snapshot::is_from_template(*claim_->claim)) {
    const std::string_view from =
        claim_->template_name.empty() ? std::string_view(claim_->name) : claim_->template_name;
    return base::format("{} in template {}", what, from);
  }
  if (!claim_->template_name.empty()) {
    const std::string change =
        planned ? base::format("{} in template {}", what, claim_->template_name)
                : base::format("{}: re-create template {} with that", what, claim_->template_name);
    if (!claim_->pod_group.empty())
      return base::format("{}, then delete pod group {} and its pods", change, claim_->pod_group);
    return planned ? change : base::format("{}, then {}", change, after_delete());
  }
  if (planned) return base::format("{} in claim {} before it is created", what, claim_->name);
  return base::format("{}: delete claim {} and re-create it", what, claim_->name);
}

// The demand that the reason is about.
const api::DeviceDemand* BlockerRemedy::demand() const {
  if (claim_->spec == nullptr) return nullptr;
  for (const api::DeviceRequest& request : claim_->spec->devices.requests) {
    for (const api::NamedDemand& named : api::demands_of(request)) {
      if (named.name == reason_.request) return named.demand;
    }
  }
  return nullptr;
}

Remedy BlockerRemedy::claim_missing() const {
  if (pod_ == nullptr)
    return {"Check the names that you gave; this lists the claims there are.",
            diag::kubectl("get resourceclaims").in(namespace_).text()};
  if (!claim_->template_name.empty())
    return {
        base::format("It was made from template {} and has been deleted: {}, and a new claim "
                     "is made.",
                     claim_->template_name, after_delete())};
  return {base::format("Create claim {} in namespace {}, or {}. This lists the claims there are.",
                       claim_->name, namespace_, correct_name()),
          diag::kubectl("get resourceclaims").in(namespace_).text()};
}

// A similar name is a likelier cause than a missing class.
Remedy BlockerRemedy::class_missing() const {
  const api::DeviceDemand* asked = demand();
  if (asked == nullptr) return remedy_of(reason_, namespace_);
  const MissingClass* missing = classes_.find_missing(asked->device_class);
  const std::string_view meant = missing == nullptr ? std::string_view() : missing->similar;
  std::string command = diag::kubectl("get deviceclasses").text();
  if (missing != nullptr && !missing->relative.empty() && meant.empty())
    return {
        base::format("Driver {}, of the same vendor, is installed: switch on the part of it that "
                     "brings class {}. This lists the classes there are.",
                     missing->relative, asked->device_class),
        std::move(command)};
  if (meant.empty()) {
    return {base::format("Create class {}, usually by installing its driver, or {}. This lists "
                         "the classes there are.",
                         asked->device_class, in_claim("use a class that exists")),
            std::move(command)};
  }
  std::string text = in_claim(base::format("use {}", meant));
  text.front() = 'U';
  return {
      base::format("{}. Or create class {}, if that is what you want.", text, asked->device_class),
      std::move(command)};
}

// What else than a pod keeps a claim that is being deleted.
std::string BlockerRemedy::keepers() const {
  const auto& all = claim_->claim->meta.finalizers;
  const std::vector<std::string> finalizers(all.begin(), all.end());
  if (finalizers.empty()) return "look at its finalizers";
  return base::format("see what removes its {} {}",
                      finalizers.size() == 1 ? "finalizer" : "finalizers",
                      base::join(finalizers, ", "));
}

// The claim is removed when no pod has reserved it and it is not allocated.
Remedy BlockerRemedy::claim_deleting() const {
  if (claim_->claim == nullptr) return remedy_of(reason_, namespace_);
  std::vector<std::string> users;
  const auto& gone = claim_->gone_users;
  for (const api::Consumer& consumer : claim_->claim->status.reserved_for) {
    if (consumer.is_pod() && std::ranges::find(gone, consumer.name) == gone.end())
      users.emplace_back(consumer.name);
  }
  if (users.empty() && !gone.empty())
    return {
        "It takes kube-controller-manager seconds to take back reservations of pods that are gone, "
        "and the claim goes away. If the claim stays, it does not run; its lease shows when it was "
        "last renewed.",
        std::string(diag::kControllerLease)};
  const std::string who = users.size() == 1 ? name_pods(users) : "these pods";
  const std::string goes =
      users.empty()
          ? base::format("Wait until claim {} is gone; if it stays, {}", claim_->name, keepers())
          : base::format("Claim {} is kept by {}: wait until {} {} done, or delete {}",
                         claim_->name, name_pods(users), who, users.size() == 1 ? "is" : "are",
                         who);
  const bool of_template = api::controller_of(claim_->claim->meta) != nullptr;
  const std::string then =
      !of_template      ? "Then create the claim again: no template makes it."
      : pod_ == nullptr ? "A new pod gets a new claim."
                        : base::format("Then {}: a new pod gets a new claim.", after_delete());
  return {base::format("{}. {}", goes, then),
          diag::kubectl_dra("describe claim").name(claim_->name).in(namespace_).text()};
}

// What takes seconds has not happened since the pod was created.
bool BlockerRemedy::is_late() const {
  constexpr base::Duration most = base::Duration::seconds(60);
  return now_ && pod_ != nullptr && pod_->meta.created && *now_ - *pod_->meta.created > most;
}

Remedy BlockerRemedy::claim_not_created() const {
  if (const api::Pod* down = controller_manager_.down)
    return {base::format("{} makes the claim once it runs again: its log shows why it does not.",
                         engine::kControllerManager),
            command_for_log(*down)};
  if (const api::Pod* runs = controller_manager_.ready) {
    const auto off = engine::claim_controller_off(*runs, server_);
    if (!off.why.empty())
      return {
          base::format("{} of {}, in what starts it (often a file in /etc/kubernetes/manifests "
                       "of its node{}). Once it runs so, it makes the claim.",
                       off.way_out, engine::kControllerManager,
                       runs->spec.node_name.empty() ? std::string()
                                                    : base::format(" {}", runs->spec.node_name)),
          diag::kubectl("get pod")
              .name(runs->meta.name)
              .in(runs->meta.namespace_)
              .words("-o yaml")
              .text()};
  }
  const std::string what =
      claim_->claim == nullptr
          ? base::format("makes the claim from template {}", claim_->template_name)
          : base::format("notes claim {} in the pod's status", claim_->name);
  const std::string so = is_late() ? base::format(", and the pod is {} old: it",
                                                  base::age_of(pod_->meta.created, *now_))
                                   : std::string(". If not, it");
  return {base::format("kube-controller-manager {} within seconds{} does not run, or its log says "
                       "why; its lease shows when it was last renewed.",
                       what, so),
          std::string(diag::kControllerLease)};
}

}  // namespace

std::string command_for_log(const api::Pod& down) {
  return diag::kubectl("logs")
      .name(down.meta.name)
      .in(down.meta.namespace_)
      .words(engine::restarts_of(down) > 0 ? "--all-containers --previous" : "--all-containers")
      .text();
}

Remedy remedy_of(const diag::Reason& reason, std::string_view ns) {
  if (reason.evidence && reason.evidence->refusal) return against(*reason.evidence->refusal, ns);
  return {std::string(diag::info_of(reason.code).remedy)};
}

Remedy remedy_of_blocker(const diag::Reason& reason, const Explanation& explanation) {
  // Nothing was refused where files do not have the objects.
  if (reason.code == Code::NotVisible && !snapshot::not_in_files(explanation.coverage).empty())
    return {
        "Add what the cluster has of them to the files, or take the whole with `kubectl dra "
        "snapshot`."};
  return BlockerRemedy(reason, explanation).remedy();
}

Remedy remedy_of_blocked(const Explanation& explanation) {
  const auto& blockers = explanation.blockers;
  if (explanation.verdict != Verdict::Blocked || blockers.empty()) return {};
  return remedy_of_blocker(deciding(blockers), explanation);
}

}  // namespace dra::answers
