// src/api/pod.cpp: the fields of Pod.

#include "dra/api/pod.h"

#include "dra/api/decode.h"
#include "src/api/claim_fields.h"
#include "src/api/pod_fields.h"
#include "src/api/storage_fields.h"
#include "src/api/wire_fields.h"

namespace dra::api {

template <class Io>
void fields(Io& io, ContainerClaim& c) {
  io.field("name", 1, c.name);
  io.field("request", 2, c.request);
}

template <class Io>
void fields(Io& io, ContainerResources& r) {
  io.field("limits", 1, r.limits);
  io.field("requests", 2, r.requests);
  io.field("claims", 3, r.claims);
}

template <class Io>
void fields(Io& io, ContainerPort& p) {
  io.field("hostPort", 2, p.host_port);
  io.field("containerPort", 3, p.container_port);
  io.field("protocol", 4, p.protocol);
  io.field("hostIP", 5, p.host_ip);
}

template <class Io>
void fields(Io& io, ContainerRestartRule& r) {
  io.field("action", 1, r.action);
}

template <class Io>
void fields(Io& io, VolumeMount& m) {
  io.field("bindMountOptions", 8, m.bind_options);
}

template <class Io>
void fields(Io& io, Container& c) {
  io.field("name", 1, c.name);
  io.field("ports", 6, c.ports);
  io.field("resources", 8, c.resources);
  io.field("restartPolicy", 24, c.restart_policy);
  io.field("restartPolicyRules", 25, c.restart_rules);
  io.field("volumeMounts", 9, c.mounts);
}

template <class Io>
void fields(Io& io, PodAffinityTerm& t) {
  io.field("labelSelector", 1, t.selector);
  io.field("namespaces", 2, t.namespaces);
  io.field("topologyKey", 3, t.topology_key);
  io.field("namespaceSelector", 4, t.namespace_selector);
  io.field("matchLabelKeys", 5, t.match_label_keys);
  io.field("mismatchLabelKeys", 6, t.mismatch_label_keys);
}

template <class Io>
void fields(Io& io, NodeAffinity& a) {
  io.field("requiredDuringSchedulingIgnoredDuringExecution", 1, a.required);
}

template <class Io>
void fields(Io& io, PodAffinity& a) {
  io.field("requiredDuringSchedulingIgnoredDuringExecution", 1, a.required);
}

template <class Io>
void fields(Io& io, Affinity& a) {
  io.field("nodeAffinity", 1, a.to_nodes);
  io.field("podAffinity", 2, a.to_pods);
  io.field("podAntiAffinity", 3, a.against_pods);
}

template <class Io>
void fields(Io& io, TopologySpreadConstraint& c) {
  io.field("maxSkew", 1, c.max_skew);
  io.field("topologyKey", 2, c.topology_key);
  io.field("whenUnsatisfiable", 3, c.when_unsatisfiable);
  io.field("labelSelector", 4, c.selector);
  io.field("minDomains", 5, c.min_domains);
  io.field("nodeAffinityPolicy", 6, c.node_affinity_policy);
  io.field("nodeTaintsPolicy", 7, c.node_taints_policy);
  io.field("matchLabelKeys", 8, c.match_label_keys);
}

template <class Io>
void fields(Io& io, HostPath& h) {
  io.field("path", 1, h.path);
}

template <class Io>
void fields(Io& io, VolumeClaimSource& s) {
  io.field("claimName", 1, s.claim);
}

template <class Io>
void fields(Io& io, VolumeClaimTemplate& t) {
  io.field("spec", 2, t.spec);
}

template <class Io>
void fields(Io& io, EphemeralVolume& e) {
  io.field("volumeClaimTemplate", 1, e.claim_template);
}

template <class Io>
void fields(Io& io, IscsiDisk& d) {
  io.field("iqn", 2, d.iqn);
  io.field("readOnly", 6, d.read_only);
}

template <class Io>
void fields(Io& io, RbdImage& i) {
  io.field("monitors", 1, i.monitors);
  io.field("image", 2, i.image);
  io.field("pool", 4, i.pool);
  io.field("readOnly", 8, i.read_only);
}

template <class Io>
void fields(Io& io, EmptyDir& e) {
  io.field("medium", 1, e.medium);
}

template <class Io>
void fields(Io& io, VolumeSource& v) {
  io.field("hostPath", 1, v.host_path);
  io.field("emptyDir", 2, v.empty_dir);
  io.field("gcePersistentDisk", 3, v.gce_disk);
  io.field("awsElasticBlockStore", 4, v.aws_disk);
  io.field("iscsi", 8, v.iscsi);
  io.field("persistentVolumeClaim", 10, v.claim);
  io.field("rbd", 11, v.rbd);
  io.field("cinder", 13, v.cinder);
  io.field("azureDisk", 22, v.azure_disk);
  io.field("portworxVolume", 24, v.portworx);
  io.field("ephemeral", 29, v.ephemeral);
}

template <class Io>
void fields(Io& io, Volume& v) {
  io.field("name", 1, v.name);
  io.inlined(2, v.source);
}

template <class Io>
void fields(Io& io, SchedulingGroup& g) {
  io.field("podGroupName", 1, g.pod_group);
}

template <class Io>
void fields(Io& io, SchedulingGate& g) {
  io.field("name", 1, g.name);
}

template <class Io>
void fields(Io& io, PodClaim& c) {
  io.field("name", 1, c.name);
  io.field("resourceClaimName", 3, c.claim_name);
  io.field("resourceClaimTemplateName", 4, c.template_name);
}

template <class Io>
void fields(Io& io, PodSpec& s) {
  io.field("volumes", 1, s.volumes);
  io.field("initContainers", 20, s.init_containers);
  io.field("containers", 2, s.containers);
  io.field("nodeSelector", 7, s.node_selector);
  io.field("nodeName", 10, s.node_name);
  io.field("hostNetwork", 11, s.host_network);
  io.field("affinity", 18, s.affinity);
  io.field("schedulerName", 19, s.scheduler_name);
  io.field("tolerations", 22, s.tolerations);
  io.field("overhead", 32, s.overhead);
  io.field("topologySpreadConstraints", 33, s.spread);
  io.field("priority", 25, s.priority);
  io.field("preemptionPolicy", 31, s.preemption_policy);
  io.field("activeDeadlineSeconds", 5, s.active_deadline);
  io.field("hostUsers", 37, s.host_users);
  io.field("schedulingGates", 38, s.gates);
  io.field("resourceClaims", 39, s.claims);
  io.field("resources", 40, s.resources);
  io.field("schedulingGroup", 43, s.group);
}

template <class Io>
void fields(Io& io, PodClaimStatus& s) {
  io.field("name", 1, s.name);
  io.field("resourceClaimName", 2, s.claim_name);
}

template <class Io>
void fields(Io& io, ExtendedResourceRequest& r) {
  io.field("containerName", 1, r.container);
  io.field("resourceName", 2, r.resource);
  io.field("requestName", 3, r.request);
}

template <class Io>
void fields(Io& io, ExtendedResourceClaim& c) {
  io.field("requestMappings", 1, c.mappings);
  io.field("resourceClaimName", 2, c.claim_name);
}

template <class Io>
void fields(Io& io, ResourceHealth& h) {
  io.field("resourceID", 1, h.id);
  io.field("health", 2, h.health);
  io.field("message", 6, h.message);
}

template <class Io>
void fields(Io& io, ResourceStatus& s) {
  io.field("name", 1, s.name);
  io.field("resources", 2, s.resources);
}

template <class Io>
void fields(Io& io, ContainerWaiting& w) {
  io.field("reason", 1, w.reason);
  io.field("message", 2, w.message);
}

template <class Io>
void fields(Io& io, ContainerRunning& r) {
  io.field("startedAt", 1, r.started);
}

template <class Io>
void fields(Io& io, ContainerTerminated& t) {
  io.field("exitCode", 1, t.exit_code);
  io.field("signal", 2, t.signal);
  io.field("reason", 3, t.reason);
  io.field("message", 4, t.message);
  io.field("finishedAt", 6, t.finished);
}

template <class Io>
void fields(Io& io, ContainerState& s) {
  io.field("waiting", 1, s.waiting);
  io.field("running", 2, s.running);
  io.field("terminated", 3, s.terminated);
}

template <class Io>
void fields(Io& io, ContainerStatus& s) {
  io.field("name", 1, s.name);
  io.field("state", 2, s.state);
  io.field("lastState", 3, s.last);
  io.field("ready", 4, s.ready);
  io.field("restartCount", 5, s.restarts);
  io.field("started", 9, s.started);
  io.field("allocatedResources", 10, s.allocated);
  io.field("resources", 11, s.actuated);
  io.field("allocatedResourcesStatus", 14, s.resources);
}

template <class Io>
void fields(Io& io, PodStatus& s) {
  io.field("phase", 1, s.phase);
  io.field("conditions", 2, s.conditions);
  io.field("message", 3, s.message);
  io.field("reason", 4, s.reason);
  io.field("startTime", 7, s.started);
  io.field("nominatedNodeName", 11, s.nominated_node);
  io.field("initContainerStatuses", 10, s.init_containers);
  io.field("containerStatuses", 8, s.containers);
  io.field("resourceClaimStatuses", 15, s.claims);
  io.field("extendedResourceClaimStatus", 18, s.extended_resource_claim);
  io.field("allocatedResources", 19, s.allocated);
  io.field("resources", 20, s.actuated);
}

template <class Io>
void fields(Io& io, Pod& p) {
  io.field("metadata", 1, p.meta);
  io.field("spec", 2, p.spec);
  io.field("status", 3, p.status);
}

void decode(json::Cursor& from, Pod& pod) { read_object(from, pod); }
void decode_wire(json::Reading& reading, std::string_view message, Pod& pod) {
  read_wire_object(reading, message, pod);
}

template const FieldTable& table_of<Pod>();
template const FieldTable& table_of<PodSpec>();

}  // namespace dra::api
