// include/dra/api/cluster_objects.h
//
// Node, Namespace, Event, PodDisruptionBudget, ResourceQuota, ComputeClass, ComputeDomain,
// ConfigMap, PodGroup, Kueue's Workload and MutatingWebhookConfiguration: the fields that explain
// devices, claims and pods.

#pragma once

#include "dra/api/meta.h"

namespace dra::api {

struct NodeTaint {
  std::string_view key;
  std::string_view value;
  std::string_view effect;
  Time added;
};
struct NodeSpec {
  bool unschedulable = false;
  std::vector<NodeTaint> taints;
};
struct NodeSystemInfo {
  std::string_view container_runtime;  // "containerd://2.1.4"
  std::string_view kubelet_version;
};
struct NodeStatus {
  Map<Quantity> allocatable;  // what pods may request, extended resources included
  std::vector<Condition> conditions;
  NodeSystemInfo info;
  std::vector<std::string_view> declared_features;  // of its kubelet
};
struct Node {
  ObjectMeta meta;
  NodeSpec spec;
  NodeStatus status;
  Origin origin;
};

struct Namespace {
  ObjectMeta meta;
  Origin origin;
};
// With the value "true" on a namespace, its claims may ask for admin access. Upstream:
// k8s.io/kubernetes/pkg/registry/resource/utils.AuthorizedForAdmin.
inline constexpr std::string_view kAdminAccessLabel = "resource.kubernetes.io/admin-access";
bool allows_admin_access(const Namespace& ns);

struct ObjectReference {
  std::string_view kind;
  std::string_view namespace_;
  std::string_view name;
  std::string_view uid;
};
struct EventSource {
  std::string_view component;
};
struct EventSeries {
  std::int64_t count = 0;
  Time last;
};
struct Event {
  ObjectMeta meta;
  ObjectReference about;
  std::string_view reason;
  std::string_view message;
  EventSource source;
  Time first;
  Time last;
  std::int64_t count = 0;
  std::string_view type;  // Normal or Warning
  Time at;                // eventTime, of the newer kind of events
  std::optional<EventSeries> series;
  std::string_view reporter;
  Origin origin;

  // The last time it was seen. Old and new events have it in different fields.
  Time last_seen() const;
};

// How many pods of a set evictions leave. Only the eviction API asks it, as `kubectl drain` does.
struct BudgetSpec {
  std::optional<LabelSelector> selector;  // without one no pod is meant
  std::string_view unhealthy_policy;      // of pods that are not ready; empty: IfHealthyBudget
};
inline constexpr std::string_view kAlwaysAllow = "AlwaysAllow";
// No value: kube-controller-manager has not counted yet.
struct BudgetStatus {
  std::optional<std::int64_t> allowed;   // evictions, now
  std::optional<std::int64_t> healthy;   // pods
  std::optional<std::int64_t> desired;   // healthy pods, at least
  std::optional<std::int64_t> expected;  // pods in all
  Map<Time> disrupted;                   // pods whose eviction is counted, by name
};
struct PodDisruptionBudget {
  ObjectMeta meta;
  BudgetSpec spec;
  BudgetStatus status;
  Origin origin;
};

struct ScopeRequirement {
  std::string_view scope;
};
struct ScopeSelector {
  std::vector<ScopeRequirement> requirements;
};
struct QuotaSpec {
  std::vector<std::string_view> scopes;
  ScopeSelector selector;
};
// Amounts by resource: "count/resourceclaims.resource.k8s.io".
struct QuotaStatus {
  Map<Quantity> hard;
  Map<Quantity> used;
};
struct ResourceQuota {
  ObjectMeta meta;
  QuotaSpec spec;
  QuotaStatus status;
  Origin origin;
};

// GKE's order of preference for new nodes. A node must have everything that a rule names.
struct AcceleratorRule {
  std::string_view type;
  std::string_view topology;
};
struct PriorityRule {
  std::vector<std::string_view> node_pools;
  std::string_view machine_type;
  std::string_view machine_family;
  std::optional<bool> spot;
  AcceleratorRule gpu;
  AcceleratorRule tpu;
};
struct ComputeClassSpec {
  std::vector<PriorityRule> priorities;  // the best first
};
struct ComputeClass {
  ObjectMeta meta;
  ComputeClassSpec spec;
  Origin origin;
};

// NVIDIA's: nodes whose GPUs can reach each other's memory, with the clique of links of each.
struct DomainNode {
  std::string_view name;
  std::string_view clique;  // empty: its GPUs are not linked to those of other nodes
  std::string_view status;  // "Ready", "NotReady"; empty: the driver's release has none
};
struct DomainTemplate {
  std::string_view name;  // of a ResourceClaimTemplate that its controller makes
};
struct DomainChannel {
  DomainTemplate claim_template;
};
struct ComputeDomainSpec {
  std::int64_t nodes = 0;  // that its pods wait for; 0: each waits for its own only
  DomainChannel channel;
};
struct ComputeDomainStatus {
  std::vector<DomainNode> nodes;
};
struct ComputeDomain {
  ObjectMeta meta;
  ComputeDomainSpec spec;
  ComputeDomainStatus status;
  Origin origin;
};

// Kueue's: a pod or a workload that waits in a queue. The owner reference names it.
struct QueuedSpec {
  std::string_view queue;  // a LocalQueue
};
struct QueuedStatus {
  std::vector<Condition> conditions;
};
struct QueuedWorkload {
  ObjectMeta meta;
  QueuedSpec spec;
  QueuedStatus status;
  Origin origin;
};

// Pods that the scheduler looks at together; spec.schedulingGroup of a pod names it.
struct GangPolicy {
  std::int64_t min_count = 0;  // pods that are scheduled together, or none of them
};
struct PodGroupPolicy {
  std::optional<GangPolicy> gang;  // no value: each pod is scheduled by itself
};
struct PodGroupTopology {
  std::string_view key;
};
struct PodGroupConstraints {
  std::vector<PodGroupTopology> topology;
};
struct PodGroupSpec {
  std::string_view parent;  // a CompositePodGroup; empty: none
  PodGroupPolicy policy;
  PodGroupConstraints constraints;
  std::int64_t priority = 0;
  std::string_view preemption_policy;
};
struct PodGroup {
  ObjectMeta meta;
  PodGroupSpec spec;
  Origin origin;
};

// The requests that webhooks may change.
struct WebhookRule {
  std::vector<std::string_view> groups;
  std::vector<std::string_view> operations;
  std::vector<std::string_view> resources;
};
struct Webhook {
  std::vector<WebhookRule> rules;
};
struct MutatingWebhooks {
  ObjectMeta meta;
  std::vector<Webhook> webhooks;
  Origin origin;
};

// Recordings keep a snapshot's own facts in one: server, time, gaps.
struct ConfigMap {
  ObjectMeta meta;
  Map<std::string_view> data;
  Origin origin;
};

}  // namespace dra::api
