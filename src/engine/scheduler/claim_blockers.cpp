// src/engine/scheduler/claim_blockers.cpp: one function for each kind of blocker.

#include "src/engine/scheduler/claim_blockers.h"

#include <algorithm>

#include "dra/api/cluster_objects.h"
#include "dra/api/device_class.h"
#include "dra/api/limits.h"
#include "dra/api/pod.h"
#include "dra/api/workload_reference.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/claim_references.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/facts/driver_knowledge.h"
#include "dra/engine/facts/features.h"
#include "dra/engine/facts/known_bugs.h"

namespace dra::engine {
namespace {

using diag::Certainty;
using diag::Code;

void check_class(const snapshot::Snapshot& snapshot, Subject& subject, const SubjectClaim& claim,
                 const api::NamedDemand& demand) {
  const std::string_view name = demand.demand->device_class;
  if (snapshot.find<api::DeviceClass>(name) != nullptr) return;
  std::vector<std::string_view> names;
  for (const api::DeviceClass& known : snapshot.all<api::DeviceClass>())
    names.push_back(known.meta.name);
  const std::string_view meant = base::nearest(name, names);
  subject.blockers.push_back(
      {.code = Code::ClassMissing,
       .claim = claim.label(),
       .request = demand.name,
       .message = base::format(
           "device class {} does not exist{}", name,
           meant.empty() ? std::string() : base::format("; did you mean {}?", meant))});
}

// Only claims that are still to be allocated need their classes.
void note_missing_classes(const snapshot::Snapshot& snapshot, Subject& subject) {
  if (!snapshot.coverage().saw(api::Kind::Class)) return;
  for (const SubjectClaim& claim : subject.claims) {
    if (claim.unmet() == nullptr) continue;
    for (const api::DeviceRequest& request : claim.spec->devices.requests) {
      for (const api::NamedDemand& demand : api::demands_of(request)) {
        check_class(snapshot, subject, claim, demand);
      }
    }
  }
}

bool is_of(const api::Pod* pod, const api::Consumer& consumer) {
  return pod != nullptr && consumer.is_pod() && consumer.uid == pod->meta.uid;
}

// The scheduler reserves a claim for the pod before it binds it.
void note_full_claims(Subject& subject) {
  if (subject.pod == nullptr || !subject.pod->spec.node_name.empty()) return;
  for (const SubjectClaim& claim : subject.claims) {
    if (claim.claim == nullptr) continue;
    const auto& consumers = claim.claim->status.reserved_for;
    const bool own = std::ranges::any_of(
        consumers, [&subject](const api::Consumer& one) { return is_of(subject.pod, one); });
    if (std::ssize(consumers) < api::kMaxConsumers || own) continue;
    subject.blockers.push_back(
        {.code = Code::ClaimFull,
         .claim = claim.label(),
         .message = base::format("claim {} is reserved for {} pods, and it takes no more",
                                 claim.label(), consumers.size())});
  }
}

bool asks_for_admin_access(const api::ClaimSpec& spec) {
  return std::ranges::any_of(spec.devices.requests, [](const api::DeviceRequest& request) {
    return request.exactly && request.exactly->demand.admin_access;
  });
}

// "has no label x=true", "has label x=True, which is not the value true".
std::string label_words(const api::Namespace& ns) {
  const auto* value = api::find(ns.meta.labels, api::kAdminAccessLabel);
  return value == nullptr ? base::format("has no label {}=true", api::kAdminAccessLabel)
                          : base::format("has label {}={}, and only the value true counts",
                                         api::kAdminAccessLabel, value->empty() ? "\"\"" : *value);
}

// The API server refuses the claim, whatever it says. Upstream:
// k8s.io/kubernetes/pkg/registry/resource, AuthorizedForAdmin.
void note_admin_access(const snapshot::Snapshot& snapshot, Subject& subject) {
  for (const SubjectClaim& claim : subject.claims) {
    if (claim.state != ClaimState::NotCreated || claim.spec == nullptr ||
        claim.extended != nullptr || !asks_for_admin_access(*claim.spec))
      continue;
    const auto* ns = snapshot.find<api::Namespace>(claim.namespace_);
    if (ns == nullptr || api::allows_admin_access(*ns)) continue;
    subject.blockers.push_back(
        {.code = Code::AdminAccessNotAllowed,
         .claim = claim.label(),
         .message = base::format(
             "claim {} asks for admin access to devices, and namespace {} {}, so it is not created",
             claim.label(), claim.namespace_, label_words(*ns))});
  }
}

// A class whose name or whose vendor is that of the resource.
const api::DeviceClass* class_like(const snapshot::Snapshot& snapshot, std::string_view resource) {
  const std::string_view domain = resource.substr(0, resource.find('/'));
  for (const api::DeviceClass& one : snapshot.all<api::DeviceClass>()) {
    const std::string_view name = one.meta.name;
    if (name == domain || vendor_domain(name) == domain ||
        vendor_domain(name) == vendor_domain(domain))
      return &one;
  }
  return nullptr;
}

// No node has the resource, and no class stands for it.
void note_resource_nowhere(const snapshot::Snapshot& snapshot, Subject& subject) {
  if (subject.pod == nullptr || !subject.pod->spec.node_name.empty() || subject.extended != nullptr)
    return;
  const bool on = features_of(snapshot.server()).on(Gate::DRAExtendedResource);
  for (const std::string& resource : resources_nowhere(snapshot, *subject.pod)) {
    const api::DeviceClass* like = class_like(snapshot, resource);
    std::string message =
        base::format("no node offers {}, and no device class serves it", resource);
    if (like != nullptr)
      message += base::format("; device class {} is of that vendor: {}", like->meta.name,
                              on ? "name the resource in its spec.extendedResourceName, or ask for "
                                   "the class by a claim"
                                 : "ask for it by a claim");
    subject.blockers.push_back({.code = Code::ExtendedResource, .message = std::move(message)});
  }
}

// Attempts after which an allocation that is still being made is not made any more.
constexpr std::int64_t kManyAttempts = 50;

// Pods of one group. The one that is asked about is known; others are read where they may matter.
class GroupOfPod {
 public:
  explicit GroupOfPod(const api::Pod& pod) : pod_(pod) {
    if (!pod.spec.group) workload_ = api::workload_reference_of(pod);
  }

