// include/dra/api/workload_reference.h
//
// How pods of v1.35 name their group: as an entry of a Workload (spec.workloadRef). Later ones have
// spec.schedulingGroup. Few pods are asked, so it is read from their bytes.

#pragma once

#include <optional>
#include <string>

#include "dra/api/pod.h"

namespace dra::api {

struct WorkloadReference {
  std::string workload;
  std::string pod_group;
  std::string replica;

  friend bool operator==(const WorkloadReference&, const WorkloadReference&) = default;
};

std::optional<WorkloadReference> workload_reference_of(const Pod& pod);

}  // namespace dra::api
