// src/topology/pod_environment.cpp: see pod_environment.h.

#include "src/topology/pod_environment.h"

namespace dra::topology {
namespace {

// The kind of source. Names of Secrets and their keys are left out.
std::string_view source_of(const json::Value& from) {
  if (from.find("fieldRef") != nullptr) return "a field";
  if (from.find("resourceFieldRef") != nullptr) return "a resource";
  if (from.find("secretKeyRef") != nullptr) return "a Secret";
  if (from.find("configMapKeyRef") != nullptr) return "a ConfigMap";
  if (from.find("fileKeyRef") != nullptr) return "a file";
  return "elsewhere";
}

}  // namespace

std::optional<ContainerVariable> variable_of(const json::Value& container, std::string_view name) {
  const json::Value* variables = container.find("env");
  if (variables == nullptr) return std::nullopt;
  std::optional<ContainerVariable> found;
  for (const json::Value& variable : variables->items()) {
    const json::Value* own_name = variable.find("name");
    if (own_name == nullptr || own_name->text() != name) continue;
    found.emplace();
    if (const json::Value* value = variable.find("value")) found->value = value->text();
    if (const json::Value* from = variable.find("valueFrom")) found->from = source_of(*from);
  }
  return found;
}

}  // namespace dra::topology
