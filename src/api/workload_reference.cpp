// src/api/workload_reference.cpp: a field of v1.35 (k8s.io/api v0.35 core/v1), which later releases
// do not have.

#include "dra/api/workload_reference.h"

#include "src/api/pod_part.h"
#include "src/api/pod_workload.h"

namespace dra::api {

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

template const FieldTable& table_of<PodWorkload>();

std::optional<WorkloadReference> workload_reference_of(const Pod& pod) {
  base::Arena arena;
  const PodWorkload read_spec = spec_part_of<PodWorkload>(pod, arena);
  if (!read_spec.workload) return std::nullopt;
  const WorkloadEntry& entry = *read_spec.workload;
  return WorkloadReference{std::string(entry.name), std::string(entry.pod_group),
                           std::string(entry.replica)};
}

}  // namespace dra::api
