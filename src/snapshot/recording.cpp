// src/snapshot/recording.cpp: copies the original JSON of each object, removes fields that may hold
// secrets, and sorts keys.

#include "dra/snapshot/recording.h"

#include <algorithm>

#include "dra/api/cluster_objects.h"
#include "dra/api/device_class.h"
#include "dra/api/pod.h"
#include "dra/api/taint_rule.h"
#include "dra/api/workload.h"
#include "dra/json/parse.h"
#include "src/snapshot/recorded_facts.h"

namespace dra::snapshot {
namespace {

using json::Value;

// Variables that place a pod in a TPU slice are safe; others may hold anything.
bool may_stay(std::string_view variable) {
  return variable.starts_with("TPU_") || variable.starts_with("MEGASCALE_") ||
         variable == "JOB_COMPLETION_INDEX";
}

void redact_container(Value& container) {
  for (const char* field :
       {"args", "command", "lifecycle", "livenessProbe", "readinessProbe", "startupProbe"}) {
    container.remove(field);
  }
  Value* variables = container.find("env");
  if (variables == nullptr) return;
  for (Value& variable : variables->items()) {
    const Value* name = variable.find("name");
    if (name == nullptr || !may_stay(name->text())) variable.remove("value");
  }
}

void redact_pod(Value& pod) {
  Value* spec = pod.find("spec");
  if (spec == nullptr) return;
  for (const char* list : {"containers", "initContainers", "ephemeralContainers"}) {
    if (Value* containers = spec->find(list))
      std::ranges::for_each(containers->items(), redact_container);
  }
}

// Kinds of workloads have pod templates in different places, so all levels are searched. Start
// parameters of Ray may contain a password.
void redact_templates(Value& value) {
  value.remove("rayStartParams");
  for (const char* list : {"containers", "initContainers"}) {
    if (Value* containers = value.find(list))
      std::ranges::for_each(containers->items(), redact_container);
  }
  for (json::Member& member : value.members())
    redact_templates(member.value);
  for (Value& item : value.items())
    redact_templates(item);
}

// Opaque parameters occur in specs and allocations of claims, in templates and in classes, always
// as `opaque: {driver, parameters}`. The API requires the field, so it becomes an empty object.
void redact_opaque(Value& value) {
  if (Value* opaque = value.find("opaque")) {
    if (opaque->find("parameters") != nullptr) opaque->set("parameters", Value::object());
  }
  for (json::Member& member : value.members())
    redact_opaque(member.value);
  for (Value& item : value.items())
    redact_opaque(item);
}

void redact(Value& object, std::string_view api_version, std::string_view kind) {
  if (Value* meta = object.find("metadata")) {
    if (Value* annotations = meta->find("annotations")) {
      annotations->remove("kubectl.kubernetes.io/last-applied-configuration");
      if (annotations->members().empty()) meta->remove("annotations");
    }
  }
  if (kind == "Pod") redact_pod(object);
  const api::KindInfo* info = api::kind_of(api_version, kind);
  if (info != nullptr && info->is_workload()) redact_templates(object);
  if (kind.starts_with("ResourceClaim") || kind == "DeviceClass") redact_opaque(object);
  if (Value* webhooks = object.find("webhooks")) {
    for (Value& webhook : webhooks->items())
      webhook.remove("clientConfig");  // an address, and certificates
  }
}

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
    object.set("apiVersion", origin.api_version);
    object.set("kind", origin.kind);
    if (Value* meta = object.find("metadata")) meta->remove("managedFields");
    if (!options_.full) redact(object, origin.api_version, origin.kind);
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
  recorder.add_all<api::ComputeClass>();
  recorder.add_all<api::ComputeDomain>();
  recorder.add_all<api::QueuedWorkload>();
  recorder.add_all<api::MutatingWebhooks>();
  recorder.add_all<api::Node>();
  recorder.add_all<api::DeviceClass>();
  recorder.add_all<api::ResourceSlice>();
  recorder.add_all<api::DeviceTaintRule>();
  recorder.add_all<api::ResourceClaimTemplate>();
  recorder.add_all<api::ResourceClaim>();
  recorder.add_all<api::Workload>();
  recorder.add_all<api::Pod>();
  recorder.add_all<api::Event>();
  return recorder.finish();
}

}  // namespace dra::snapshot
