// src/engine/scheduler/declared_features.cpp: a table of features with the release of each.

#include "src/engine/scheduler/declared_features.h"

#include <algorithm>
#include <array>

#include "dra/engine/facts/features.h"

namespace dra::engine {
namespace {

template <class F>
bool any_container(const api::PodSpec& spec, F needs) {
  return std::ranges::any_of(spec.containers, needs) ||
         std::ranges::any_of(spec.init_containers, needs);
}

bool restarts_all(const api::PodSpec& spec) {
  return any_container(spec, [](const api::Container& container) {
    return std::ranges::any_of(container.restart_rules, [](const auto& rule) {
      return rule.action == "RestartAllContainers";
    });
  });
}

bool is_user_namespace_on_host_network(const api::PodSpec& spec) {
  return spec.host_network && spec.host_users == false;
}

bool has_mount_options(const api::PodSpec& spec) {
  return any_container(spec, [](const api::Container& container) {
    return std::ranges::any_of(container.mounts,
                               [](const auto& mount) { return !mount.bind_options.empty(); });
  });
}

struct FeatureRow {
  std::string_view name;
  int since;  // minor release of the scheduler
  bool (*is_needed)(const api::PodSpec& spec);
};
constexpr std::array<FeatureRow, 3> kFeatures = {{
    {"RestartAllContainersOnContainerExits", 35, restarts_all},
    {"UserNamespacesHostNetworkSupport", 36, is_user_namespace_on_host_network},
    {"VolumeBindMountOptions", 37, has_mount_options},
}};

}  // namespace

std::vector<std::string_view> features_needed(const api::PodSpec& spec,
                                              const snapshot::Server& server) {
  std::vector<std::string_view> needed;
  for (const FeatureRow& row : kFeatures) {
    if (row.is_needed(spec) && minor_release(server) >= row.since) needed.push_back(row.name);
  }
  if (!needed.empty() && !features_of(server).on(Gate::NodeDeclaredFeatures)) needed.clear();
  return needed;
}

}  // namespace dra::engine
