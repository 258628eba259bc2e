// src/api/claim.cpp: the fields of ResourceClaim and ResourceClaimTemplate.

#include "dra/api/claim.h"

#include "dra/api/decode.h"
#include "dra/base/text.h"
#include "src/api/claim_fields.h"
#include "src/api/wire_fields.h"

namespace dra::api {

template <class Io>
void fields(Io& io, DerivedAttribute& a) {
  io.field("name", 1, a.name);
  io.field("expression", 2, a.expression);
}

template <class Io>
void fields(Io& io, CapacityDemand& c) {
  io.field("requests", 1, c.requests);
}

template <class Io>
void fields(Io& io, ExactRequest& r) {
  io.field("deviceClassName", 1, r.demand.device_class);
  io.field("selectors", 2, r.demand.selectors);
  io.field("allocationMode", 3, r.demand.mode);
  io.field("count", 4, r.demand.count);
  io.field("adminAccess", 5, r.demand.admin_access);
  io.field("tolerations", 6, r.demand.tolerations);
  io.field("capacity", 7, r.demand.capacity);
  io.field("derivedAttributes", 8, r.demand.derived);
}

template <class Io>
void fields(Io& io, Alternative& a) {
  io.field("name", 1, a.name);
  io.field("deviceClassName", 2, a.demand.device_class);
  io.field("selectors", 3, a.demand.selectors);
  io.field("allocationMode", 4, a.demand.mode);
  io.field("count", 5, a.demand.count);
  io.field("tolerations", 6, a.demand.tolerations);
  io.field("capacity", 7, a.demand.capacity);
  io.field("derivedAttributes", 8, a.demand.derived);
}

template <class Io>
void fields(Io& io, DeviceRequest& r) {
  io.field("name", 1, r.name);
  io.field("exactly", 2, r.exactly);
  io.field("firstAvailable", 3, r.alternatives);
}

template <class Io>
void fields(Io& io, Constraint& c) {
  io.field("requests", 1, c.requests);
  io.field("matchAttribute", 2, c.match_attribute);
  io.field("distinctAttribute", 3, c.distinct_attribute);
}

template <class Io>
void fields(Io& io, ClaimConfig& c) {
  io.field("requests", 1, c.requests);
  io.inlined(2, c.config);
}

template <class Io>
void fields(Io& io, ClaimDevices& d) {
  io.field("requests", 1, d.requests);
  io.field("constraints", 2, d.constraints);
  io.field("config", 3, d.config);
}

template <class Io>
void fields(Io& io, ClaimSpec& s) {
  io.field("devices", 1, s.devices);
}

template <class Io>
void fields(Io& io, AllocationResultItem& r) {
  io.field("request", 1, r.request);
  io.field("driver", 2, r.driver);
  io.field("pool", 3, r.pool);
  io.field("device", 4, r.device);
  io.field("adminAccess", 5, r.admin_access);
  io.field("tolerations", 6, r.tolerations);
  io.field("bindingConditions", 7, r.binding_conditions);
  io.field("bindingFailureConditions", 8, r.binding_failure_conditions);
  io.field("shareID", 9, r.share_id);
  io.field("consumedCapacity", 10, r.consumed_capacity);
}

template <class Io>
void fields(Io& io, AllocationConfig& c) {
  io.field("source", 1, c.source);
  io.field("requests", 2, c.requests);
  io.inlined(3, c.config);
}

template <class Io>
void fields(Io& io, AllocatedDevices& d) {
  io.field("results", 1, d.results);
  io.field("config", 2, d.config);
}

template <class Io>
void fields(Io& io, Allocation& a) {
  io.field("devices", 1, a.devices);
  io.field("nodeSelector", 3, a.node_selector);
  io.field("allocationTimestamp", 5, a.at);
}

template <class Io>
void fields(Io& io, Consumer& c) {
  io.field("apiGroup", 1, c.api_group);
  io.field("resource", 3, c.resource);
  io.field("name", 4, c.name);
  io.field("uid", 5, c.uid);
}

template <class Io>
void fields(Io& io, NetworkData& n) {
  io.field("interfaceName", 1, n.interface_name);
  io.field("ips", 2, n.ips);
  io.field("hardwareAddress", 3, n.hardware_address);
}

template <class Io>
void fields(Io& io, DeviceStatus& s) {
  io.field("driver", 1, s.driver);
  io.field("pool", 2, s.pool);
  io.field("device", 3, s.device);
  io.field("conditions", 4, s.conditions);
  io.field("data", 5, s.data);
  io.field("networkData", 6, s.network);
  io.field("shareID", 7, s.share_id);
}

template <class Io>
void fields(Io& io, ClaimStatus& s) {
  io.field("allocation", 1, s.allocation);
  io.field("reservedFor", 2, s.reserved_for);
  io.field("devices", 4, s.devices);
}

template <class Io>
void fields(Io& io, ResourceClaim& c) {
  io.field("metadata", 1, c.meta);
  io.field("spec", 2, c.spec);
  io.field("status", 3, c.status);
}

template <class Io>
void fields(Io& io, ClaimTemplateSpec& s) {
  io.field("metadata", 1, s.meta);
  io.field("spec", 2, s.spec);
}

template <class Io>
void fields(Io& io, ResourceClaimTemplate& t) {
  io.field("metadata", 1, t.meta);
  io.field("spec", 2, t.spec);
}

void decode(json::Cursor& from, ResourceClaim& claim) { read_object(from, claim); }
void decode(json::Cursor& from, ResourceClaimTemplate& t) { read_object(from, t); }
void decode_wire(json::Reading& reading, std::string_view message, ResourceClaim& claim) {
  read_wire_object(reading, message, claim);
}
void decode_wire(json::Reading& reading, std::string_view message, ResourceClaimTemplate& t) {
  read_wire_object(reading, message, t);
}

template const FieldTable& table_of<ResourceClaim>();
template const FieldTable& table_of<ResourceClaimTemplate>();

std::vector<NamedDemand> demands_of(const DeviceRequest& request) {
  std::vector<NamedDemand> demands;
  if (request.exactly) demands.push_back({std::string(request.name), &request.exactly->demand});
  for (const Alternative& alternative : request.alternatives) {
    demands.push_back({base::format("{}/{}", request.name, alternative.name), &alternative.demand});
  }
  return demands;
}

}  // namespace dra::api
