// src/engine/scheduler/unsimulated.cpp: a table of volume sources, and checks for affinity,
// spreading, groups and tolerations.

#include "src/engine/scheduler/unsimulated.h"

#include <algorithm>

#include "dra/base/selector.h"
#include "dra/base/text.h"

namespace dra::engine {
namespace {

base::Labels labels_of(const api::Pod& pod) {
  base::Labels labels;
  for (const auto& label : pod.meta.labels)
    labels.emplace_back(label.key, label.value);
  return labels;
}

// An unreadable requirement is assumed to match.
bool may_match(const api::LabelSelector& selector, const api::Pod& pod) {
  for (const auto& label : selector.labels) {
    const std::string_view* value = api::find(pod.meta.labels, label.key);
    if (value == nullptr || *value != label.value) return false;
  }
  const base::Labels labels = labels_of(pod);
  return std::ranges::all_of(
      selector.expressions, [&labels](const api::NodeSelectorRequirement& from) {
        const auto op = base::parse_label_operator(from.op);
        if (!op.ok()) return true;
        const auto requirement = base::Requirement::make(std::string(from.key), op.value(),
                                                         {from.values.begin(), from.values.end()});
        return !requirement.ok() || requirement.value().matches(labels);
      });
}

// A term without namespaces means its own pod's namespace. Namespaces that a selector chooses are
// not looked up: ours may be among them.
bool may_match(const api::PodAffinityTerm& term, const api::Pod& owner, const api::Pod& pod) {
  const bool own = term.namespaces.empty() && !term.namespace_selector;
  const bool named =
      std::ranges::find(term.namespaces, pod.meta.namespace_) != term.namespaces.end();
  const bool of_namespace =
      named || term.namespace_selector || (own && owner.meta.namespace_ == pod.meta.namespace_);
  return of_namespace && term.selector && may_match(*term.selector, pod);
}

bool may_be_repelled(const api::Pod& pod, const NodeLoads& loads) {
  return std::ranges::any_of(loads.repelling(), [&pod](const api::Pod* other) {
    const bool itself =
        other->meta.name == pod.meta.name && other->meta.namespace_ == pod.meta.namespace_;
    return !itself &&
           std::ranges::any_of(other->spec.affinity.against_pods.required,
                               [&](const auto& term) { return may_match(term, *other, pod); });
  });
}

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
  add_if(std::ranges::any_of(
             spec.spread, [](const auto& c) { return c.when_unsatisfiable != "ScheduleAnyway"; }),
         "topology spread constraints");
  add_if(!spec.affinity.to_pods.required.empty(), "inter-pod affinity");
  add_if(!spec.affinity.against_pods.required.empty(), "inter-pod anti-affinity");
  add_if(may_be_repelled(pod, loads), "anti-affinity of other pods");
  add_if(needs_declared_features(spec), "features that nodes declare");
  if (spec.group) parts.push_back(base::format("the pod group {}", spec.group->pod_group));
  return parts;
}

}  // namespace dra::engine
