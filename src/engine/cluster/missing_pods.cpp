// src/engine/cluster/missing_pods.cpp: looks at the workload, then at the objects that it makes its
// pods through.

#include "dra/engine/cluster/missing_pods.h"

#include <algorithm>
#include <array>

#include "dra/api/cluster_objects.h"
#include "dra/api/subject.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/cluster/queue.h"
#include "dra/engine/cluster/refusal.h"
#include "dra/engine/cluster/workload_pods.h"
#include "dra/snapshot/template_pods.h"
#include "src/engine/cluster/startup_order.h"

namespace dra::engine {
namespace {

constexpr std::string_view kFailedCreate = "FailedCreate";
// Of sigs.k8s.io/jobset, pkg/constants, as of v0.3: JobCreationFailedReason.
constexpr std::string_view kJobsNotMade = "JobCreationFailed";

bool is_owned_by(const api::Workload& part, const api::Workload& workload) {
  const api::OwnerReference* owner = api::controller_of(part.meta);
  return owner != nullptr && part.meta.namespace_ == workload.meta.namespace_ &&
         owner->kind == workload.origin.kind && owner->name == workload.meta.name;
}

// The workload, and what it makes its pods through: its ReplicaSets or Jobs.
std::vector<const api::Workload*> makers_of(const snapshot::Snapshot& snapshot,
                                            const api::Workload& workload) {
  std::vector<const api::Workload*> makers{&workload};
  for (const api::Workload& part : snapshot.all<api::Workload>()) {
    if (is_owned_by(part, workload)) makers.push_back(&part);
  }
  return makers;
}

// A pod without either name, though each claim of the template has one: k8s.io/kubernetes/pkg/apis/
// core/validation, validatePodResourceClaimSource.
bool lacks_field_of_template(std::string_view message, const api::Workload& workload) {
  if (message.find("must specify one of: `resourceClaimName`") == std::string_view::npos)
    return false;
  return std::ranges::all_of(api::roles_of(workload), [](const api::PodRole& role) {
    return std::ranges::all_of(role.pod->spec.claims, [](const api::PodClaim& claim) {
      return !claim.claim_name.empty() || !claim.template_name.empty();
    });
  });
}

bool contains(const std::vector<std::string_view>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end() ||
         std::ranges::find(words, "*") != words.end();
}

bool changes_pods(const api::Webhook& webhook) {
  return std::ranges::any_of(webhook.rules, [](const api::WebhookRule& rule) {
    return contains(rule.groups, "") && contains(rule.operations, "CREATE") &&
           (contains(rule.resources, "pods") || contains(rule.resources, "*/*") ||
            contains(rule.resources, "pods/*"));
  });
}

std::vector<std::string> webhooks_for_pods(const snapshot::Snapshot& snapshot) {
  std::vector<std::string> names;
  for (const api::MutatingWebhooks& configuration : snapshot.all<api::MutatingWebhooks>()) {
    if (std::ranges::any_of(configuration.webhooks, changes_pods))
      names.emplace_back(configuration.meta.name);
  }
  return names;
}

std::optional<MissingPods> refused(const snapshot::Snapshot& snapshot,
                                   const api::Workload& workload, const api::Workload& maker) {
  MissingPods missing{.why = WhyNoPods::Refused,
                      .object = api::subject_of(maker.origin.kind, maker.meta),
                      .message = why_not_created(snapshot, maker)};
  if (missing.message.empty()) return std::nullopt;
  CreationFailure failure = creation_failure(snapshot, maker.meta.namespace_, missing.message);
  if (failure.refusal && failure.refusal->by == diag::RefusalEvidence::By::Quota) {
    missing.message = std::move(failure.cause);
    missing.refusal = std::move(failure.refusal);
  }
  missing.field_dropped = lacks_field_of_template(missing.message, workload);
  if (missing.field_dropped) missing.webhooks = webhooks_for_pods(snapshot);
  return missing;
}

// The condition Failed of a Job or a JobSet: no more pods are made.
std::optional<MissingPods> failed(const api::Workload& maker) {
  const api::Condition* failed = api::condition_of(maker.status.conditions, "Failed");
  if (failed == nullptr || failed->status != "True") return std::nullopt;
  return MissingPods{.why = WhyNoPods::Failed,
                     .object = api::subject_of(maker.origin.kind, maker.meta),
                     .message = failed->message.empty()
                                    ? std::string(failed->reason)
                                    : base::format("{}: {}", failed->reason, failed->message)};
}

std::optional<MissingPods> held_back(const snapshot::Snapshot& snapshot,
                                     const api::Workload& maker) {
  if (maker.spec.paused)
    return MissingPods{.why = WhyNoPods::Paused,
                       .object = api::subject_of(maker.origin.kind, maker.meta)};
  if (!maker.spec.suspend) return std::nullopt;
  if (const api::QueuedWorkload* queued = queued_workload_of(snapshot, maker.meta)) {
    std::string why = why_not_admitted(*queued);
    if (!why.empty())
      return MissingPods{.why = WhyNoPods::Queued,
                         .object = api::subject_of("Workload", queued->meta),
                         .message = std::move(why)};
  }
  return MissingPods{.why = WhyNoPods::Suspended,
                     .object = api::subject_of(maker.origin.kind, maker.meta)};
}

// Kinds whose controllers report on each object that they have seen, and between an object of which
// and its pods stands what api::kind_between says. Upstream: k8s.io/kubernetes/pkg/controller,
// syncDeployment, syncReplicaSet, syncStatefulSet, syncDaemonSet and syncJob; sigs.k8s.io/jobset
// and sigs.k8s.io/lws, pkg/controllers.
constexpr std::array kReporting = {
    api::Kind::Deployment, api::Kind::ReplicaSet, api::Kind::StatefulSet,    api::Kind::DaemonSet,
    api::Kind::Job,        api::Kind::JobSet,     api::Kind::LeaderWorkerSet};
constexpr std::string_view kJobController = "kubernetes.io/job-controller";

const api::Kind* reporting_kind(const api::Workload& workload) {
  const auto* found = std::ranges::find_if(kReporting, [&workload](api::Kind kind) {
    return api::info_of(kind).name == workload.origin.kind;
  });
  return found == kReporting.end() ? nullptr : found;
}

bool is_reported_on(const api::WorkloadStatus& status) {
  return status.observed_generation > 0 || status.started || status.failed > 0 ||
         !status.conditions.empty() || !status.replicated_jobs.empty();
}

// A DaemonSet that selects no node looks like one that was not seen, but for the generation that
// its controller writes. Files without it tell nothing: that of another DaemonSet shows that they
// have it.
bool may_select_no_node(const snapshot::Snapshot& snapshot, const api::Workload& maker) {
  if (maker.status.desired_nodes.value_or(0) > 0) return true;
  return std::ranges::none_of(snapshot.all<api::Workload>(), [&maker](const api::Workload& other) {
    return other.origin.kind == maker.origin.kind && other.status.observed_generation > 0;
  });
}

// Controllers write which generation their report is about.
std::optional<MissingPods> unseen_change(const api::Workload& maker) {
  const std::int64_t seen = maker.status.observed_generation;
  const api::Kind* kind = reporting_kind(maker);
  if (kind == nullptr || maker.meta.deleted || seen == 0 || seen >= maker.meta.generation)
    return std::nullopt;
  return MissingPods{.why = WhyNoPods::Unseen,
                     .object = api::subject_of(maker.origin.kind, maker.meta),
                     .message = base::format("its last change (metadata.generation is {}, "
                                             "status.observedGeneration {})",
                                             maker.meta.generation, seen),
                     .kind = *kind};
}

// Neither pods nor what stands between, as far as they were read.
bool has_made_nothing(const snapshot::Snapshot& snapshot, const api::Workload& maker,
                      api::Kind kind) {
  const api::Kind made = api::kind_between(kind).value_or(api::Kind::Pod);
  if (!snapshot.coverage().saw(made, maker.meta.namespace_)) return false;
  const WorkloadPods pods = pods_of(snapshot, maker);
  const bool none = std::ranges::all_of(
      pods.waiting, [](const api::Pod* pod) { return snapshot::is_from_template(*pod); });
  return pods.running.empty() && none && makers_of(snapshot, maker).size() == 1;
}

// It wants pods, and nothing was done for it for minutes. Its controller reports on it within
// seconds, also where it can make nothing.
std::optional<MissingPods> never_seen(const snapshot::Snapshot& snapshot,
                                      const api::Workload& maker) {
  constexpr base::Duration patience = base::Duration::seconds(300);
  const auto& then = snapshot.not_before();
  const api::Kind* kind = reporting_kind(maker);
  const bool wants = std::ranges::any_of(api::roles_of(maker),
                                         [](const api::PodRole& role) { return role.pods > 0; });
  const std::string_view by = maker.spec.job.managed_by;
  if (kind == nullptr || !wants || !(by.empty() || by == kJobController) || maker.meta.deleted ||
      is_reported_on(maker.status))
    return std::nullopt;
  if (!maker.meta.created || !then || *then - *maker.meta.created <= patience) return std::nullopt;
  if (*kind == api::Kind::DaemonSet && may_select_no_node(snapshot, maker)) return std::nullopt;
  if (!has_made_nothing(snapshot, maker, *kind) ||
      !events_of(snapshot, maker.origin.kind, maker.meta).empty())
    return std::nullopt;
  return MissingPods{.why = WhyNoPods::Unseen,
                     .object = api::subject_of(maker.origin.kind, maker.meta),
                     .kind = *kind};
}

}  // namespace

std::string_view name_of(WhyNoPods why) {
  switch (why) {
    case WhyNoPods::Suspended:
      return "suspended";
    case WhyNoPods::Failed:
      return "failed";
    case WhyNoPods::Ordered:
      return "ordered";
    case WhyNoPods::Paused:
      return "paused";
    case WhyNoPods::Queued:
      return "queued";
    case WhyNoPods::Refused:
      return "refused";
    case WhyNoPods::Unseen:
      return "unseen";
  }
  return "";
}

std::string why_not_created(const snapshot::Snapshot& snapshot, const api::Workload& maker) {
  constexpr std::string_view frame = "Error creating: ";
  constexpr std::string_view of_set = " failed error: ";  // behind "create Pod a in StatefulSet b"
  std::string_view message;
  const api::Condition* failure = api::condition_of(maker.status.conditions, "ReplicaFailure");
  if (failure != nullptr && failure->status == "True") message = failure->message;
  const api::Event* event = newest_warning(
      snapshot, maker.origin.kind, maker.meta,
      maker.origin.kind == api::info_of(api::Kind::JobSet).name ? kJobsNotMade : kFailedCreate);
  if (message.empty() && event != nullptr) message = event->message;
  if (message.starts_with(frame)) message.remove_prefix(frame.size());
  if (message.starts_with("create Pod ")) {
    const std::size_t end = message.find(of_set);
    if (end != std::string_view::npos) message.remove_prefix(end + of_set.size());
  }
  return std::string(message);
}

std::optional<MissingPods> why_unseen(const snapshot::Snapshot& snapshot,
                                      const api::Workload& workload) {
  auto changed = unseen_change(workload);
  return changed ? changed : never_seen(snapshot, workload);
}

std::optional<MissingPods> why_pods_are_missing(const snapshot::Snapshot& snapshot,
                                                const api::Workload& workload) {
  std::vector<const api::Workload*> makers = makers_of(snapshot, workload);
  for (const api::Workload* maker : makers) {
    if (auto ended = failed(*maker)) return ended;
  }
  for (const api::Workload* maker : makers) {
    if (auto held = held_back(snapshot, *maker)) return held;
  }
  std::ranges::reverse(makers);  // what is nearer to the pods tells more
  for (const api::Workload* maker : makers) {
    if (auto found = refused(snapshot, workload, *maker)) return found;
  }
  for (const api::Workload* maker : makers) {
    if (auto found = why_unseen(snapshot, *maker)) return found;
  }
  return waits_for_others(snapshot, workload);
}

}  // namespace dra::engine
