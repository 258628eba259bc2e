// src/topology/pod_environment.cpp: see pod_environment.h.

#include "src/topology/pod_environment.h"

namespace dra::topology {
namespace {

// The kind of source. Names of Secrets and their keys are left out.
std::string_view source_of(const api::EnvironmentSource& from) {
  if (from.field) return "a field";
  if (from.resource) return "a resource";
  if (from.secret) return "a Secret";
  if (from.config_map) return "a ConfigMap";
  if (from.file) return "a file";
  return "elsewhere";
}

}  // namespace

std::optional<ContainerVariable> variable_of(const api::ContainerEnvironment& container,
                                             std::string_view name) {
  std::optional<ContainerVariable> found;
  for (const api::EnvironmentVariable& variable : container.variables) {
    if (variable.name != name) continue;
    found.emplace();
    if (!variable.value.empty()) found->value = variable.value;
    if (variable.from) found->from = source_of(*variable.from);
  }
  return found;
}

}  // namespace dra::topology
