// src/snapshot/select.cpp: filters the objects of a kind by namespace, labels and fields; names are
// looked up after that.

#include "dra/snapshot/select.h"

#include <algorithm>
#include <type_traits>

#include "dra/api/cluster_objects.h"
#include "dra/api/device_class.h"
#include "dra/api/pod.h"
#include "dra/api/taint_rule.h"
#include "dra/api/workload.h"
#include "dra/base/field_selector.h"
#include "dra/base/selector.h"
#include "dra/base/text.h"
#include "dra/json/parse.h"
#include "src/snapshot/builder_lists.h"
#include "src/snapshot/fields.h"

namespace dra::snapshot {
namespace {

template <class T>
std::vector<ObjectRef> refs_of(const Snapshot& snapshot, api::Kind kind) {
  std::vector<ObjectRef> refs;
  const std::vector<T>& objects = snapshot.all<T>();
  refs.reserve(objects.size());
  for (const T& object : objects)
    refs.push_back({kind, &object.meta, &object.origin});
  return refs;
}

bool matches(const ObjectRef& object, const base::Selector& selector) {
  if (selector.requirements.empty()) return true;
  base::Labels labels;
  for (const auto& label : object.meta->labels)
    labels.emplace_back(label.key, label.value);
  return selector.matches(labels);
}

std::string field_of(const ObjectRef& object, std::string_view field, const json::Value& tree) {
  if (field == "metadata.name") return std::string(object.meta->name);
  if (field == "metadata.namespace") return std::string(object.meta->namespace_);
  return field_value(object.kind, field, tree);
}

bool matches(const ObjectRef& object, const std::vector<base::FieldTerm>& terms) {
  if (terms.empty()) return true;
  const auto tree = json::parse_json(object.origin->raw);
  DRA_CHECK(tree.ok());  // the same text was decoded before
  return std::ranges::all_of(terms, [&](const base::FieldTerm& term) {
    return term.matches(field_of(object, term.field, tree.value()));
  });
}

std::vector<ObjectRef> by_names(const std::vector<ObjectRef>& objects, const Need& need) {
  std::vector<ObjectRef> chosen;
  for (const std::string& name : need.names) {
    const auto found = std::ranges::find_if(
        objects, [&](const ObjectRef& object) { return object.meta->name == name; });
    if (found != objects.end()) chosen.push_back(*found);
  }
  return chosen;
}

}  // namespace

std::vector<ObjectRef> objects_of(const Snapshot& snapshot, api::Kind kind) {
  switch (kind) {
    case api::Kind::Claim:
      return refs_of<api::ResourceClaim>(snapshot, kind);
    case api::Kind::Class:
      return refs_of<api::DeviceClass>(snapshot, kind);
    case api::Kind::ComputeClass:
      return refs_of<api::ComputeClass>(snapshot, kind);
    case api::Kind::ComputeDomain:
      return refs_of<api::ComputeDomain>(snapshot, kind);
    case api::Kind::ConfigMap:
      return refs_of<api::ConfigMap>(snapshot, kind);
    case api::Kind::DisruptionBudget:
      return refs_of<api::PodDisruptionBudget>(snapshot, kind);
    case api::Kind::Event:
      return refs_of<api::Event>(snapshot, kind);
    case api::Kind::MutatingWebhooks:
      return refs_of<api::MutatingWebhooks>(snapshot, kind);
    case api::Kind::Namespace:
      return refs_of<api::Namespace>(snapshot, kind);
    case api::Kind::Node:
      return refs_of<api::Node>(snapshot, kind);
    case api::Kind::Pod:
      return refs_of<api::Pod>(snapshot, kind);
    case api::Kind::PodGroup:
      return refs_of<api::PodGroup>(snapshot, kind);
    case api::Kind::QueuedWorkload:
      return refs_of<api::QueuedWorkload>(snapshot, kind);
    case api::Kind::Quota:
      return refs_of<api::ResourceQuota>(snapshot, kind);
    case api::Kind::Slice:
      return refs_of<api::ResourceSlice>(snapshot, kind);
    case api::Kind::TaintRule:
      return refs_of<api::DeviceTaintRule>(snapshot, kind);
    case api::Kind::Template:
      return refs_of<api::ResourceClaimTemplate>(snapshot, kind);
    case api::Kind::CsiDriver:
      return refs_of<api::CsiDriver>(snapshot, kind);
    case api::Kind::CsiNode:
      return refs_of<api::CsiNode>(snapshot, kind);
    case api::Kind::StorageCapacity:
      return refs_of<api::CsiStorageCapacity>(snapshot, kind);
    case api::Kind::PersistentVolume:
      return refs_of<api::PersistentVolume>(snapshot, kind);
    case api::Kind::PersistentVolumeClaim:
      return refs_of<api::PersistentVolumeClaim>(snapshot, kind);
    case api::Kind::StorageClass:
      return refs_of<api::StorageClass>(snapshot, kind);
    case api::Kind::VolumeAttachment:
      return refs_of<api::VolumeAttachment>(snapshot, kind);
    default:
      break;
  }
  std::vector<ObjectRef> workloads = refs_of<api::Workload>(snapshot, kind);
  std::erase_if(workloads, [&](const ObjectRef& workload) {
    return workload.origin->kind != api::info_of(kind).name;
  });
  return workloads;
}

std::optional<ObjectRef> find_object(const Snapshot& snapshot, const ObjectId& id) {
  std::optional<ObjectRef> found;
  ListsOf<std::type_identity> types;
  with_kind(types, id.kind, [&]<class T>(std::type_identity<T>) {
    const T* object = nullptr;
    if constexpr (std::is_same_v<T, api::Workload>) {
      object = snapshot.find_workload(api::info_of(id.kind).name, id.namespace_, id.name);
    } else {
      object = snapshot.find<T>(id.namespace_, id.name);
    }
    if (object != nullptr) found = ObjectRef{id.kind, &object->meta, &object->origin};
  });
  return found;
}

Result<std::vector<ObjectRef>> select(const Snapshot& snapshot, const Need& need) {
  return select_among(objects_of(snapshot, need.kind), need);
}

Result<std::vector<ObjectRef>> select_among(std::vector<ObjectRef> objects, const Need& need) {
  const api::KindInfo& kind = api::info_of(need.kind);
  const base::Selector labels =
      DRA_TRY(base::parse_selector(need.label_selector).context("--selector"));
  const auto terms =
      DRA_TRY(base::parse_field_selector(need.field_selector).context("--field-selector"));
  const std::string_view version = need.version.empty() ? kind.versions.front() : need.version;
  for (const base::FieldTerm& term : terms) {
    DRA_TRY(check_field(kind, api::api_version_of(kind, version), term.field));
  }
  std::erase_if(objects, [&](const ObjectRef& object) {
    const bool elsewhere =
        kind.namespaced && !need.namespace_.empty() && object.meta->namespace_ != need.namespace_;
    return elsewhere || !matches(object, labels) || !matches(object, terms);
  });
  return need.names.empty() ? objects : by_names(objects, need);
}

}  // namespace dra::snapshot
