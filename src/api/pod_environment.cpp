// src/api/pod_environment.cpp: the fields of a pod that are read on demand (k8s.io/api core/v1).

#include "dra/api/pod_environment.h"

#include "src/api/pod_part.h"

namespace dra::api {

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

template const FieldTable& table_of<PodEnvironment>();

PodEnvironment environment_of(const Pod& pod, base::Arena& arena) {
  return spec_part_of<PodEnvironment>(pod, arena);
}

}  // namespace dra::api
