// src/topology/pod_environment.h
//
// Environment variables of containers that hold TPUs.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dra/api/pod_environment.h"

namespace dra::topology {

// A variable in a container's `env`. `envFrom` refers to other objects, which are not read.
struct ContainerVariable {
  // As written, with $(references). No value: it has another source, it is empty, or a recording
  // left it out.
  std::optional<std::string> value = {};
  std::string from = {};  // its source: "a field", "a Secret"; empty: not known
};

// The last of several variables with one name counts. No value: the container does not have it.
std::optional<ContainerVariable> variable_of(const api::ContainerEnvironment& container,
                                             std::string_view name);

}  // namespace dra::topology
