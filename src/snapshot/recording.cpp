// src/snapshot/recording.cpp: copies of the original JSON of each object the fields that the
// program reads, and sorts keys.

#include "dra/snapshot/recording.h"

#include <algorithm>
#include <array>

#include "dra/api/cluster_objects.h"
#include "dra/api/decoded_fields.h"
#include "dra/api/device_class.h"
#include "dra/api/pod.h"
#include "dra/api/storage.h"
#include "dra/api/taint_rule.h"
#include "dra/api/workload.h"
#include "dra/json/parse.h"
#include "src/snapshot/recorded_facts.h"
#include "src/snapshot/recorded_fields.h"

namespace dra::snapshot {
namespace {

using json::Value;

// Variables that place a pod in a TPU slice are safe; others may hold anything.
bool may_stay(std::string_view variable) {
  return variable.starts_with("TPU_") || variable.starts_with("MEGASCALE_") ||
         variable == "JOB_COMPLETION_INDEX";
}

// Annotations that the program reads; others may hold anything, such as a copy of the object.
bool is_read(std::string_view annotation) {
  constexpr std::array<std::string_view, 7> read = {
      "pv.kubernetes.io/bind-completed",
      "resource.kubernetes.io/extended-resource-claim",
      "resource.kubernetes.io/pod-claim-name",
      "storage.alpha.kubernetes.io/migrated-plugins",
      "storageclass.kubernetes.io/is-default-class",
      "volume.beta.kubernetes.io/storage-class",
      "volume.kubernetes.io/selected-node"};
  return std::ranges::find(read, annotation) != read.end();
}

// Fields that are read, but not all that is in them. Templates of pods and claims are in different
// places, so all levels are searched.
void redact_values(Value& value) {
  if (Value* variables = value.find("env")) {
    std::erase_if(variables->items(), [](const Value& variable) {
      const Value* name = variable.find("name");
      return name == nullptr || !may_stay(name->text());
    });
    if (variables->items().empty()) value.remove("env");
  }
  if (Value* meta = value.find("metadata")) {
    if (Value* annotations = meta->find("annotations")) {
      std::erase_if(annotations->members(),
                    [](const json::Member& annotation) { return !is_read(annotation.key); });
      if (annotations->members().empty()) meta->remove("annotations");
    }
  }
  for (json::Member& member : value.members())
    redact_values(member.value);
  for (Value& item : value.items())
    redact_values(item);
}

// What drivers report of devices is theirs; the API wants no empty object there.
void redact_driver_data(Value& object) {
  Value* status = object.find("status");
  Value* devices = status == nullptr ? nullptr : status->find("devices");
  if (devices == nullptr) return;
  for (Value& device : devices->items())
    device.remove("data");
}

}  // namespace

void keep_recorded_fields(Value& object, std::string_view api_version, std::string_view kind) {
  api::keep_decoded_fields(object, api_version, kind);
  redact_values(object);
  if (kind == api::info_of(api::Kind::Claim).name) redact_driver_data(object);
}

namespace {

class Recorder {
 public:
  Recorder(const Snapshot& snapshot, const RecordOptions& options)
      : snapshot_(snapshot), options_(options) {}

  template <class T>
  void add_all() {
    for (const T& object : snapshot_.all<T>()) {
      if (matters(object)) add(object.origin);
    }
  }

  Value finish() {
    RecordedFacts facts{.server = snapshot_.server(),
                        .taken = options_.now,
                        .missing = snapshot_.coverage().missing(),
                        .resource_versions = snapshot_.resource_versions()};
    items_.push(write_recorded_facts(facts));
    Value list = Value::object();
    list.set("apiVersion", "v1");
    list.set("kind", "List");
    list.set("metadata", Value::object({{"resourceVersion", "", {}}}));
    list.set("items", std::move(items_));
    return list;
  }

 private:
  template <class T>
  bool matters(const T&) const {
    return true;
  }

  // Keeps events of pods with claims, of DRA's own objects, and about pods that are not created.
  bool matters(const api::Event& event) const {
    if (event.about.kind != "Pod") {
      return event.about.kind.starts_with("Resource") || event.about.kind.starts_with("Device") ||
             event.reason == "FailedCreate";
    }
    const api::Pod* pod = snapshot_.find<api::Pod>(event.about.namespace_, event.about.name);
    return pod != nullptr && (!pod->spec.claims.empty() || pod->status.extended_resource_claim);
  }

  // Keeps workloads whose pods use claims, and DaemonSets, as drivers run in these.
  bool matters(const api::Workload& workload) const {
    if (workload.origin.kind == api::info_of(api::Kind::DaemonSet).name) return true;
    return std::ranges::any_of(api::roles_of(workload), [](const api::PodRole& role) {
      return !role.pod->spec.claims.empty();
    });
  }

  void add(const api::Origin& origin) {
    auto parsed = json::parse_json(origin.raw);
    DRA_CHECK(parsed.ok());  // the same text was decoded before
    Value object = std::move(parsed).take();
    if (!options_.full) keep_recorded_fields(object, origin.api_version, origin.kind);
    object.set("apiVersion", origin.api_version);
    object.set("kind", origin.kind);
    if (Value* meta = object.find("metadata")) meta->remove("managedFields");
    json::sort_keys(object);
    items_.push(std::move(object));
  }

  const Snapshot& snapshot_;
  const RecordOptions& options_;
  Value items_ = Value::array();
};

}  // namespace

json::Value record(const Snapshot& snapshot, const RecordOptions& options) {
  Recorder recorder(snapshot, options);
  recorder.add_all<api::Namespace>();
  recorder.add_all<api::ResourceQuota>();
  recorder.add_all<api::PodDisruptionBudget>();
  recorder.add_all<api::ComputeClass>();
  recorder.add_all<api::ComputeDomain>();
  recorder.add_all<api::PodGroup>();
  recorder.add_all<api::QueuedWorkload>();
  recorder.add_all<api::MutatingWebhooks>();
  recorder.add_all<api::Node>();
  recorder.add_all<api::DeviceClass>();
  recorder.add_all<api::ResourceSlice>();
  recorder.add_all<api::DeviceTaintRule>();
  recorder.add_all<api::ResourceClaimTemplate>();
  recorder.add_all<api::ResourceClaim>();
  recorder.add_all<api::StorageClass>();
  recorder.add_all<api::CsiDriver>();
  recorder.add_all<api::CsiNode>();
  recorder.add_all<api::CsiStorageCapacity>();
  recorder.add_all<api::PersistentVolume>();
  recorder.add_all<api::PersistentVolumeClaim>();
  recorder.add_all<api::VolumeAttachment>();
  recorder.add_all<api::Workload>();
  recorder.add_all<api::Pod>();
  recorder.add_all<api::Event>();
  return recorder.finish();
}

}  // namespace dra::snapshot
