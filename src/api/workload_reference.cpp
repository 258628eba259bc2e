// src/api/workload_reference.cpp: a field of v1.35 (k8s.io/api v0.35 core/v1), which later releases
// do not have.

#include "dra/api/workload_reference.h"

#include "dra/base/memory.h"
#include "dra/json/parse.h"
#include "src/api/pod_fields.h"
#include "src/api/pod_workload.h"
#include "src/api/wire_fields.h"

namespace dra::api {
namespace {

// A pod as far as it is read here.
struct PodWithWorkload {
  PodWorkload spec;
};

}  // namespace

template <class Io>
void fields(Io& io, WorkloadEntry& w) {
  io.field("name", 1, w.name);
  io.field("podGroup", 2, w.pod_group);
  io.field("podGroupReplicaKey", 3, w.replica);
}

template <class Io>
void fields(Io& io, PodWorkload& w) {
  io.field("workloadRef", 42, w.workload);
}

template <class Io>
void fields(Io& io, PodWithWorkload& p) {
  io.field("spec", 2, p.spec);
}

template const FieldTable& table_of<PodWorkload>();

std::optional<WorkloadReference> workload_reference_of(const Pod& pod) {
  PodWithWorkload read_pod;
  base::Arena arena;
  json::Reading reading{arena, {}};
  const auto tree = pod.origin.is_wire ? json::parse_json("{}") : json::parse_json(pod.origin.raw);
  if (!tree.ok()) return std::nullopt;
  if (pod.origin.is_wire) {
    read_message(reading, pod.origin.raw, wire_table_of<PodWithWorkload>(),
                 reinterpret_cast<std::byte*>(&read_pod));
  } else {
    json::TreeCursor root(reading, tree.value());
    read(root, read_pod);
  }
  if (!read_pod.spec.workload) return std::nullopt;
  const WorkloadEntry& entry = *read_pod.spec.workload;
  return WorkloadReference{std::string(entry.name), std::string(entry.pod_group),
                           std::string(entry.replica)};
}

}  // namespace dra::api
