// src/engine/scheduler/unsimulated.cpp: a table of volume sources, and checks for groups and
// tolerations.

#include "src/engine/scheduler/unsimulated.h"

#include <algorithm>

#include "dra/base/text.h"

namespace dra::engine {
namespace {

struct SourceRow {
  std::string_view name;
  std::optional<api::Present> api::VolumeSource::*source;
};

// Claims and sources that are migrated to CSI drivers are bound, counted and tied to zones; disks
// for one pod only are looked for among the pods of the node.
constexpr SourceRow kSources[] = {
    {"persistentVolumeClaim", &api::VolumeSource::persistent_claim},
    {"ephemeral", &api::VolumeSource::ephemeral},
    {"awsElasticBlockStore", &api::VolumeSource::aws_disk},
    {"azureDisk", &api::VolumeSource::azure_disk},
    {"azureFile", &api::VolumeSource::azure_file},
    {"cinder", &api::VolumeSource::cinder},
    {"gcePersistentDisk", &api::VolumeSource::gce_disk},
    {"iscsi", &api::VolumeSource::iscsi},
    {"portworxVolume", &api::VolumeSource::portworx},
    {"rbd", &api::VolumeSource::rbd},
    {"vsphereVolume", &api::VolumeSource::vsphere},
};

std::vector<std::string> kinds_of_volumes(const api::Pod& pod) {
  std::vector<std::string> kinds;
  for (const SourceRow& row : kSources) {
    const bool used = std::ranges::any_of(pod.spec.volumes, [&row](const api::Volume& volume) {
      return (volume.source.*row.source).has_value();
    });
    if (used) kinds.emplace_back(row.name);
  }
  return kinds;
}

bool needs_declared_features(const api::Container& container) {
  return std::ranges::any_of(
             container.restart_rules,
             [](const auto& rule) { return rule.action == "RestartAllContainers"; }) ||
         std::ranges::any_of(container.mounts,
                             [](const auto& mount) { return !mount.bind_options.empty(); });
}

bool needs_declared_features(const api::PodSpec& spec) {
  const auto needs = [](const api::Container& c) { return needs_declared_features(c); };
  return (spec.host_network && spec.host_users == false) ||
         std::ranges::any_of(spec.containers, needs) ||
         std::ranges::any_of(spec.init_containers, needs);
}

}  // namespace

bool compares(const api::Toleration& toleration) {
  return toleration.op == "Lt" || toleration.op == "Gt";
}

std::vector<std::string> unsimulated_parts(const api::Pod& pod, const NodeLoads& loads) {
  const api::PodSpec& spec = pod.spec;
  std::vector<std::string> parts;
  const auto add_if = [&parts](bool used, std::string part) {
    if (used) parts.push_back(std::move(part));
  };
  if (!loads.gap().empty())
    parts.push_back(base::format("what other pods request ({})", loads.gap()));
  add_if(std::ranges::any_of(spec.tolerations, compares), "tolerations that compare numbers");
  if (const auto volumes = kinds_of_volumes(pod); !volumes.empty())
    parts.push_back(base::format("volumes ({})", base::join(volumes, ", ")));
  add_if(needs_declared_features(spec), "features that nodes declare");
  if (spec.group) parts.push_back(base::format("the pod group {}", spec.group->pod_group));
  return parts;
}

}  // namespace dra::engine
