// src/api/workload.cpp: the fields of workloads, and the pods that they make.

#include "dra/api/workload.h"

#include <algorithm>

#include "dra/api/decode.h"
#include "src/api/claim_fields.h"

namespace dra::api {

extern template const FieldTable& table_of<PodSpec>();  // in pod.cpp

template <class Io>
void fields(Io& io, PodTemplate& t) {
  io.field("metadata", 1, t.meta);
  io.field("spec", 2, t.spec);
}

template <class Io>
void fields(Io& io, PodConditionPattern& p) {
  io.field("type", 1, p.type);
  io.field("status", 2, p.status);
}

template <class Io>
void fields(Io& io, PodFailureRule& r) {
  io.field("action", 1, r.action);
  io.field("onPodConditions", 3, r.conditions);
}

template <class Io>
void fields(Io& io, PodFailurePolicy& p) {
  io.field("rules", 1, p.rules);
}

template <class Io>
void fields(Io& io, JobSpec& j) {
  io.field("parallelism", 1, j.parallelism);
  io.field("completions", 2, j.completions);
  io.field("activeDeadlineSeconds", 3, j.active_deadline);
  io.field("template", 6, j.pod);
  io.field("backoffLimit", 7, j.backoff_limit);
  io.field("completionMode", 9, j.completion_mode);
  io.field("podFailurePolicy", 11, j.failure_policy);
  io.field("backoffLimitPerIndex", 12, j.limit_per_index);
  io.field("managedBy", 15, j.managed_by);
}

template <class Io>
void fields(Io& io, JobTemplate& t) {
  io.field("spec", 2, t.spec);
}

// Add-ons have no protobuf; their numbers have no meaning.
template <class Io>
void fields(Io& io, JobDependency& d) {
  io.field("name", 1, d.name);
  io.field("status", 2, d.status);
}

template <class Io>
void fields(Io& io, ReplicatedJob& j) {
  io.field("name", 1, j.name);
  io.field("template", 2, j.job);
  io.field("replicas", 3, j.replicas);
  io.field("dependsOn", 4, j.depends_on);
}

template <class Io>
void fields(Io& io, ReplicatedJobStatus& s) {
  io.field("name", 1, s.name);
  io.field("ready", 2, s.ready);
  io.field("succeeded", 3, s.succeeded);
  io.field("failed", 4, s.failed);
  io.field("active", 5, s.active);
}

template <class Io>
void fields(Io& io, LeaderWorkerTemplate& t) {
  io.field("leaderTemplate", 1, t.leader);
  io.field("workerTemplate", 2, t.worker);
  io.field("size", 3, t.size);
}

template <class Io>
void fields(Io& io, PodSet& g) {
  io.field("groupName", 1, g.name);
  io.field("replicas", 2, g.replicas);
  io.field("template", 3, g.pod);
  io.field("numOfHosts", 4, g.hosts);
}

template <class Io>
void fields(Io& io, WorkloadSpec& s) {
  io.field("replicas", 1, s.replicas);
  io.inlined(2, s.job);
  io.field("jobTemplate", 3, s.job_template);
  io.field("replicatedJobs", 4, s.replicated_jobs);
  io.field("leaderWorkerTemplate", 5, s.leader_worker);
  io.field("headGroupSpec", 6, s.ray_head);
  io.field("workerGroupSpecs", 7, s.ray_workers);
  io.field("suspend", 8, s.suspend);
  io.field("paused", 9, s.paused);
  io.field("podManagementPolicy", 10, s.pod_management);
  io.field("startupPolicy", 11, s.startup_policy);
}

template <class Io>
void fields(Io& io, WorkloadStatus& s) {
  io.field("desiredNumberScheduled", 1, s.desired_nodes);
  io.field("currentNumberScheduled", 2, s.current_nodes);
  io.field("conditions", 3, s.conditions);
  io.field("replicatedJobsStatus", 4, s.replicated_jobs);
  io.field("startTime", 5, s.started);
  io.field("failed", 6, s.failed);
  io.field("observedGeneration", 7, s.observed_generation);
}

template <class Io>
void fields(Io& io, Workload& w) {
  io.field("metadata", 1, w.meta);
  io.field("spec", 2, w.spec);
  io.field("status", 3, w.status);
}

void decode(json::Cursor& from, Workload& workload) { read_object(from, workload); }

template const FieldTable& table_of<Workload>();

PodSet decode_pod_set(json::Cursor& counts, json::Cursor& pod_template) {
  PodSet set;
  read(counts, set);
  read(pod_template, set.pod.emplace());
  return set;
}

namespace {

constexpr std::string_view kIndexed = "Indexed";
constexpr std::string_view kNonIndexed = "NonIndexed";

// No more pods run at one time than completions are left.
std::int64_t pods_of(const JobSpec& job) {
  const std::int64_t at_once = job.parallelism.value_or(1);
  return std::min(at_once, job.completions.value_or(at_once));
}

// Indexed pods each do a part of one piece of work. `mode` is the default of the kind.
void add_job(std::vector<PodRole>& roles, const JobSpec& job, PodRole role, std::string_view mode) {
  if (!job.pod) return;
  const std::int64_t pods = pods_of(job);
  const bool indexed = (job.completion_mode.empty() ? mode : job.completion_mode) == kIndexed;
  roles.push_back(
      {role.name, &*job.pod, pods * role.pods, indexed ? std::max<std::int64_t>(pods, 1) : 1});
}

void add_groups(std::vector<PodRole>& roles, const LeaderWorkerTemplate& group,
                std::int64_t replicas) {
  const std::int64_t size = group.size.value_or(1);
  if (!group.worker) return;
  if (!group.leader) {
    roles.push_back({{}, &*group.worker, replicas * size, size});
    return;
  }
  roles.push_back({"leader", &*group.leader, replicas, 1});
  if (size > 1) roles.push_back({"worker", &*group.worker, replicas * (size - 1), size - 1});
}

// `times` is how often the object makes the set.
void add_set(std::vector<PodRole>& roles, const PodSet& set, std::string_view name,
             std::int64_t times = 1) {
  if (!set.pod) return;
  const std::int64_t hosts = set.hosts.value_or(1);
  roles.push_back({name, &*set.pod, times * set.replicas.value_or(1) * hosts, hosts});
}

}  // namespace

std::vector<PodRole> roles_of(const Workload& workload) {
  const WorkloadSpec& spec = workload.spec;
  const std::int64_t replicas = spec.replicas.value_or(1);
  std::vector<PodRole> roles;
  if (workload.origin.kind == info_of(Kind::Job).name) {
    add_job(roles, spec.job, {}, kNonIndexed);
  } else if (spec.job.pod) {
    roles.push_back({{}, &*spec.job.pod, replicas, 1});
  }
  if (spec.job_template) add_job(roles, spec.job_template->spec, {}, kNonIndexed);
  for (const ReplicatedJob& job : spec.replicated_jobs)
    add_job(roles, job.job.spec, {.name = job.name, .pods = job.replicas.value_or(1)}, kIndexed);
  if (spec.leader_worker) add_groups(roles, *spec.leader_worker, replicas);
  if (spec.ray_head) add_set(roles, *spec.ray_head, "head");
  for (const PodSet& group : spec.ray_workers)
    add_set(roles, group, group.name);
  for (const PodSet& set : spec.pod_sets)
    add_set(roles, set, set.name, replicas);
  return roles;
}

std::optional<Kind> kind_between(Kind workload) {
  switch (workload) {
    case Kind::Deployment:
      return Kind::ReplicaSet;
    case Kind::CronJob:
    case Kind::JobSet:
      return Kind::Job;
    case Kind::LeaderWorkerSet:
      return Kind::StatefulSet;
    default:
      return std::nullopt;
  }
}

}  // namespace dra::api
