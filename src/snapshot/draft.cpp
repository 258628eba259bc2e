// src/snapshot/draft.cpp: lists and pool numbers are copied when they are shared, and the event
// index is rebuilt after each step on events.

#include "dra/snapshot/draft.h"

#include <algorithm>
#include <utility>

#include "dra/api/device_class.h"
#include "dra/api/storage.h"
#include "dra/api/taint_rule.h"
#include "dra/api/workload.h"
#include "src/snapshot/order.h"

namespace dra::snapshot {

Draft Draft::without_objects(const Snapshot& other) {
  Snapshot empty;
  std::apply(
      [](auto&... lists) { ((lists = std::make_shared<std::decay_t<decltype(*lists)>>()), ...); },
      empty.objects_);
  empty.pools_ = std::make_shared<api::PoolNames>();
  empty.events_ = std::make_shared<const std::vector<const api::Event*>>();
  empty.texts_ = other.texts_;
  empty.server_ = other.server_;
  empty.coverage_ = other.coverage_;
  empty.taken_ = other.taken_;
  empty.read_ = other.read_;
  empty.opened_ = other.opened_;
  empty.newest_ = other.newest_;
  return Draft(std::move(empty));
}

// What has a place in the list is replaced there. Others are added all at once: each insertion
// alone would move the rest of the list.
template <class T>
void Draft::add(std::vector<T> added) {
  if (added.empty()) return;
  std::vector<T>& objects = own<T>();
  std::vector<T> others;
  for (T& object : added) {
    number_pools(object);
    const NameKey key = name_key(object);
    const auto place = std::ranges::lower_bound(objects, key, {}, name_key<T>);
    if (place != objects.end() && name_key(*place) == key) {
      *place = std::move(object);
    } else {
      others.push_back(std::move(object));
    }
  }
  if (!others.empty()) {
    sort_by_name(others);
    merge_by_name(objects, std::move(others));
    keep_last(objects, [](const T&) {});
  }
  finish_step<T>();
}

template <class T>
void Draft::share(const Snapshot& other) {
  using Objects = std::shared_ptr<std::vector<T>>;
  std::get<Objects>(now_.objects_) = std::get<Objects>(other.objects_);
  if constexpr (kNamesPools<T>) now_.pools_ = other.pools_;
  if constexpr (std::is_same_v<T, api::Event>) now_.events_ = other.events_;
}

void Draft::share_further(const Snapshot& other) {
  share<api::CsiDriver>(other);
  share<api::CsiNode>(other);
  share<api::CsiStorageCapacity>(other);
  share<api::PersistentVolume>(other);
  share<api::PersistentVolumeClaim>(other);
  share<api::PodGroup>(other);
  share<api::StorageClass>(other);
  share<api::VolumeAttachment>(other);
}

std::string_view Draft::keep(std::string_view text) {
  if (!arena_) {
    arena_ = std::make_shared<base::Arena>();
    share_texts(arena_);
  }
  return arena_->copy(text);
}

void Draft::share_facts(const Snapshot& other) {
  now_.coverage_ = other.coverage_;
  now_.refusals_ = other.refusals_;
  now_.planned_ = other.planned_;
  now_.server_ = other.server_;
  now_.taken_ = other.taken_;
  now_.read_ = other.read_;
  now_.opened_ = other.opened_;
  now_.newest_ = other.newest_;
  now_.resource_versions_ = other.resource_versions_;
  now_.warnings_ = other.warnings_;
}

void Draft::share_texts(const Snapshot& other) {
  now_.texts_.insert(now_.texts_.end(), other.texts_.begin(), other.texts_.end());
}

api::PoolNames& Draft::own_pools() {
  if (now_.pools_.use_count() > 1) now_.pools_ = std::make_shared<api::PoolNames>(*now_.pools_);
  return *now_.pools_;
}

void Draft::sort_pools() {
  if (now_.pools_->names().size() != now_.pools_->sorted().size()) own_pools().sort();
}

void Draft::order_events() {
  now_.events_ =
      std::make_shared<const std::vector<const api::Event*>>(by_object(now_.all<api::Event>()));
}

template void Draft::add(std::vector<api::ResourceClaim>);
template void Draft::add(std::vector<api::DeviceClass>);
template void Draft::add(std::vector<api::ComputeClass>);
template void Draft::add(std::vector<api::ComputeDomain>);
template void Draft::add(std::vector<api::ConfigMap>);
template void Draft::add(std::vector<api::Event>);
template void Draft::add(std::vector<api::MutatingWebhooks>);
template void Draft::add(std::vector<api::Namespace>);
template void Draft::add(std::vector<api::Node>);
template void Draft::add(std::vector<api::Pod>);
template void Draft::add(std::vector<api::PodDisruptionBudget>);
template void Draft::add(std::vector<api::PodGroup>);
template void Draft::add(std::vector<api::QueuedWorkload>);
template void Draft::add(std::vector<api::ResourceQuota>);
template void Draft::add(std::vector<api::ResourceSlice>);
template void Draft::add(std::vector<api::DeviceTaintRule>);
template void Draft::add(std::vector<api::ResourceClaimTemplate>);
template void Draft::add(std::vector<api::CsiDriver>);
template void Draft::add(std::vector<api::CsiNode>);
template void Draft::add(std::vector<api::CsiStorageCapacity>);
template void Draft::add(std::vector<api::PersistentVolume>);
template void Draft::add(std::vector<api::PersistentVolumeClaim>);
template void Draft::add(std::vector<api::StorageClass>);
template void Draft::add(std::vector<api::VolumeAttachment>);
template void Draft::add(std::vector<api::Workload>);

template void Draft::share<api::ResourceClaim>(const Snapshot&);
template void Draft::share<api::DeviceClass>(const Snapshot&);
template void Draft::share<api::Event>(const Snapshot&);
template void Draft::share<api::Namespace>(const Snapshot&);
template void Draft::share<api::Node>(const Snapshot&);
template void Draft::share<api::Pod>(const Snapshot&);
template void Draft::share<api::ResourceSlice>(const Snapshot&);
template void Draft::share<api::DeviceTaintRule>(const Snapshot&);
template void Draft::share<api::ResourceClaimTemplate>(const Snapshot&);

}  // namespace dra::snapshot
