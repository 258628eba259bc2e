// src/api/pod_environment.cpp: the fields of a pod that are read on demand (k8s.io/api core/v1).

#include "dra/api/pod_environment.h"

#include "dra/json/parse.h"
#include "src/api/pod_fields.h"
#include "src/api/wire_fields.h"

namespace dra::api {
namespace {

// A pod as far as it is read here.
struct PodWithEnvironment {
  PodEnvironment spec;
};

}  // namespace

template <class Io>
void fields(Io& io, EnvironmentSource& s) {
  io.field("fieldRef", 1, s.field);
  io.field("resourceFieldRef", 2, s.resource);
  io.field("configMapKeyRef", 3, s.config_map);
  io.field("secretKeyRef", 4, s.secret);
  io.field("fileKeyRef", 5, s.file);
}

template <class Io>
void fields(Io& io, EnvironmentVariable& v) {
  io.field("name", 1, v.name);
  io.field("value", 2, v.value);
  io.field("valueFrom", 3, v.from);
}

template <class Io>
void fields(Io& io, ContainerEnvironment& c) {
  io.field("name", 1, c.name);
  io.field("env", 7, c.variables);
}

template <class Io>
void fields(Io& io, PodEnvironment& e) {
  io.field("containers", 2, e.containers);
  io.field("hostname", 16, e.host_name);
  io.field("initContainers", 20, e.init_containers);
}

template <class Io>
void fields(Io& io, PodWithEnvironment& p) {
  io.field("spec", 2, p.spec);
}

template const FieldTable& table_of<PodEnvironment>();

PodEnvironment environment_of(const Pod& pod, base::Arena& arena) {
  PodWithEnvironment read_pod;
  if (pod.origin.is_wire) {
    json::Reading reading{arena, {}};
    read_message(reading, pod.origin.raw, wire_table_of<PodWithEnvironment>(),
                 reinterpret_cast<std::byte*>(&read_pod));
    return std::move(read_pod.spec);
  }
  const auto tree = json::parse_json(pod.origin.raw);
  if (!tree.ok()) return {};
  json::Reading reading{arena, {}};
  json::TreeCursor root(reading, tree.value());
  read(root, read_pod);
  return std::move(read_pod.spec);
}

}  // namespace dra::api
