// src/engine/cluster/workload_pods.cpp: follows owner references from a pod upwards.

#include "dra/engine/cluster/workload_pods.h"

#include "dra/api/pod.h"
#include "dra/api/workload.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/pods.h"

namespace dra::engine {
namespace {

// Job of a CronJob, leader pod of a StatefulSet of a LeaderWorkerSet; a longer chain is a cycle.
constexpr int kMaxSteps = 8;

const api::ObjectMeta* find_owner(const snapshot::Snapshot& snapshot, std::string_view ns,
                                  const api::OwnerReference& owner) {
  const api::ObjectMeta* found = nullptr;
  if (owner.kind == api::info_of(api::Kind::Pod).name) {
    const auto* pod = snapshot.find<api::Pod>(ns, owner.name);
    if (pod != nullptr) found = &pod->meta;
  } else {
    const auto* workload = snapshot.find_workload(owner.kind, ns, owner.name);
    if (workload != nullptr) found = &workload->meta;
  }
  // Another object may have taken the name.
  return found != nullptr && found->uid == owner.uid ? found : nullptr;
}

bool belongs_to(const snapshot::Snapshot& snapshot, const api::Pod& pod,
                const api::Workload& workload) {
  const api::ObjectMeta* meta = &pod.meta;
  for (int step = 0; step < kMaxSteps && meta != nullptr; ++step) {
    const api::OwnerReference* owner = api::controller_of(*meta);
    if (owner == nullptr) return false;
    if (owner->kind == workload.origin.kind && owner->name == workload.meta.name)
      return owner->uid == workload.meta.uid;
    meta = find_owner(snapshot, pod.meta.namespace_, *owner);
  }
  return false;
}

}  // namespace

WorkloadPods pods_of(const snapshot::Snapshot& snapshot, const api::Workload& workload) {
  WorkloadPods pods;
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    if (pod.meta.namespace_ != workload.meta.namespace_ || pod.finished()) continue;
    if (!belongs_to(snapshot, pod, workload)) continue;
    if (!pod.spec.node_name.empty()) {
      pods.running.push_back(&pod);
    } else if (!pod.meta.deleted) {
      pods.waiting.push_back(&pod);
    }
  }
  return pods;
}

const api::OwnerReference* common_controller(const api::Pod& a, const api::Pod& b) {
  const api::OwnerReference* one = api::controller_of(a.meta);
  const api::OwnerReference* other = api::controller_of(b.meta);
  const bool same = one != nullptr && other != nullptr && !one->uid.empty() &&
                    one->uid == other->uid && a.meta.namespace_ == b.meta.namespace_;
  return same ? one : nullptr;
}

WorkloadName workload_of(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  const api::OwnerReference* direct = api::controller_of(pod.meta);
  if (direct == nullptr) return {};
  if (const auto* set = snapshot.find_workload(direct->kind, pod.meta.namespace_, direct->name)) {
    if (const api::OwnerReference* above = api::controller_of(set->meta))
      return {std::string(above->kind), std::string(above->name)};
  }
  const std::string hash = base::format("-{}", label_of(pod.meta, "pod-template-hash"));
  if (direct->kind == "ReplicaSet" && hash.size() > 1 && direct->name.ends_with(hash))
    return {"Deployment", std::string(direct->name.substr(0, direct->name.size() - hash.size()))};
  return {std::string(direct->kind), std::string(direct->name)};
}

WorkloadName holder_of(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim) {
  for (const api::Consumer& consumer : claim.status.reserved_for) {
    const api::Pod* pod = consuming_pod(snapshot, claim.meta.namespace_, consumer);
    if (pod == nullptr) continue;
    WorkloadName workload = workload_of(snapshot, *pod);
    if (!workload.kind.empty()) return workload;
    return {"Pod", std::string(pod->meta.name)};
  }
  const api::OwnerReference* owner = api::controller_of(claim.meta);
  if (owner != nullptr) return {std::string(owner->kind), std::string(owner->name)};
  return {"ResourceClaim", std::string(claim.meta.name)};
}

std::string maker_of(const api::Pod& pod) {
  if (const api::OwnerReference* owner = api::controller_of(pod.meta))
    return std::string(owner->uid);
  for (const std::string_view key : {"batch.kubernetes.io/job-name", "job-name"}) {
    const std::string_view job = label_of(pod.meta, key);
    if (!job.empty()) return base::format("{}/{}", pod.meta.namespace_, job);
  }
  return {};
}

bool work_together(const api::Pod& a, const api::Pod& b) {
  if (a.meta.namespace_ != b.meta.namespace_) return false;
  const auto share = [&a, &b](std::string_view key) {
    const std::string_view value = label_of(a.meta, key);
    return !value.empty() && value == label_of(b.meta, key);
  };
  if (share("jobset.sigs.k8s.io/jobset-name")) return true;
  if (share("leaderworkerset.sigs.k8s.io/name"))
    return share("leaderworkerset.sigs.k8s.io/group-index");
  const std::string maker = maker_of(a);
  return !maker.empty() && maker == maker_of(b);
}

}  // namespace dra::engine
