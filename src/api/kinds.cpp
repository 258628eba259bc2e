// src/api/kinds.cpp: see kinds.h.

#include "dra/api/kinds.h"

#include <algorithm>

#include "dra/base/text.h"

namespace dra::api {
namespace {

constexpr bool kWire = true;

constexpr std::array<KindInfo, kKindCount> kKinds = {{
    {Kind::Claim,
     "ResourceClaim",
     "resourceclaims",
     kDraGroup,
     true,
     {"v1", "v1beta2", "v1beta1", "v1alpha3"},
     kWire},
    {Kind::Class,
     "DeviceClass",
     "deviceclasses",
     kDraGroup,
     false,
     {"v1", "v1beta2", "v1beta1", "v1alpha3"},
     kWire},
    {Kind::ComputeClass, "ComputeClass", "computeclasses", "cloud.google.com", false, {"v1"}},
    {Kind::ComputeDomain,
     "ComputeDomain",
     "computedomains",
     "resource.nvidia.com",
     true,
     {"v1beta1"}},
    {Kind::ConfigMap, "ConfigMap", "configmaps", "", true, {"v1"}, kWire},
    {Kind::CsiDriver, "CSIDriver", "csidrivers", kStorageGroup, false, {"v1"}, kWire},
    {Kind::CsiNode, "CSINode", "csinodes", kStorageGroup, false, {"v1"}, kWire},
    {Kind::DisruptionBudget,
     "PodDisruptionBudget",
     "poddisruptionbudgets",
     "policy",
     true,
     {"v1"},
     kWire},
    {Kind::Event, "Event", "events", "", true, {"v1"}, kWire},
    {Kind::MutatingWebhooks,
     "MutatingWebhookConfiguration",
     "mutatingwebhookconfigurations",
     "admissionregistration.k8s.io",
     false,
     {"v1"}},
    {Kind::Namespace, "Namespace", "namespaces", "", false, {"v1"}, kWire},
    {Kind::Node, "Node", "nodes", "", false, {"v1"}, kWire},
    {Kind::PersistentVolume, "PersistentVolume", "persistentvolumes", "", false, {"v1"}, kWire},
    {Kind::PersistentVolumeClaim,
     "PersistentVolumeClaim",
     "persistentvolumeclaims",
     "",
     true,
     {"v1"},
     kWire},
    {Kind::Pod, "Pod", "pods", "", true, {"v1"}, kWire},
    {Kind::PodGroup,
     "PodGroup",
     "podgroups",
     "scheduling.k8s.io",
     true,
     {"v1beta1", "v1alpha3", "v1alpha2"}},
    {Kind::QueuedWorkload, "Workload", "workloads", "kueue.x-k8s.io", true, {"v1beta1", "v1beta2"}},
    {Kind::Quota, "ResourceQuota", "resourcequotas", "", true, {"v1"}, kWire},
    {Kind::Slice,
     "ResourceSlice",
     "resourceslices",
     kDraGroup,
     false,
     {"v1", "v1beta2", "v1beta1", "v1alpha3"},
     kWire},
    {Kind::StorageCapacity,
     "CSIStorageCapacity",
     "csistoragecapacities",
     kStorageGroup,
     true,
     {"v1"},
     kWire},
    {Kind::StorageClass, "StorageClass", "storageclasses", kStorageGroup, false, {"v1"}, kWire},
    {Kind::TaintRule,
     "DeviceTaintRule",
     "devicetaintrules",
     kDraGroup,
     false,
     {"v1", "v1beta2", "v1alpha3"},
     kWire},
    {Kind::Template,
     "ResourceClaimTemplate",
     "resourceclaimtemplates",
     kDraGroup,
     true,
     {"v1", "v1beta2", "v1beta1", "v1alpha3"},
     kWire},
    {Kind::VolumeAttachment,
     "VolumeAttachment",
     "volumeattachments",
     kStorageGroup,
     false,
     {"v1"},
     kWire},
    {Kind::CronJob, "CronJob", "cronjobs", "batch", true, {"v1"}},
    {Kind::DaemonSet, "DaemonSet", "daemonsets", "apps", true, {"v1"}},
    {Kind::Deployment, "Deployment", "deployments", "apps", true, {"v1"}},
    {Kind::Job, "Job", "jobs", "batch", true, {"v1"}},
    {Kind::JobSet, "JobSet", "jobsets", "jobset.x-k8s.io", true, {"v1alpha2"}},
    {Kind::LeaderWorkerSet,
     "LeaderWorkerSet",
     "leaderworkersets",
     "leaderworkerset.x-k8s.io",
     true,
     {"v1"}},
    {Kind::RayCluster, "RayCluster", "rayclusters", "ray.io", true, {"v1", "v1alpha1"}},
    {Kind::ReplicaSet, "ReplicaSet", "replicasets", "apps", true, {"v1"}},
    {Kind::StatefulSet, "StatefulSet", "statefulsets", "apps", true, {"v1"}},
}};

constexpr bool indexed_by_kind() {
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    if (static_cast<std::size_t>(kKinds[i].kind) != i) return false;
  }
  return true;
}
static_assert(indexed_by_kind(), "the table stands in the order of the enumeration");

}  // namespace

std::span<const KindInfo> all_kinds() { return kKinds; }

const KindInfo& info_of(Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

const KindInfo* kind_of(std::string_view api_version, std::string_view name) {
  const std::string_view version = version_of(api_version);
  for (const KindInfo& kind : kKinds) {
    if (kind.name != name || kind.group != group_of(api_version)) continue;
    const bool known =
        !version.empty() && std::ranges::find(kind.versions, version) != kind.versions.end();
    return known ? &kind : nullptr;
  }
  return nullptr;
}

std::string_view group_of(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

std::string_view version_of(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? api_version : api_version.substr(slash + 1);
}

std::string api_version_of(const KindInfo& kind, std::string_view version) {
  return kind.group.empty() ? std::string(version) : base::format("{}/{}", kind.group, version);
}

std::string qualified_resource(const KindInfo& kind) {
  return kind.group.empty() ? std::string(kind.resource)
                            : base::format("{}.{}", kind.resource, kind.group);
}

std::string list_path(const KindInfo& kind, std::string_view version, std::string_view ns) {
  const std::string root = kind.group.empty() ? base::format("/api/{}", version)
                                              : base::format("/apis/{}/{}", kind.group, version);
  if (!kind.namespaced || ns.empty()) return base::format("{}/{}", root, kind.resource);
  return base::format("{}/namespaces/{}/{}", root, base::url_escape(ns), kind.resource);
}

}  // namespace dra::api
