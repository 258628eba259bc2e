// src/engine/running/kubelet_resources.cpp: extended resources that DRA serves, on nodes whose
// kubelet counts them as those of device plugins, or does not prepare their claim. A source of
// after_scheduling.h.
//
// Upstream: k8s.io/kubernetes/pkg/kubelet/lifecycle, predicate.go, removeMissingExtendedResources:
// up to v1.35 it keeps a resource that the node lists, if only with 0, and one that is named after
// a class; from v1.36 on it drops those of the pod's extendedResourceClaimStatus. The claim itself:
// pkg/kubelet/cm/dra, manager.go, where the gate DRAExtendedResource is off by default before v1.36
// and always on from v1.37 on.

#include "dra/api/cluster_objects.h"
#include "dra/api/release.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/extended_resources.h"
#include "dra/engine/facts/features.h"
#include "src/engine/running/after_scheduling.h"

namespace dra::engine {
namespace {

constexpr int kKnowsSince = 36;  // minor release of the kubelet
constexpr int kAlwaysOnSince = 37;
constexpr std::string_view kOutOf = "OutOf";
constexpr std::string_view kNamedAfterClass = "deviceclass.resource.kubernetes.io/";

struct Kubelet {
  const api::Node* node;
  std::string_view version;
  int minor;
};

// No value: its node or its version is not known.
std::optional<Kubelet> kubelet_of(const AfterScene& scene) {
  const auto* node = scene.snapshot.find<api::Node>(scene.pod->spec.node_name);
  if (node == nullptr) return std::nullopt;
  const std::string_view version = node->status.info.kubelet_version;
  const auto release = api::release_of(version);
  if (!release) return std::nullopt;
  return Kubelet{node, version, release->minor};
}

bool is_served_by_dra(const AfterScene& scene, std::string_view resource) {
  if (resource.starts_with(kNamedAfterClass)) return true;
  const ResourceClasses classes(scene.snapshot.all<api::DeviceClass>());
  return classes.of(resource) != nullptr;
}

// The node lists none of the resource: a device plugin had registered it, and is gone.
bool is_listed_as_none(const api::Node& node, std::string_view resource) {
  const auto* amount = api::find(node.status.allocatable, resource);
  return amount != nullptr && amount->text == "0";
}

}  // namespace

bool is_refused_for_resource(const AfterScene& scene, AfterFinding& found) {
  const api::PodStatus& status = scene.pod->status;
  const std::string_view reason = status.reason;
  const auto kubelet = kubelet_of(scene);
  if (!reason.starts_with(kOutOf) || !kubelet || kubelet->minor >= kAlwaysOnSince) return false;
  const std::string_view resource = reason.substr(kOutOf.size());
  if (!is_served_by_dra(scene, resource)) return false;
  const bool listed = is_listed_as_none(*kubelet->node, resource);
  if (!listed && !resource.starts_with(kNamedAfterClass)) return false;
  const std::string_view node = kubelet->node->meta.name;
  const std::string_view off =
      kubelet->minor < kKnowsSince ? "" : ", where its feature gate DRAExtendedResource is off";
  found.finding.message =
      listed
          ? base::format(
                "node {} still lists {}: 0 of a device plugin that is gone, and its kubelet ({}{}) "
                "counts that, though DRA serves it",
                node, resource, kubelet->version, off)
          : base::format(
                "the kubelet of node {} ({}{}) refused the pod, as it does not know that "
                "DRA serves {}",
                node, kubelet->version, off, resource);
  found.finding.evidence.push_back({"message", std::string(status.message)});
  found.what = base::format("resource {}", resource);
  found.repair.action = listed ? Action::ForgetPlugin : Action::TeachKubelet;
  found.repair.command = listed ? Command::ForgetResource : Command::DescribeNode;
  found.repair.resource = resource;
  found.repair.object = {"Node", {}, std::string(node)};
  return true;
}

std::string unprepared_resources(const AfterScene& scene) {
  const auto kubelet = kubelet_of(scene);
  if (!kubelet || kubelet->minor >= kKnowsSince || !scene.pod->status.extended_resource_claim)
    return {};
  // An older control plane has the gate by hand, and then its kubelets have it as well.
  if (minor_release(scene.snapshot.server()) < kKnowsSince) return {};
  return base::format(
      "the kubelet of node {} ({}) probably prepares no extended resources of DRA, as its gate "
      "DRAExtendedResource is off by default before v1.36",
      kubelet->node->meta.name, kubelet->version);
}

}  // namespace dra::engine