  bool has(const api::Pod& other) const {
    if (pod_.spec.group)
      return other.spec.group && other.spec.group->pod_group == pod_.spec.group->pod_group;
    return workload_ && api::workload_reference_of(other) == workload_;
  }
  bool empty() const { return !pod_.spec.group && !workload_; }
  // "group train"; in v1.35 "group workers of workload train".
  std::string words() const {
    if (pod_.spec.group) return base::format("group {}", pod_.spec.group->pod_group);
    return base::format("group {} of workload {}", workload_->pod_group, workload_->workload);
  }

 private:
  const api::Pod& pod_;
  std::optional<api::WorkloadReference> workload_;
};

// The claim that the pod shares with others of its group, which wait for it as well; empty if there
// is none.
std::string_view claim_shared_in_group(const snapshot::Snapshot& snapshot, const Subject& subject,
                                       const GroupOfPod& group) {
  if (group.empty()) return {};
  for (const SubjectClaim& claim : subject.claims) {
    if (claim.claim == nullptr || claim.allocated()) continue;
    const bool shared = std::ranges::any_of(snapshot.all<api::Pod>(), [&](const api::Pod& other) {
      return &other != subject.pod && !other.finished() &&
             other.meta.namespace_ == subject.pod->meta.namespace_ &&
             names_claim(other, claim.name) && group.has(other);
    });
    if (shared) return claim.claim->meta.name;
  }
  return {};
}

// A gang that waits for itself: the scheduler keeps the allocation for its first pod in memory and
// lets the others wait for it, while the first waits for the others.
bool note_gang_without_claim(const snapshot::Snapshot& snapshot, Subject& subject) {
  const api::Event* event = newest_warning(snapshot, "Pod", subject.pod->meta, "FailedScheduling");
  if (event == nullptr || times_seen(*event) < kManyAttempts) return false;
  const GroupOfPod group(*subject.pod);
  const std::string_view claim = claim_shared_in_group(snapshot, subject, group);
  if (claim.empty()) return false;
  std::string bug = words_of(Bug::GangSharesClaim, snapshot.server());
  if (bug.ends_with('.')) bug.pop_back();
  subject.blockers.push_back(
      {.code = Code::GangWaitsForClaim,
       .claim = base::format("{}/{}", subject.pod->meta.namespace_, claim),
       .certainty = Certainty::Heuristic,
       .message =
           base::format("the pods of {} share claim {}, and the scheduler gives up on each "
                        "as it is allocating the claim for another; it has tried {} times{}",
                        group.words(), claim, times_seen(*event), bug.empty() ? "" : ": " + bug)});
  return true;
}

// The allocation is in the scheduler's memory and shows only in its message about waiting pods.
void note_allocation_in_flight(const snapshot::Snapshot& snapshot, Subject& subject) {
  for (const api::Condition& condition : subject.pod->status.conditions) {
    if (condition.type != "PodScheduled" || condition.status != "False") continue;
    if (condition.message.find("is in the process of being allocated") == std::string_view::npos)
      continue;
    if (note_gang_without_claim(snapshot, subject)) return;
    subject.blockers.push_back({.code = Code::ClaimBeingAllocated,
                                .certainty = Certainty::Heuristic,
                                .message = std::string(condition.message)});
  }
}

}  // namespace

void add_claim_blockers(const snapshot::Snapshot& snapshot, Subject& subject) {
  note_admin_access(snapshot, subject);
  note_missing_classes(snapshot, subject);
  if (subject.pod == nullptr) return;
  note_full_claims(subject);
  note_resource_nowhere(snapshot, subject);
  note_allocation_in_flight(snapshot, subject);
}

}  // namespace dra::engine
