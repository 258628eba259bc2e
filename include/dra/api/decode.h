// include/dra/api/decode.h
//
// Decodes a value, in received bytes or in a tree, into a typed object. Decoding knows shapes and
// no meaning: unknown fields are skipped, absent ones keep their default, a value of the wrong type
// is an error that names its path.
//
// The cursor must be at an object in v1's shape; api/upgrade.h converts older ones.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/types.h"

namespace dra::json {
class Cursor;
struct Reading;
}  // namespace dra::json

namespace dra::api {

void decode(json::Cursor& from, ResourceClaim& claim);
void decode(json::Cursor& from, ResourceClaimTemplate& claim_template);
void decode(json::Cursor& from, DeviceClass& device_class);
void decode(json::Cursor& from, ResourceSlice& slice);
void decode(json::Cursor& from, DeviceTaintRule& rule);
void decode(json::Cursor& from, Pod& pod);
void decode(json::Cursor& from, Node& node);
void decode(json::Cursor& from, Namespace& ns);
void decode(json::Cursor& from, Event& event);
void decode(json::Cursor& from, ResourceQuota& quota);
void decode(json::Cursor& from, PodDisruptionBudget& budget);
void decode(json::Cursor& from, ComputeClass& compute_class);
void decode(json::Cursor& from, ComputeDomain& domain);
void decode(json::Cursor& from, PodGroup& group);
void decode(json::Cursor& from, QueuedWorkload& queued);
void decode(json::Cursor& from, MutatingWebhooks& webhooks);
void decode(json::Cursor& from, ConfigMap& config_map);
void decode(json::Cursor& from, CsiDriver& driver);
void decode(json::Cursor& from, CsiNode& node);
void decode(json::Cursor& from, CsiStorageCapacity& capacity);
void decode(json::Cursor& from, PersistentVolume& volume);
void decode(json::Cursor& from, PersistentVolumeClaim& claim);
void decode(json::Cursor& from, StorageClass& storage_class);
void decode(json::Cursor& from, VolumeAttachment& attachment);
void decode(json::Cursor& from, Workload& workload);
// The pods of one template; `counts` has their number in the fields of a RayCluster's group.
PodSet decode_pod_set(json::Cursor& counts, json::Cursor& pod_template);

// The same of a message of protobuf in v1's shape (base/wire.h), for the kinds that KindInfo says
// have one. Only the page and the arena of the reading are pointed into.
void decode_wire(json::Reading& reading, std::string_view message, ResourceClaim& claim);
void decode_wire(json::Reading& reading, std::string_view message, ResourceClaimTemplate& t);
void decode_wire(json::Reading& reading, std::string_view message, DeviceClass& device_class);
void decode_wire(json::Reading& reading, std::string_view message, ResourceSlice& slice);
void decode_wire(json::Reading& reading, std::string_view message, DeviceTaintRule& rule);
void decode_wire(json::Reading& reading, std::string_view message, Pod& pod);
void decode_wire(json::Reading& reading, std::string_view message, Node& node);
void decode_wire(json::Reading& reading, std::string_view message, Namespace& ns);
void decode_wire(json::Reading& reading, std::string_view message, Event& event);
void decode_wire(json::Reading& reading, std::string_view message, ResourceQuota& quota);
void decode_wire(json::Reading& reading, std::string_view message, PodDisruptionBudget& budget);
void decode_wire(json::Reading& reading, std::string_view message, ConfigMap& config_map);
void decode_wire(json::Reading& reading, std::string_view message, CsiDriver& driver);
void decode_wire(json::Reading& reading, std::string_view message, CsiNode& node);
void decode_wire(json::Reading& reading, std::string_view message, CsiStorageCapacity& capacity);
void decode_wire(json::Reading& reading, std::string_view message, PersistentVolume& volume);
void decode_wire(json::Reading& reading, std::string_view message, PersistentVolumeClaim& claim);
void decode_wire(json::Reading& reading, std::string_view message, StorageClass& storage_class);
void decode_wire(json::Reading& reading, std::string_view message, VolumeAttachment& attachment);

// Every field that is decoded, for the test that compares them with the types of k8s.io/api.
// Workloads are left out: they are one type here and many there.
struct FieldName {
  std::string path;      // "ResourceSlice.spec.devices.name", list and map steps left out
  std::uint32_t number;  // of the last step in v1's protobuf
};
std::vector<FieldName> all_fields();

}  // namespace dra::api
