// src/api/pod.cpp: the fields of Pod.

#include "dra/api/pod.h"

#include "dra/api/decode.h"
#include "src/api/claim_fields.h"

namespace dra::api {

template <class Io>
void fields(Io& io, ContainerClaim& c) {
  io.field("name", 1, c.name);
  io.field("request", 2, c.request);
}

template <class Io>
void fields(Io& io, ContainerResources& r) {
  io.field("claims", 3, r.claims);
}

template <class Io>
void fields(Io& io, Container& c) {
  io.field("name", 1, c.name);
  io.field("resources", 8, c.resources);
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
  io.field("initContainers", 20, s.init_containers);
  io.field("containers", 2, s.containers);
  io.field("nodeSelector", 7, s.node_selector);
  io.field("nodeName", 10, s.node_name);
  io.field("schedulerName", 19, s.scheduler_name);
  io.field("tolerations", 22, s.tolerations);
  io.field("schedulingGates", 38, s.gates);
  io.field("resourceClaims", 39, s.claims);
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
  io.field("ready", 4, s.ready);
  io.field("restartCount", 5, s.restarts);
  io.field("allocatedResourcesStatus", 14, s.resources);
}

template <class Io>
void fields(Io& io, PodStatus& s) {
  io.field("phase", 1, s.phase);
  io.field("conditions", 2, s.conditions);
  io.field("message", 3, s.message);
  io.field("reason", 4, s.reason);
  io.field("nominatedNodeName", 11, s.nominated_node);
  io.field("initContainerStatuses", 10, s.init_containers);
  io.field("containerStatuses", 8, s.containers);
  io.field("resourceClaimStatuses", 15, s.claims);
  io.field("extendedResourceClaimStatus", 18, s.extended_resource_claim);
}

template <class Io>
void fields(Io& io, Pod& p) {
  io.field("metadata", 1, p.meta);
  io.field("spec", 2, p.spec);
  io.field("status", 3, p.status);
}

void decode(json::Cursor& from, Pod& pod) { read_object(from, pod); }

template const FieldTable& table_of<Pod>();

}  // namespace dra::api
