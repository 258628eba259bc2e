// src/api/tables.h: the field lists of kinds, found by the kind.

#pragma once

#include "dra/api/claim.h"
#include "dra/api/cluster_objects.h"
#include "dra/api/device_class.h"
#include "dra/api/kinds.h"
#include "dra/api/pod.h"
#include "dra/api/pod_environment.h"
#include "dra/api/slice.h"
#include "dra/api/storage.h"
#include "dra/api/taint_rule.h"
#include "dra/api/workload.h"
#include "src/api/fields.h"
#include "src/api/pod_workload.h"

namespace dra::api {

// Each one is instantiated next to its field list.
extern template const FieldTable& table_of<ResourceClaim>();
extern template const FieldTable& table_of<ResourceClaimTemplate>();
extern template const FieldTable& table_of<DeviceClass>();
extern template const FieldTable& table_of<ResourceSlice>();
extern template const FieldTable& table_of<DeviceTaintRule>();
extern template const FieldTable& table_of<Pod>();
extern template const FieldTable& table_of<PodSpec>();
extern template const FieldTable& table_of<PodEnvironment>();
extern template const FieldTable& table_of<PodWorkload>();
extern template const FieldTable& table_of<Node>();
extern template const FieldTable& table_of<Namespace>();
extern template const FieldTable& table_of<Event>();
extern template const FieldTable& table_of<ResourceQuota>();
extern template const FieldTable& table_of<PodDisruptionBudget>();
extern template const FieldTable& table_of<ConfigMap>();
extern template const FieldTable& table_of<ComputeClass>();
extern template const FieldTable& table_of<ComputeDomain>();
extern template const FieldTable& table_of<PodGroup>();
extern template const FieldTable& table_of<QueuedWorkload>();
extern template const FieldTable& table_of<MutatingWebhooks>();
extern template const FieldTable& table_of<CsiDriver>();
extern template const FieldTable& table_of<CsiNode>();
extern template const FieldTable& table_of<CsiStorageCapacity>();
extern template const FieldTable& table_of<PersistentVolume>();
extern template const FieldTable& table_of<PersistentVolumeClaim>();
extern template const FieldTable& table_of<StorageClass>();
extern template const FieldTable& table_of<VolumeAttachment>();
extern template const FieldTable& table_of<Workload>();

const FieldTable& fields_of(const KindInfo& kind);

}  // namespace dra::api
