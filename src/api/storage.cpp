// src/api/storage.cpp: the fields of PersistentVolumeClaim, PersistentVolume, StorageClass,
// CSINode, CSIDriver, CSIStorageCapacity and VolumeAttachment.

#include "dra/api/storage.h"

#include "dra/api/decode.h"
#include "src/api/storage_fields.h"
#include "src/api/wire_fields.h"

namespace dra::api {

template <class Io>
void fields(Io& io, VolumeClaimStatus& s) {
  io.field("phase", 1, s.phase);
}

template <class Io>
void fields(Io& io, PersistentVolumeClaim& c) {
  io.field("metadata", 1, c.meta);
  io.field("spec", 2, c.spec);
  io.field("status", 3, c.status);
}

template <class Io>
void fields(Io& io, CsiVolume& v) {
  io.field("driver", 1, v.driver);
  io.field("volumeHandle", 2, v.handle);
}

template <class Io>
void fields(Io& io, PersistentVolumeSource& s) {
  io.field("gcePersistentDisk", 1, s.gce_disk);
  io.field("awsElasticBlockStore", 2, s.aws_disk);
  io.field("cinder", 8, s.cinder);
  io.field("azureDisk", 16, s.azure_disk);
  io.field("portworxVolume", 18, s.portworx);
  io.field("csi", 22, s.csi);
}

template <class Io>
void fields(Io& io, VolumeNodeAffinity& a) {
  io.field("required", 1, a.required);
}

template <class Io>
void fields(Io& io, VolumeClaimReference& r) {
  io.field("namespace", 2, r.namespace_);
  io.field("name", 3, r.name);
  io.field("uid", 4, r.uid);
}

template <class Io>
void fields(Io& io, PersistentVolumeSpec& s) {
  io.field("capacity", 1, s.capacity);
  io.inlined(2, s.source);
  io.field("accessModes", 3, s.access_modes);
  io.field("claimRef", 4, s.claim);
  io.field("storageClassName", 6, s.class_name);
  io.field("volumeMode", 8, s.mode);
  io.field("nodeAffinity", 9, s.affinity);
  io.field("volumeAttributesClassName", 10, s.attributes_class);
}

template <class Io>
void fields(Io& io, PersistentVolumeStatus& s) {
  io.field("phase", 1, s.phase);
}

template <class Io>
void fields(Io& io, PersistentVolume& v) {
  io.field("metadata", 1, v.meta);
  io.field("spec", 2, v.spec);
  io.field("status", 3, v.status);
}

template <class Io>
void fields(Io& io, TopologyRequirement& r) {
  io.field("key", 1, r.key);
  io.field("values", 2, r.values);
}

template <class Io>
void fields(Io& io, TopologyTerm& t) {
  io.field("matchLabelExpressions", 1, t.requirements);
}

template <class Io>
void fields(Io& io, StorageClass& c) {
  io.field("metadata", 1, c.meta);
  io.field("provisioner", 2, c.provisioner);
  io.field("volumeBindingMode", 7, c.binding_mode);
  io.field("allowedTopologies", 8, c.topologies);
}

template <class Io>
void fields(Io& io, VolumeNodeResources& r) {
  io.field("count", 1, r.count);
}

template <class Io>
void fields(Io& io, CsiNodeDriver& d) {
  io.field("name", 1, d.name);
  io.field("allocatable", 4, d.allocatable);
}

template <class Io>
void fields(Io& io, CsiNodeSpec& s) {
  io.field("drivers", 1, s.drivers);
}

template <class Io>
void fields(Io& io, CsiNode& n) {
  io.field("metadata", 1, n.meta);
  io.field("spec", 2, n.spec);
}

template <class Io>
void fields(Io& io, CsiDriverSpec& s) {
  io.field("storageCapacity", 4, s.storage_capacity);
  io.field("preventPodSchedulingIfMissing", 11, s.needs_driver_on_node);
}

template <class Io>
void fields(Io& io, CsiDriver& d) {
  io.field("metadata", 1, d.meta);
  io.field("spec", 2, d.spec);
}

template <class Io>
void fields(Io& io, CsiStorageCapacity& c) {
  io.field("metadata", 1, c.meta);
  io.field("nodeTopology", 2, c.nodes);
  io.field("storageClassName", 3, c.class_name);
  io.field("capacity", 4, c.capacity);
  io.field("maximumVolumeSize", 5, c.largest);
}

template <class Io>
void fields(Io& io, VolumeAttachmentSource& s) {
  io.field("persistentVolumeName", 1, s.volume);
}

template <class Io>
void fields(Io& io, VolumeAttachmentSpec& s) {
  io.field("attacher", 1, s.attacher);
  io.field("source", 2, s.source);
  io.field("nodeName", 3, s.node);
}

template <class Io>
void fields(Io& io, VolumeAttachment& a) {
  io.field("metadata", 1, a.meta);
  io.field("spec", 2, a.spec);
}

void decode(json::Cursor& from, CsiDriver& driver) { read_object(from, driver); }
void decode(json::Cursor& from, CsiNode& node) { read_object(from, node); }
void decode(json::Cursor& from, CsiStorageCapacity& capacity) { read_object(from, capacity); }
void decode(json::Cursor& from, PersistentVolume& volume) { read_object(from, volume); }
void decode(json::Cursor& from, PersistentVolumeClaim& claim) { read_object(from, claim); }
void decode(json::Cursor& from, StorageClass& storage_class) { read_object(from, storage_class); }
void decode(json::Cursor& from, VolumeAttachment& attachment) { read_object(from, attachment); }
void decode_wire(json::Reading& reading, std::string_view message, CsiDriver& driver) {
  read_wire_object(reading, message, driver);
}
void decode_wire(json::Reading& reading, std::string_view message, CsiNode& node) {
  read_wire_object(reading, message, node);
}
void decode_wire(json::Reading& reading, std::string_view message, CsiStorageCapacity& capacity) {
  read_wire_object(reading, message, capacity);
}
void decode_wire(json::Reading& reading, std::string_view message, PersistentVolume& volume) {
  read_wire_object(reading, message, volume);
}
void decode_wire(json::Reading& reading, std::string_view message, PersistentVolumeClaim& claim) {
  read_wire_object(reading, message, claim);
}
void decode_wire(json::Reading& reading, std::string_view message, StorageClass& storage_class) {
  read_wire_object(reading, message, storage_class);
}
void decode_wire(json::Reading& reading, std::string_view message, VolumeAttachment& attachment) {
  read_wire_object(reading, message, attachment);
}

template const FieldTable& table_of<CsiDriver>();
template const FieldTable& table_of<CsiNode>();
template const FieldTable& table_of<CsiStorageCapacity>();
template const FieldTable& table_of<PersistentVolume>();
template const FieldTable& table_of<PersistentVolumeClaim>();
template const FieldTable& table_of<StorageClass>();
template const FieldTable& table_of<VolumeAttachment>();

}  // namespace dra::api
