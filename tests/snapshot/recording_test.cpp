// tests/snapshot/recording_test.cpp

#include "dra/snapshot/recording.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "dra/api/cluster_objects.h"
#include "dra/api/decode.h"
#include "dra/api/device_class.h"
#include "dra/api/kinds.h"
#include "dra/api/pod.h"
#include "dra/api/schema.h"
#include "dra/api/taint_rule.h"
#include "dra/base/text.h"
#include "dra/json/write.h"
#include "dra/snapshot/builder.h"
#include "dra/snapshot/draft.h"
#include "src/snapshot/recorded_fields.h"
#include "tests/support/builders.h"

namespace dra::snapshot::recording_test {
namespace {

using support::Scene;
using support::scene;

RecordOptions at_nine() { return {.now = base::parse_rfc3339("2026-11-20T09:00:00Z").value()}; }

std::string text_of(const Snapshot& snapshot, const RecordOptions& options) {
  return write_json(record(snapshot, options), json::Style::Pretty);
}

Snapshot read_back(std::string text) {
  Builder builder;
  const auto added = builder.add_text(std::move(text), "recording.json");
  REQUIRE(added.ok());
  auto built = std::move(builder).build();
  REQUIRE(built.ok());
  return std::move(built).take();
}

TEST_CASE("a recording that is read and recorded again is the same to the byte") {
  for (const std::string& path : support::fixtures()) {
    for (const bool full : {false, true}) {
      CAPTURE(path);
      CAPTURE(full);
      RecordOptions options = at_nine();
      options.full = full;
      const std::string once = text_of(support::load(path), options);
      const Snapshot again = read_back(once);
      CHECK(text_of(again, options) == once);
      CHECK(again.warnings().empty());
      CHECK(again.taken() == options.now);
    }
  }
}

TEST_CASE("a recording has all objects that a verdict needs") {
  for (const std::string& path : support::fixtures()) {
    CAPTURE(path);
    const Snapshot before = support::load(path);
    const Snapshot after = read_back(text_of(before, at_nine()));
    CHECK(after.all<api::ResourceClaim>().size() == before.all<api::ResourceClaim>().size());
    CHECK(after.all<api::ResourceClaimTemplate>().size() ==
          before.all<api::ResourceClaimTemplate>().size());
    CHECK(after.all<api::DeviceClass>().size() == before.all<api::DeviceClass>().size());
    CHECK(after.all<api::ResourceSlice>().size() == before.all<api::ResourceSlice>().size());
    CHECK(after.all<api::DeviceTaintRule>().size() == before.all<api::DeviceTaintRule>().size());
    CHECK(after.all<api::Pod>().size() == before.all<api::Pod>().size());
    CHECK(after.all<api::Node>().size() == before.all<api::Node>().size());
    CHECK(after.all<api::Namespace>().size() == before.all<api::Namespace>().size());
  }
}

TEST_CASE(
    "a recording says about which server it is, when it was taken, and what was not visible") {
  Builder builder;
  REQUIRE(builder.add_text("---\n{apiVersion: v1, kind: Node, metadata: {name: a}}", "f").ok());
  builder.set_server({.version = "v1.34.2", .assumed = false});
  builder.add_missing(api::Kind::Claim, "no \"list\" for <you>");
  builder.add_read(api::Kind::Claim, "ml");
  builder.set_resource_version(api::Kind::Node, "42");
  const auto built = std::move(builder).build();
  REQUIRE(built.ok());
  const Snapshot again = read_back(text_of(built.value(), at_nine()));
  CHECK(again.server().version == "v1.34.2");
  CHECK_FALSE(again.server().assumed);
  CHECK(base::format_rfc3339(*again.taken()) == "2026-11-20T09:00:00Z");
  REQUIRE(again.coverage().missing().size() == 1);
  CHECK(again.coverage().missing().front().kind == api::Kind::Claim);
  CHECK(again.coverage().missing().front().reason == "no \"list\" for <you>");
  CHECK(again.coverage().saw(api::Kind::Claim, "ml"));
  CHECK_FALSE(again.coverage().saw(api::Kind::Claim, "other"));
  REQUIRE(again.resource_versions().size() == 1);
  CHECK(again.resource_versions().front().first == api::Kind::Node);
  CHECK(again.resource_versions().front().second == "42");
}

TEST_CASE("a recording keeps the gates that the server told, and only these") {
  Draft draft(scene().build());
  const std::vector<std::pair<std::string, bool>> gates = {{"DRAAdminAccess", true},
                                                           {"DRADeviceTaints", false}};
  draft.set_server({.version = "v1.36.0", .assumed = false, .gates = gates, .gates_known = true});
  const Snapshot again = read_back(text_of(draft.now(), at_nine()));
  CHECK(again.server().gates == gates);
  CHECK(again.server().gates_known);
  draft.set_server({.version = "v1.36.0", .assumed = false, .gates = gates});
  const Snapshot without = read_back(text_of(draft.now(), at_nine()));
  CHECK(without.server().gates.empty());
  CHECK_FALSE(without.server().gates_known);
}

TEST_CASE("a server that was only assumed is not recorded as known") {
  const Snapshot again = read_back(text_of(scene().build(), at_nine()));
  CHECK(again.server().assumed);
  CHECK(again.coverage().saw_all());
}

constexpr const char* kSecret = "s3cr3t";

struct RedactCase {
  const char* name;
  const char* object;  // as YAML; holds the secret once
  bool kept;
};

const RedactCase kRedactions[] = {
    {"opaque parameters of a claim",
     "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c}, spec: {devices: "
     "{config: "
     "[{opaque: {driver: d, parameters: {key: s3cr3t}}}]}}}",
     false},
    {"opaque parameters in an allocation",
     "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c}, status: "
     "{allocation: "
     "{devices: {config: [{source: FromClaim, opaque: {driver: d, parameters: {a: {b: "
     "s3cr3t}}}}]}}}}",
     false},
    {"opaque parameters of a template",
     "{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t}, spec: "
     "{spec: "
     "{devices: {config: [{opaque: {driver: d, parameters: {key: s3cr3t}}}]}}}}",
     false},
    {"opaque parameters of a class",
     "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: x}, spec: {config: "
     "[{opaque: "
     "{driver: d, parameters: {key: s3cr3t}}}]}}",
     false},
    {"opaque parameters in an older version",
     "{apiVersion: resource.k8s.io/v1beta1, kind: ResourceClaim, metadata: {name: c}, spec: "
     "{devices: "
     "{config: [{opaque: {driver: d, parameters: {key: s3cr3t}}}]}}}",
     false},
    {"the value of an environment variable",
     "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: m, env: [{name: "
     "PASSWORD, value: s3cr3t}]}]}}",
     false},
    {"of an init container",
     "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {initContainers: [{name: m, env: "
     "[{name: "
     "PASSWORD, value: s3cr3t}]}]}}",
     false},
    {"of an ephemeral container",
     "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {ephemeralContainers: [{name: m, env: "
     "[{name: PASSWORD, value: s3cr3t}]}]}}",
     false},
    {"of a variable that only looks like a TPU's",
     "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: m, env: [{name: "
     "MY_TPU_TOKEN, value: s3cr3t}]}]}}",
     false},
    {"a TPU's place in its slice stays",
     "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: m, env: [{name: "
     "TPU_WORKER_ID, value: s3cr3t}]}]}}",
     true},
    {"commands",
     "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: m, command: "
     "[run, "
     "s3cr3t]}]}}",
     false},
    {"arguments",
     "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: m, args: "
     "[--token=s3cr3t]}]}}",
     false},
    {"commands of probes",
     "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: m, "
     "livenessProbe: "
     "{exec: {command: [check, s3cr3t]}}}]}}",
     false},
    {"headers of probes",
     "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: m, "
     "readinessProbe: "
     "{httpGet: {httpHeaders: [{name: Authorization, value: s3cr3t}]}}}]}}",
     false},
    {"commands of hooks",
     "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: m, lifecycle: "
     "{preStop: {exec: {command: [bye, s3cr3t]}}}}]}}",
     false},
    {"what kubectl applied last, for that repeats all of it",
     "{apiVersion: v1, kind: Node, metadata: {name: a, annotations: "
     "{kubectl.kubernetes.io/last-applied-configuration: s3cr3t}}}",
     false},
    {"other annotations, which may repeat anything",
     "{apiVersion: v1, kind: Node, metadata: {name: a, annotations: {example.com/note: s3cr3t}}}",
     false},
    {"the annotation of a claim that a pod's name for it is in",
     "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c, annotations: "
     "{resource.kubernetes.io/pod-claim-name: s3cr3t}}}",
     true},
    {"labels stay",
     "{apiVersion: v1, kind: Node, metadata: {name: a, labels: {example.com/note: s3cr3t}}}", true},
    {"data of a driver in a claim's status",
     "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c}, status: {devices: "
     "[{driver: d, pool: p, device: x, data: {key: s3cr3t}}]}}",
     false},
    {"contents of volumes",
     "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {volumes: [{name: v, csi: {driver: x, "
     "volumeAttributes: {password: s3cr3t}}}]}}",
     false},
    {"the first of two fields with one name",
     "{\"apiVersion\": v1, \"kind\": Pod, \"metadata\": {\"name\": p}, \"spec\": {\"containers\": "
     "[{\"name\": c, \"args\": [s3cr3t]}], \"containers\": [{\"name\": c, \"args\": [x]}]}}",
     false},
    {"ephemeral containers of templates",
     "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {template: {spec: "
     "{resourceClaims: [{name: r, resourceClaimName: q}], containers: [{name: c}], "
     "ephemeralContainers: [{name: e, command: [s3cr3t]}]}}}}",
     false},
    {"what was applied last, in a template",
     "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {template: {metadata: "
     "{annotations: {kubectl.kubernetes.io/last-applied-configuration: s3cr3t}}, spec: "
     "{resourceClaims: [{name: r, resourceClaimName: q}], containers: [{name: c}]}}}}",
     false},
    {"passwords and the autoscaler of a RayCluster",
     "{apiVersion: ray.io/v1, kind: RayCluster, metadata: {name: r}, spec: "
     "{gcsFaultToleranceOptions: {redisPassword: {value: s3cr3t}}, autoscalerOptions: {env: "
     "[{name: X, value: y}]}, headGroupSpec: {rayStartParams: {redis-password: x}, template: "
     "{spec: {resourceClaims: [{name: r, resourceClaimName: q}], containers: [{name: c}]}}}}}",
     false},
};

TEST_CASE("what may hold secrets is omitted, unless all is asked for") {
  for (const RedactCase& row : kRedactions) {
    CAPTURE(row.name);
    const Snapshot snapshot = Scene().yaml(row.object).build();
    RecordOptions options = at_nine();
    CHECK((text_of(snapshot, options).find(kSecret) != std::string::npos) == row.kept);
    options.full = true;
    CHECK(text_of(snapshot, options).find(kSecret) != std::string::npos);
  }
}

// A value for every field of a type. Texts are their own path, so that it shows which ones are
// kept.
json::Value filled(const api::SchemaType& type, const std::string& path, int depth);

json::Value filled_value(const api::SchemaValue& value, const std::string& path, int depth) {
  using api::ValueKind;
  switch (value.kind) {
    case ValueKind::Object:
      return filled(*api::type_of(value), path, depth);
    case ValueKind::List:
      return json::Value::array({filled_value(api::element_of(value), path, depth)});
    case ValueKind::Map: {
      json::Value map = json::Value::object();
      map.set("k", filled_value(api::element_of(value), path, depth));
      return map;
    }
    case ValueKind::Any: {
      json::Value any = json::Value::object();
      any.set("k", base::format("<{}>", path));
      return any;
    }
    case ValueKind::Bool:
      return true;
    case ValueKind::Int32:
    case ValueKind::Int64:
      return 1;
    case ValueKind::Timestamp:
      return "2026-11-20T09:00:00Z";
    default:
      return base::format("<{}>", path);
  }
}

json::Value filled(const api::SchemaType& type, const std::string& path, int depth) {
  json::Value object = json::Value::object();
  if (depth == 0) return object;
  for (const api::SchemaField& field : api::fields_of(type)) {
    const std::string below = base::format("{}.{}", path, field.name);
    object.set(std::string(field.name), filled_value(field.value, below, depth - 1));
  }
  return object;
}

TEST_CASE("a recording holds only fields that are decoded, of every kind whose fields are known") {
  // The host name is read with the environment (api/pod_environment.h).
  std::set<std::string> decoded = {"Pod.spec.hostname"};
  // Workloads are one type, with other paths.
  std::set<std::string> names = {"completionMode", "hostname", "managedBy", "podManagementPolicy"};
  for (const api::FieldName& field : api::all_fields()) {
    decoded.insert(field.path);
    names.insert(field.path.substr(field.path.rfind('.') + 1));
  }
  for (const api::KindInfo& kind : api::all_kinds()) {
    const std::string api_version = api::api_version_of(kind, kind.versions.front());
    const api::SchemaType* type = api::schema_of(api_version, kind.name);
    if (type == nullptr) continue;
    CAPTURE(kind.name);
    json::Value object = filled(*type, std::string(kind.name), 12);
    keep_recorded_fields(object, api_version, kind.name);
    const std::string text = json::write_json(object, json::Style::Compact);
    std::size_t kept = 0;
    for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
      const std::string path = text.substr(at + 1, text.find('>', at) - at - 1);
      CAPTURE(path);
      const std::string name = path.substr(path.rfind('.') + 1);
      CHECK((kind.is_workload() ? names.contains(name) : decoded.contains(path)));
      for (const char* secret : {"annotations", "env", "args", "command", "parameters", "data"})
        CHECK(name != secret);
      ++kept;
    }
    CHECK(kept > 3);
  }
}

TEST_CASE("what the API demands stays there, empty") {
  const Snapshot snapshot = Scene().yaml(kRedactions[0].object).build();
  const Snapshot again = read_back(text_of(snapshot, at_nine()));
  const auto& config = again.all<api::ResourceClaim>().front().spec.devices.config.front().config;
  CHECK(config.opaque->driver == "d");
  CHECK(config.opaque->parameters.text == "{}");
}

struct KeptCase {
  const char* name;
  const char* event;  // the object that it is about, and what it says
  bool kept;
};

const KeptCase kEvents[] = {
    {"of a pod with claims", "involvedObject: {kind: Pod, namespace: default, name: p}", true},
    {"of a pod without", "involvedObject: {kind: Pod, namespace: default, name: plain}", false},
    {"of a pod that is gone", "involvedObject: {kind: Pod, namespace: default, name: gone}", false},
    {"of a claim", "involvedObject: {kind: ResourceClaim, namespace: default, name: c}", true},
    {"of a taint rule", "involvedObject: {kind: DeviceTaintRule, name: r}", true},
    {"of anything else", "involvedObject: {kind: ReplicaSet, namespace: default, name: r}", false},
};

TEST_CASE("events are kept if they are about devices") {
  for (const KeptCase& row : kEvents) {
    CAPTURE(row.name);
    const Snapshot snapshot = scene()
                                  .pod("p", "{name: gpu, resourceClaimName: c}")
                                  .pod("plain", "")
                                  .yaml("{apiVersion: v1, kind: Event, metadata: {name: e}, " +
                                        std::string(row.event) + "}")
                                  .build();
    CHECK(read_back(text_of(snapshot, at_nine())).all<api::Event>().size() == (row.kept ? 1 : 0));
  }
}

TEST_CASE("a recording is an ordinary List that kubectl could read") {
  const Snapshot snapshot =
      scene()
          .yaml(
              "{apiVersion: resource.k8s.io/v1beta1, kind: ResourceClaim, metadata: {name: c, "
              "managedFields: [{manager: m}]}, spec: {devices: {requests: [{name: r, "
              "deviceClassName: "
              "gpu}]}}}")
          .yaml("{apiVersion: v1, kind: ConfigMap, metadata: {name: somebody-elses}, data: {a: b}}")
          .build();
  const json::Value list = record(snapshot, at_nine());
  CHECK(list.find("kind")->text() == "List");
  CHECK(list.find("apiVersion")->text() == "v1");
  std::string items;
  for (const json::Value& item : list.find("items")->items()) {
    items += item.find("apiVersion")->text() + " " + item.find("kind")->text() + " " +
             item.at({"metadata", "name"})->text() + "\n";
    CHECK(item.at({"metadata", "managedFields"}) == nullptr);
  }
  // Objects keep the version in which they were read; other people's ConfigMaps stay theirs.
  CHECK(items ==
        "resource.k8s.io/v1 DeviceClass gpu\n"
        "resource.k8s.io/v1beta1 ResourceClaim c\n"
        "v1 ConfigMap kubectl-dra-snapshot\n");
}

struct FactsCase {
  const char* name;
  const char* data;
  const char* want;  // the error's start
};

const FactsCase kBadFacts[] = {
    {"a time that is none", "{time: yesterday}", "ConfigMap kubectl-dra-snapshot: data.time: "},
    {"gaps that are no JSON", "{missing: '{'}", "ConfigMap kubectl-dra-snapshot: data.missing: "},
};

TEST_CASE("facts of a recording that cannot be read are an error") {
  for (const FactsCase& row : kBadFacts) {
    CAPTURE(row.name);
    Builder builder;
    REQUIRE(builder
                .add_text("---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: "
                          "kubectl-dra-snapshot}, data: " +
                              std::string(row.data) + "}",
                          "f")
                .ok());
    const auto built = std::move(builder).build();
    REQUIRE_FALSE(built.ok());
    CAPTURE(built.error().message);
    CHECK(built.error().message.starts_with(row.want));
  }
}

TEST_CASE("facts about kinds that are not known are passed over") {
  const Snapshot snapshot = read_back(
      R"({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "kubectl-dra-snapshot"},
          "data": {"missing": "{\"widgets\": \"no\", \"pods\": \"no\"}"}})");
  REQUIRE(snapshot.coverage().missing().size() == 1);
  CHECK(snapshot.coverage().missing().front().kind == api::Kind::Pod);
}

}  // namespace
}  // namespace dra::snapshot::recording_test
