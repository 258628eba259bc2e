// include/dra/api/workload.h
//
// Workloads, the objects that make pods: Deployment, Job, JobSet and the like, and any other object
// with a pod template in the usual place. One type for all: their templates and counts have fields
// of different names, so the fields that are present tell the kinds apart. Only fields that decide
// about pods and their number are decoded.
//
// Upstream: k8s.io/api/apps/v1 and batch/v1; sigs.k8s.io/jobset/api/jobset/v1alpha2;
// sigs.k8s.io/lws/api/leaderworkerset/v1; github.com/ray-project/kuberay, apis/ray/v1.

#pragma once

#include <string_view>
#include <vector>

#include "dra/api/kinds.h"
#include "dra/api/pod.h"

namespace dra::api {

struct PodTemplate {
  ObjectMeta meta;  // of the pods; no name
  PodSpec spec;
};

// Which failed pods of a Job do not count.
struct PodConditionPattern {
  std::string_view type;
  std::string_view status;  // empty: True
};
struct PodFailureRule {
  std::string_view action;  // Ignore: they do not
  std::vector<PodConditionPattern> conditions;
};
struct PodFailurePolicy {
  std::vector<PodFailureRule> rules;  // the first that matches a pod decides
};
struct JobSpec {
  std::optional<std::int64_t> parallelism;
  std::optional<std::int64_t> completions;
  std::optional<std::int64_t> active_deadline;  // seconds after its start, when its pods are ended
  std::optional<std::int64_t> backoff_limit;    // failed pods, before the Job fails for good
  std::optional<std::int64_t> limit_per_index;  // the same of each index
  std::optional<PodFailurePolicy> failure_policy;
  std::string_view completion_mode;  // Indexed or NonIndexed; empty: the default of the kind
  std::string_view managed_by;       // of a Job or JobSet: a controller in place of the usual one
  std::optional<PodTemplate> pod;
};
struct JobTemplate {
  JobSpec spec;
};
// Another one of the JobSet, and what must become of it first: Ready or Complete.
struct JobDependency {
  std::string_view name;
  std::string_view status;
};
// One of a JobSet.
struct ReplicatedJob {
  std::string_view name;
  std::optional<std::int64_t> replicas;
  JobTemplate job;
  std::vector<JobDependency> depends_on;
};
// Of the Jobs of one ReplicatedJob, the number in each state.
struct ReplicatedJobStatus {
  std::string_view name;
  std::int64_t ready = 0;
  std::int64_t succeeded = 0;
  std::int64_t failed = 0;
  std::int64_t active = 0;
};
// In a LeaderWorkerSet each replica is a group of `size` pods, of which the first one leads.
struct LeaderWorkerTemplate {
  std::optional<std::int64_t> size;
  std::optional<PodTemplate> leader;  // absent: the workers' template is the leader's, too
  std::optional<PodTemplate> worker;
};
// Pods of one template among others: a group of a RayCluster, or the pods of one role of an object
// that only manifests have (pod_templates.h).
struct PodSet {
  std::string_view name;
  std::optional<std::int64_t> replicas;
  std::optional<std::int64_t> hosts;  // of each replica
  std::optional<PodTemplate> pod;
};

struct WorkloadSpec {
  std::optional<std::int64_t> replicas;
  bool paused = false;              // of a Deployment
  std::string_view pod_management;  // of a StatefulSet: Parallel, or one pod after the other
  bool suspend = false;             // of a Job, JobSet, CronJob or RayCluster: no pods are made
  JobSpec job;                      // `template` of all simple kinds, and the counts of a Job
  std::optional<JobTemplate> job_template;     // of a CronJob
  std::vector<ReplicatedJob> replicated_jobs;  // of a JobSet
  std::optional<LeaderWorkerTemplate> leader_worker;
  RawJson startup_policy;  // of a JobSet an object, of a LeaderWorkerSet a string
  std::optional<PodSet> ray_head;
  std::vector<PodSet> ray_workers;
  std::vector<PodSet> pod_sets;  // of objects that only manifests have; not decoded
};

// What the controller has done. Only a DaemonSet counts nodes.
struct WorkloadStatus {
  std::optional<std::int64_t> desired_nodes;  // that should run a pod
  std::int64_t current_nodes = 0;             // that have one
  std::vector<Condition> conditions;
  std::int64_t observed_generation = 0;              // 0: nothing, or the kind does not say
  std::int64_t failed = 0;                           // pods of a Job
  Time started;                                      // of a Job, again whenever it is resumed
  std::vector<ReplicatedJobStatus> replicated_jobs;  // of a JobSet
};

struct Workload {
  ObjectMeta meta;
  WorkloadSpec spec;
  WorkloadStatus status;
  Origin origin;
};

// One of the templates that a workload makes pods from.
struct PodRole {
  std::string_view name = {};  // "workers" of a JobSet; empty where there is only one
  const PodTemplate* pod = nullptr;
  std::int64_t pods = 1;  // wanted at one time
  // Number of pods that only work together, as the hosts of one slice; 1: each works alone.
  std::int64_t together = 1;
};
// In the order of the object. Empty: it has no pod template.
std::vector<PodRole> roles_of(const Workload& workload);

// The kind of the objects between a workload and its pods, which the pods' owner references name:
// ReplicaSet for a Deployment. No value: the workload owns its pods.
std::optional<Kind> kind_between(Kind workload);

}  // namespace dra::api
