// include/dra/api/types.h: declares the types of all objects, for code that only passes them on.

#pragma once

namespace dra::api {

struct ComputeClass;
struct ComputeDomain;
struct ConfigMap;
struct CsiDriver;
struct CsiNode;
struct CsiStorageCapacity;
struct DeviceClass;
struct DeviceTaintRule;
struct Event;
struct MutatingWebhooks;
struct Namespace;
struct Node;
struct PersistentVolume;
struct PersistentVolumeClaim;
struct Pod;
struct PodDisruptionBudget;
struct PodGroup;
struct QueuedWorkload;
struct ResourceClaim;
struct ResourceClaimTemplate;
struct ResourceQuota;
struct ResourceSlice;
struct PodSet;
struct StorageClass;
struct VolumeAttachment;
struct Workload;

}  // namespace dra::api
