// include/dra/api/storage.h
//
// PersistentVolumeClaim, PersistentVolume, StorageClass, CSINode, CSIDriver, CSIStorageCapacity and
// VolumeAttachment: the fields by which the scheduler finds nodes for volumes.
// Upstream: k8s.io/api core/v1 and storage/v1.

#pragma once

#include "dra/api/meta.h"

namespace dra::api {

inline constexpr std::string_view kStorage = "storage";  // the resource that a claim requests

struct VolumeResources {
  Map<Quantity> requests;
};
struct VolumeClaimSpec {
  std::vector<std::string_view> access_modes;
  VolumeResources resources;
  std::string_view volume_name;           // of the volume that it is bound to, or shall be
  std::optional<LabelSelector> selector;  // of volumes
  std::string_view class_name;            // empty: no class
  std::string_view mode;                  // empty: Filesystem
  std::string_view attributes_class;
};
struct VolumeClaimStatus {
  std::string_view phase;  // Pending, Bound or Lost
};
struct PersistentVolumeClaim {
  ObjectMeta meta;
  VolumeClaimSpec spec;
  VolumeClaimStatus status;
  Origin origin;
};

// Disks that a pod names itself, or that volumes made before CSI name.
struct GceDisk {
  std::string_view name;
  bool read_only = false;
};
struct AwsDisk {
  std::string_view id;
};
struct AzureDisk {
  std::string_view uri;
};
struct CinderDisk {
  std::string_view id;
};
struct PortworxDisk {
  std::string_view id;
};
struct CsiVolume {
  std::string_view driver;
  std::string_view handle;
};
// At most one is set; others are left out.
struct PersistentVolumeSource {
  Rare<GceDisk> gce_disk;
  Rare<AwsDisk> aws_disk;
  Rare<CinderDisk> cinder;
  Rare<AzureDisk> azure_disk;
  Rare<PortworxDisk> portworx;
  Rare<CsiVolume> csi;
};
struct VolumeNodeAffinity {
  std::optional<NodeSelector> required;
};
// The claim that the volume is for. Without a uid any claim of that name.
struct VolumeClaimReference {
  std::string_view namespace_;
  std::string_view name;
  std::string_view uid;
};
struct PersistentVolumeSpec {
  Map<Quantity> capacity;
  PersistentVolumeSource source;
  std::vector<std::string_view> access_modes;
  std::optional<VolumeClaimReference> claim;
  std::string_view class_name;
  std::string_view mode;  // empty: Filesystem
  VolumeNodeAffinity affinity;
  std::string_view attributes_class;
};
struct PersistentVolumeStatus {
  std::string_view phase;  // Available, Bound, Released, ...
};
struct PersistentVolume {
  ObjectMeta meta;
  PersistentVolumeSpec spec;
  PersistentVolumeStatus status;
  Origin origin;
};

struct TopologyRequirement {
  std::string_view key;
  std::vector<std::string_view> values;
};
struct TopologyTerm {
  std::vector<TopologyRequirement> requirements;
};
struct StorageClass {
  ObjectMeta meta;
  std::string_view provisioner;
  std::string_view binding_mode;         // empty: Immediate, which the API server sets
  std::vector<TopologyTerm> topologies;  // of nodes for which volumes can be made; none: all
  Origin origin;
};

struct VolumeNodeResources {
  std::optional<std::int64_t> count;  // volumes that can be attached to the node
};
struct CsiNodeDriver {
  std::string_view name;
  std::optional<VolumeNodeResources> allocatable;
};
struct CsiNodeSpec {
  std::vector<CsiNodeDriver> drivers;
};
struct CsiNode {
  ObjectMeta meta;  // with the name of its node
  CsiNodeSpec spec;
  Origin origin;
};

struct CsiDriverSpec {
  bool storage_capacity = false;      // it publishes how much is left
  bool needs_driver_on_node = false;  // preventPodSchedulingIfMissing
};
struct CsiDriver {
  ObjectMeta meta;
  CsiDriverSpec spec;
  Origin origin;
};

// What is left for a class, for nodes with these labels; without a selector for none.
struct CsiStorageCapacity {
  ObjectMeta meta;
  std::optional<LabelSelector> nodes;
  std::string_view class_name;
  std::optional<Quantity> capacity;
  std::optional<Quantity> largest;  // that one volume can have
  Origin origin;
};

struct VolumeAttachmentSource {
  std::optional<std::string_view> volume;
};
struct VolumeAttachmentSpec {
  std::string_view attacher;  // a CSI driver
  VolumeAttachmentSource source;
  std::string_view node;
};
struct VolumeAttachment {
  ObjectMeta meta;
  VolumeAttachmentSpec spec;
  Origin origin;
};

}  // namespace dra::api
