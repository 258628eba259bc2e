// src/snapshot/snapshot.cpp: look-ups by name in the sorted objects.

#include "dra/snapshot/snapshot.h"

#include <algorithm>

#include "dra/api/device_class.h"
#include "dra/api/storage.h"
#include "dra/api/taint_rule.h"
#include "src/snapshot/order.h"

namespace dra::snapshot {

template <class T>
const T* Snapshot::find(std::string_view ns, std::string_view name) const {
  const std::vector<T>& objects = all<T>();
  const auto found = std::ranges::lower_bound(objects, NameKey{ns, name}, {}, name_key<T>);
  if (found == objects.end() || name_key<T>(*found) != NameKey{ns, name}) return nullptr;
  return &*found;
}

const api::Workload* Snapshot::find_workload(std::string_view kind, std::string_view ns,
                                             std::string_view name) const {
  const auto& workloads = all<api::Workload>();
  const NameKey key{ns, name, kind};
  const auto found = std::ranges::lower_bound(workloads, key, {}, name_key<api::Workload>);
  return found == workloads.end() || name_key(*found) != key ? nullptr : &*found;
}

std::span<const api::Event* const> Snapshot::events_about(std::string_view ns,
                                                          std::string_view name) const {
  const NameKey about{ns, name};
  const auto first = std::ranges::lower_bound(*events_, about, {}, about_key);
  const auto end = std::find_if(first, events_->end(),
                                [&](const api::Event* event) { return about_key(event) != about; });
  return {first, end};
}

template const api::ResourceClaim* Snapshot::find(std::string_view, std::string_view) const;
template const api::ResourceQuota* Snapshot::find(std::string_view, std::string_view) const;
template const api::DeviceClass* Snapshot::find(std::string_view, std::string_view) const;
template const api::PodDisruptionBudget* Snapshot::find(std::string_view, std::string_view) const;
template const api::ComputeClass* Snapshot::find(std::string_view, std::string_view) const;
template const api::ComputeDomain* Snapshot::find(std::string_view, std::string_view) const;
template const api::ConfigMap* Snapshot::find(std::string_view, std::string_view) const;
template const api::Event* Snapshot::find(std::string_view, std::string_view) const;
template const api::MutatingWebhooks* Snapshot::find(std::string_view, std::string_view) const;
template const api::Namespace* Snapshot::find(std::string_view, std::string_view) const;
template const api::Node* Snapshot::find(std::string_view, std::string_view) const;
template const api::Pod* Snapshot::find(std::string_view, std::string_view) const;
template const api::PodGroup* Snapshot::find(std::string_view, std::string_view) const;
template const api::QueuedWorkload* Snapshot::find(std::string_view, std::string_view) const;
template const api::ResourceSlice* Snapshot::find(std::string_view, std::string_view) const;
template const api::DeviceTaintRule* Snapshot::find(std::string_view, std::string_view) const;
template const api::ResourceClaimTemplate* Snapshot::find(std::string_view, std::string_view) const;
template const api::CsiDriver* Snapshot::find(std::string_view, std::string_view) const;
template const api::CsiNode* Snapshot::find(std::string_view, std::string_view) const;
template const api::CsiStorageCapacity* Snapshot::find(std::string_view, std::string_view) const;
template const api::PersistentVolume* Snapshot::find(std::string_view, std::string_view) const;
template const api::PersistentVolumeClaim* Snapshot::find(std::string_view, std::string_view) const;
template const api::StorageClass* Snapshot::find(std::string_view, std::string_view) const;
template const api::VolumeAttachment* Snapshot::find(std::string_view, std::string_view) const;

}  // namespace dra::snapshot
