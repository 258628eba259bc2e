// src/api/pod_workload.h: what of a pod's spec is read for its workload, and kept in recordings.

#pragma once

#include <optional>
#include <string_view>

namespace dra::api {

struct WorkloadEntry {
  std::string_view name;
  std::string_view pod_group;
  std::string_view replica;
};
struct PodWorkload {
  std::optional<WorkloadEntry> workload;
};

}  // namespace dra::api
