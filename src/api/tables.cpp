// src/api/tables.cpp: see tables.h.

#include "src/api/tables.h"

namespace dra::api {

const FieldTable& fields_of(const KindInfo& kind) {
  switch (kind.kind) {
    case Kind::Claim:
      return table_of<ResourceClaim>();
    case Kind::Template:
      return table_of<ResourceClaimTemplate>();
    case Kind::Class:
      return table_of<DeviceClass>();
    case Kind::Slice:
      return table_of<ResourceSlice>();
    case Kind::TaintRule:
      return table_of<DeviceTaintRule>();
    case Kind::Pod:
      return table_of<Pod>();
    case Kind::Node:
      return table_of<Node>();
    case Kind::Namespace:
      return table_of<Namespace>();
    case Kind::Event:
      return table_of<Event>();
    case Kind::Quota:
      return table_of<ResourceQuota>();
    case Kind::DisruptionBudget:
      return table_of<PodDisruptionBudget>();
    case Kind::ConfigMap:
      return table_of<ConfigMap>();
    case Kind::ComputeClass:
      return table_of<ComputeClass>();
    case Kind::ComputeDomain:
      return table_of<ComputeDomain>();
    case Kind::PodGroup:
      return table_of<PodGroup>();
    case Kind::QueuedWorkload:
      return table_of<QueuedWorkload>();
    case Kind::MutatingWebhooks:
      return table_of<MutatingWebhooks>();
    case Kind::CsiDriver:
      return table_of<CsiDriver>();
    case Kind::CsiNode:
      return table_of<CsiNode>();
    case Kind::StorageCapacity:
      return table_of<CsiStorageCapacity>();
    case Kind::PersistentVolume:
      return table_of<PersistentVolume>();
    case Kind::PersistentVolumeClaim:
      return table_of<PersistentVolumeClaim>();
    case Kind::StorageClass:
      return table_of<StorageClass>();
    case Kind::VolumeAttachment:
      return table_of<VolumeAttachment>();
    default:
      return table_of<Workload>();
  }
}

}  // namespace dra::api
