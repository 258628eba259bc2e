// include/dra/api/pod_environment.h
//
// The environment of a pod's containers, and its host name. Only answers about pods that hold TPUs
// need it, so it is not decoded for all pods, but read from the bytes of the few.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dra/api/pod.h"
#include "dra/base/memory.h"

namespace dra::api {

// Where a variable's value comes from, if not from the pod (core/v1.EnvVarSource).
struct EnvironmentSource {
  std::optional<Present> field;
  std::optional<Present> resource;
  std::optional<Present> config_map;
  std::optional<Present> secret;
  std::optional<Present> file;
};
struct EnvironmentVariable {
  std::string_view name;
  std::string_view value;  // as written, with $(references)
  Rare<EnvironmentSource> from;
};
struct ContainerEnvironment {
  std::string_view name;  // of the container
  std::vector<EnvironmentVariable> variables;
};
struct PodEnvironment {
  std::vector<ContainerEnvironment> init_containers;
  std::vector<ContainerEnvironment> containers;
  std::string_view host_name;
};

// Reads the bytes of the pod. The result points into these and into the arena.
PodEnvironment environment_of(const Pod& pod, base::Arena& arena);

}  // namespace dra::api
