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
  io.field("nodeName", 10, s.node_name);
  io.field("schedulerName", 19, s.scheduler_name);
  io.field("schedulingGates", 38, s.gates);
  io.field("resourceClaims", 39, s.claims);
}

template <class Io>
void fields(Io& io, PodClaimStatus& s) {
  io.field("name", 1, s.name);
  io.field("resourceClaimName", 2, s.claim_name);
}

template <class Io>
void fields(Io& io, ExtendedResourceClaim& c) {
  io.field("resourceClaimName", 2, c.claim_name);
}

template <class Io>
void fields(Io& io, PodStatus& s) {
  io.field("phase", 1, s.phase);
  io.field("conditions", 2, s.conditions);
  io.field("reason", 4, s.reason);
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
