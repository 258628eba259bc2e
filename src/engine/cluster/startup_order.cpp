// src/engine/cluster/startup_order.cpp: see startup_order.h. Only what the status of the workload
// says counts: without it nothing is concluded.

#include "src/engine/cluster/startup_order.h"

#include <algorithm>

#include "dra/api/cluster_objects.h"
#include "dra/api/pod.h"
#include "dra/api/subject.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/pods.h"

namespace dra::engine {
namespace {

constexpr std::string_view kInOrder = "\"InOrder\"";
constexpr std::string_view kLeaderReady = "\"LeaderReady\"";
constexpr std::string_view kComplete = "Complete";

// A pod with a node and without the condition, as in manifests, may be ready.
bool is_not_ready(const api::Pod& pod) {
  const api::Condition* ready = api::condition_of(pod.status.conditions, "Ready");
  return ready == nullptr ? pod.spec.node_name.empty() : ready->status != "True";
}

// The first pod that fulfils the predicate, has not ended and is not ready. nullptr: there is none.
template <class F>
const api::Pod* not_ready_pod(const snapshot::Snapshot& snapshot, const api::Workload& workload,
                              F wanted) {
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    if (pod.meta.namespace_ == workload.meta.namespace_ && !pod.finished() && wanted(pod) &&
        is_not_ready(pod))
      return &pod;
  }
  return nullptr;
}

MissingPods because_of(const snapshot::Snapshot& snapshot, const api::Workload& workload,
                       const api::Pod* pod, std::string rule) {
  MissingPods missing{.why = WhyNoPods::Ordered,
                      .object = api::subject_of(workload.origin.kind, workload.meta),
                      .rule = std::move(rule)};
  if (pod == nullptr) return missing;
  missing.object = api::subject_of("Pod", pod->meta);
  const api::Event* event = newest_warning(snapshot, "Pod", pod->meta);
  missing.message = event == nullptr ? pod_status(*pod) : std::string(event->message);
  return missing;
}

std::optional<MissingPods> one_after_the_other(const snapshot::Snapshot& snapshot,
                                               const api::Workload& set) {
  if (set.spec.pod_management == "Parallel") return std::nullopt;
  const api::Pod* pod = not_ready_pod(snapshot, set, [&set](const api::Pod& one) {
    const api::OwnerReference* owner = api::controller_of(one.meta);
    return owner != nullptr && owner->uid == set.meta.uid && !one.spec.node_name.empty();
  });
  if (pod == nullptr) return std::nullopt;
  return because_of(snapshot, set, pod, "they are made one after the other");
}

const api::ReplicatedJobStatus* status_of(const api::Workload& set, std::string_view job) {
  const auto found =
      std::ranges::find(set.status.replicated_jobs, job, &api::ReplicatedJobStatus::name);
  return found == set.status.replicated_jobs.end() ? nullptr : &*found;
}

bool exists(const api::Workload& set, std::string_view job) {
  const api::ReplicatedJobStatus* status = status_of(set, job);
  return status != nullptr &&
         status->active + status->ready + status->succeeded + status->failed > 0;
}

// How many of its Jobs are as far as another one needs them; no value if their states are not
// known.
std::optional<std::int64_t> as_far(const api::Workload& set, const api::ReplicatedJob& job,
                                   std::string_view needed) {
  const api::ReplicatedJobStatus* status = status_of(set, job.name);
  if (status == nullptr) return std::nullopt;
  if (needed == kComplete) return status->succeeded;
  return std::min(status->ready + status->succeeded + status->failed, job.replicas.value_or(1));
}

// `later` is made once `earlier` is as far as needed. No value: it is.
std::optional<MissingPods> follows(const snapshot::Snapshot& snapshot, const api::Workload& set,
                                   const api::ReplicatedJob& earlier,
                                   const api::ReplicatedJob& later, std::string_view needed) {
  const std::int64_t all = earlier.replicas.value_or(1);
  const auto done = as_far(set, earlier, needed);
  if (!done || *done >= all || exists(set, later.name)) return std::nullopt;
  const api::Pod* pod = not_ready_pod(snapshot, set, [&](const api::Pod& one) {
    return label_of(one.meta, "jobset.sigs.k8s.io/jobset-name") == set.meta.name &&
           label_of(one.meta, "jobset.sigs.k8s.io/replicatedjob-name") == earlier.name;
  });
  return because_of(
      snapshot, set, pod,
      base::format("replicated job {} is made once {} is {} ({} of {})", later.name, earlier.name,
                   needed == kComplete ? "complete" : "ready", *done, base::plural(all, "Job")));
}

std::optional<MissingPods> later_jobs(const snapshot::Snapshot& snapshot,
                                      const api::Workload& set) {
  const auto& jobs = set.spec.replicated_jobs;
  const bool in_order = set.spec.startup_policy.text.find(kInOrder) != std::string_view::npos;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (in_order && i > 0) {
      if (auto found = follows(snapshot, set, jobs[i - 1], jobs[i], "Ready")) return found;
    }
    for (const api::JobDependency& needed : jobs[i].depends_on) {
      const auto earlier = std::ranges::find(jobs, needed.name, &api::ReplicatedJob::name);
      if (earlier == jobs.end()) continue;
      if (auto found = follows(snapshot, set, *earlier, jobs[i], needed.status)) return found;
    }
  }
  return std::nullopt;
}

std::optional<MissingPods> workers(const snapshot::Snapshot& snapshot, const api::Workload& set) {
  if (set.spec.startup_policy.text != kLeaderReady) return std::nullopt;
  const api::Pod* leader = not_ready_pod(snapshot, set, [&set](const api::Pod& one) {
    return label_of(one.meta, "leaderworkerset.sigs.k8s.io/name") == set.meta.name &&
           label_of(one.meta, "leaderworkerset.sigs.k8s.io/worker-index") == "0";
  });
  if (leader == nullptr) return std::nullopt;
  return because_of(snapshot, set, leader,
                    "the workers of a group are made once its leader is ready");
}

}  // namespace

std::optional<MissingPods> waits_for_others(const snapshot::Snapshot& snapshot,
                                            const api::Workload& workload) {
  if (workload.origin.kind == "StatefulSet") return one_after_the_other(snapshot, workload);
  if (workload.origin.kind == api::info_of(api::Kind::JobSet).name)
    return later_jobs(snapshot, workload);
  if (workload.origin.kind == api::info_of(api::Kind::LeaderWorkerSet).name)
    return workers(snapshot, workload);
  return std::nullopt;
}

}  // namespace dra::engine
