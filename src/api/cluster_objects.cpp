// src/api/cluster_objects.cpp: the fields of Node, Namespace, Event, PodDisruptionBudget,
// ResourceQuota, ComputeClass, ComputeDomain, ConfigMap, PodGroup, Kueue's
// Workload and MutatingWebhookConfiguration.

#include "dra/api/cluster_objects.h"

#include <algorithm>

#include "dra/api/decode.h"
#include "src/api/meta_fields.h"
#include "src/api/wire_fields.h"

namespace dra::api {

template <class Io>
void fields(Io& io, NodeTaint& t) {
  io.field("key", 1, t.key);
  io.field("value", 2, t.value);
  io.field("effect", 3, t.effect);
  io.field("timeAdded", 4, t.added);
}

template <class Io>
void fields(Io& io, NodeSpec& s) {
  io.field("unschedulable", 4, s.unschedulable);
  io.field("taints", 5, s.taints);
}

template <class Io>
void fields(Io& io, NodeSystemInfo& i) {
  io.field("containerRuntimeVersion", 6, i.container_runtime);
  io.field("kubeletVersion", 7, i.kubelet_version);
}

template <class Io>
void fields(Io& io, NodeStatus& s) {
  io.field("allocatable", 2, s.allocatable);
  io.field("conditions", 4, s.conditions);
  io.field("nodeInfo", 7, s.info);
  io.field("declaredFeatures", 14, s.declared_features);
}

template <class Io>
void fields(Io& io, Node& n) {
  io.field("metadata", 1, n.meta);
  io.field("spec", 2, n.spec);
  io.field("status", 3, n.status);
}

template <class Io>
void fields(Io& io, Namespace& n) {
  io.field("metadata", 1, n.meta);
}

template <class Io>
void fields(Io& io, ObjectReference& r) {
  io.field("kind", 1, r.kind);
  io.field("namespace", 2, r.namespace_);
  io.field("name", 3, r.name);
  io.field("uid", 4, r.uid);
}

template <class Io>
void fields(Io& io, EventSource& s) {
  io.field("component", 1, s.component);
}

template <class Io>
void fields(Io& io, EventSeries& s) {
  io.field("count", 1, s.count);
  io.field("lastObservedTime", 2, s.last);
}

template <class Io>
void fields(Io& io, Event& e) {
  io.field("metadata", 1, e.meta);
  io.field("involvedObject", 2, e.about);
  io.field("reason", 3, e.reason);
  io.field("message", 4, e.message);
  io.field("source", 5, e.source);
  io.field("firstTimestamp", 6, e.first);
  io.field("lastTimestamp", 7, e.last);
  io.field("count", 8, e.count);
  io.field("type", 9, e.type);
  io.field("eventTime", 10, e.at);
  io.field("series", 11, e.series);
  io.field("reportingComponent", 14, e.reporter);
}

template <class Io>
void fields(Io& io, BudgetSpec& s) {
  io.field("selector", 2, s.selector);
  io.field("unhealthyPodEvictionPolicy", 4, s.unhealthy_policy);
}

template <class Io>
void fields(Io& io, BudgetStatus& s) {
  io.field("disruptionsAllowed", 3, s.allowed);
  io.field("currentHealthy", 4, s.healthy);
  io.field("desiredHealthy", 5, s.desired);
  io.field("expectedPods", 6, s.expected);
  io.field("disruptedPods", 2, s.disrupted);
}

template <class Io>
void fields(Io& io, PodDisruptionBudget& b) {
  io.field("metadata", 1, b.meta);
  io.field("spec", 2, b.spec);
  io.field("status", 3, b.status);
}

template <class Io>
void fields(Io& io, ScopeRequirement& r) {
  io.field("scopeName", 1, r.scope);
}

template <class Io>
void fields(Io& io, ScopeSelector& s) {
  io.field("matchExpressions", 1, s.requirements);
}

template <class Io>
void fields(Io& io, QuotaSpec& s) {
  io.field("scopes", 2, s.scopes);
  io.field("scopeSelector", 3, s.selector);
}

template <class Io>
void fields(Io& io, QuotaStatus& s) {
  io.field("hard", 1, s.hard);
  io.field("used", 2, s.used);
}

template <class Io>
void fields(Io& io, ResourceQuota& q) {
  io.field("metadata", 1, q.meta);
  io.field("spec", 2, q.spec);
  io.field("status", 3, q.status);
}

// Add-ons have no protobuf; their numbers have no meaning.
template <class Io>
void fields(Io& io, AcceleratorRule& r) {
  io.field("type", 1, r.type);
  io.field("topology", 2, r.topology);
}

template <class Io>
void fields(Io& io, PriorityRule& r) {
  io.field("nodepools", 1, r.node_pools);
  io.field("machineType", 2, r.machine_type);
  io.field("machineFamily", 3, r.machine_family);
  io.field("spot", 4, r.spot);
  io.field("gpu", 5, r.gpu);
  io.field("tpu", 6, r.tpu);
}

template <class Io>
void fields(Io& io, ComputeClassSpec& s) {
  io.field("priorities", 1, s.priorities);
}

template <class Io>
void fields(Io& io, ComputeClass& c) {
  io.field("metadata", 1, c.meta);
  io.field("spec", 2, c.spec);
}

template <class Io>
void fields(Io& io, DomainNode& n) {
  io.field("name", 1, n.name);
  io.field("cliqueID", 2, n.clique);
  io.field("status", 3, n.status);
}

template <class Io>
void fields(Io& io, DomainTemplate& t) {
  io.field("name", 1, t.name);
}

template <class Io>
void fields(Io& io, DomainChannel& c) {
  io.field("resourceClaimTemplate", 1, c.claim_template);
}

template <class Io>
void fields(Io& io, ComputeDomainSpec& s) {
  io.field("channel", 1, s.channel);
  io.field("numNodes", 2, s.nodes);
}

template <class Io>
void fields(Io& io, ComputeDomainStatus& s) {
  io.field("nodes", 1, s.nodes);
}

template <class Io>
void fields(Io& io, ComputeDomain& d) {
  io.field("metadata", 1, d.meta);
  io.field("status", 2, d.status);
  io.field("spec", 3, d.spec);
}

template <class Io>
void fields(Io& io, QueuedSpec& s) {
  io.field("queueName", 1, s.queue);
}

template <class Io>
void fields(Io& io, QueuedStatus& s) {
  io.field("conditions", 1, s.conditions);
}

template <class Io>
void fields(Io& io, QueuedWorkload& w) {
  io.field("metadata", 1, w.meta);
  io.field("spec", 2, w.spec);
  io.field("status", 3, w.status);
}

template <class Io>
void fields(Io& io, GangPolicy& p) {
  io.field("minCount", 1, p.min_count);
}

template <class Io>
void fields(Io& io, PodGroupPolicy& p) {
  io.field("gang", 2, p.gang);
}

template <class Io>
void fields(Io& io, PodGroupTopology& t) {
  io.field("key", 1, t.key);
}

template <class Io>
void fields(Io& io, PodGroupConstraints& c) {
  io.field("topology", 1, c.topology);
}

template <class Io>
void fields(Io& io, PodGroupSpec& s) {
  io.field("parentCompositePodGroupName", 1, s.parent);
  io.field("schedulingPolicy", 3, s.policy);
  io.field("schedulingConstraints", 4, s.constraints);
  io.field("priority", 8, s.priority);
  io.field("preemptionPolicy", 9, s.preemption_policy);
}

template <class Io>
void fields(Io& io, PodGroup& g) {
  io.field("metadata", 1, g.meta);
  io.field("spec", 2, g.spec);
}

template <class Io>
void fields(Io& io, WebhookRule& r) {
  io.field("apiGroups", 1, r.groups);
  io.field("operations", 2, r.operations);
  io.field("resources", 3, r.resources);
}

template <class Io>
void fields(Io& io, Webhook& w) {
  io.field("rules", 1, w.rules);
}

template <class Io>
void fields(Io& io, MutatingWebhooks& w) {
  io.field("metadata", 1, w.meta);
  io.field("webhooks", 2, w.webhooks);
}

template <class Io>
void fields(Io& io, ConfigMap& c) {
  io.field("metadata", 1, c.meta);
  io.field("data", 2, c.data);
}

void decode(json::Cursor& from, Node& node) { read_object(from, node); }
void decode(json::Cursor& from, Namespace& ns) { read_object(from, ns); }
void decode(json::Cursor& from, Event& event) { read_object(from, event); }
void decode(json::Cursor& from, ResourceQuota& quota) { read_object(from, quota); }
void decode(json::Cursor& from, PodDisruptionBudget& budget) { read_object(from, budget); }
void decode(json::Cursor& from, ComputeClass& compute_class) { read_object(from, compute_class); }
void decode(json::Cursor& from, ComputeDomain& domain) { read_object(from, domain); }
void decode(json::Cursor& from, ConfigMap& config_map) { read_object(from, config_map); }
void decode(json::Cursor& from, PodGroup& group) { read_object(from, group); }
void decode(json::Cursor& from, QueuedWorkload& queued) { read_object(from, queued); }
void decode(json::Cursor& from, MutatingWebhooks& webhooks) { read_object(from, webhooks); }
void decode_wire(json::Reading& reading, std::string_view message, Node& node) {
  read_wire_object(reading, message, node);
}
void decode_wire(json::Reading& reading, std::string_view message, Namespace& ns) {
  read_wire_object(reading, message, ns);
}
void decode_wire(json::Reading& reading, std::string_view message, Event& event) {
  read_wire_object(reading, message, event);
}
void decode_wire(json::Reading& reading, std::string_view message, ResourceQuota& quota) {
  read_wire_object(reading, message, quota);
}
void decode_wire(json::Reading& reading, std::string_view message, PodDisruptionBudget& budget) {
  read_wire_object(reading, message, budget);
}
void decode_wire(json::Reading& reading, std::string_view message, ConfigMap& config_map) {
  read_wire_object(reading, message, config_map);
}

template const FieldTable& table_of<Node>();
template const FieldTable& table_of<Namespace>();
template const FieldTable& table_of<Event>();
template const FieldTable& table_of<ResourceQuota>();
template const FieldTable& table_of<PodDisruptionBudget>();
template const FieldTable& table_of<ConfigMap>();
template const FieldTable& table_of<ComputeClass>();
template const FieldTable& table_of<ComputeDomain>();
template const FieldTable& table_of<PodGroup>();
template const FieldTable& table_of<QueuedWorkload>();
template const FieldTable& table_of<MutatingWebhooks>();

Time Event::last_seen() const {
  Time newest = first ? first : meta.created;
  for (const Time& time : {last, at, series ? series->last : Time()}) {
    if (time && (!newest || *time > *newest)) newest = time;
  }
  return newest;
}

bool allows_admin_access(const Namespace& ns) {
  const auto* value = find(ns.meta.labels, kAdminAccessLabel);
  return value != nullptr && *value == "true";
}

const Condition* condition_of(const std::vector<Condition>& conditions, std::string_view type) {
  const auto found = std::ranges::find(conditions, type, &Condition::type);
  return found == conditions.end() ? nullptr : &*found;
}

bool is_true(const std::vector<Condition>& conditions, std::string_view type) {
  const Condition* condition = condition_of(conditions, type);
  return condition != nullptr && condition->status == "True";
}

const OwnerReference* controller_of(const ObjectMeta& meta) {
  const auto found = std::find_if(meta.owners.begin(), meta.owners.end(),
                                  [](const OwnerReference& owner) { return owner.controller; });
  return found == meta.owners.end() ? nullptr : &*found;
}

}  // namespace dra::api
