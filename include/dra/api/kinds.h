// include/dra/api/kinds.h
//
// The kinds of objects that the program reads, with their names and versions in the API. One table;
// nothing else knows these names.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dra::api {

inline constexpr std::string_view kDraGroup = "resource.k8s.io";
inline constexpr std::string_view kStorageGroup = "storage.k8s.io";

enum class Kind : std::uint8_t {
  Claim,
  Class,
  ComputeClass,
  ComputeDomain,
  ConfigMap,
  CsiDriver,
  CsiNode,
  DisruptionBudget,
  Event,
  MutatingWebhooks,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodGroup,
  QueuedWorkload,
  Quota,
  Slice,
  StorageCapacity,
  StorageClass,
  TaintRule,
  Template,
  VolumeAttachment,
  // Workloads, which make pods (workload.h). A cluster need not have those of add-ons.
  CronJob,
  DaemonSet,
  Deployment,
  Job,
  JobSet,
  LeaderWorkerSet,
  RayCluster,
  ReplicaSet,
  StatefulSet,
};
inline constexpr std::size_t kKindCount = 33;

struct KindInfo {
  Kind kind;
  std::string_view name;      // "ResourceClaim"
  std::string_view resource;  // "resourceclaims", as in paths
  std::string_view group;     // empty for the core group
  bool namespaced;
  std::array<std::string_view, 4> versions;  // best first; empty entries at the end
  bool wire = false;  // protobuf is decoded: lists of many objects, of kinds that have it

  bool is_dra() const { return group == kDraGroup; }
  bool is_workload() const { return kind >= Kind::CronJob; }
  // Older versions have other numbers, or other shapes.
  bool has_wire(std::string_view version) const {
    return wire && (version == "v1" || version == "v1beta2");
  }
  // The kind of an add-on, or one that is off by default. The server may not have it, or in another
  // version.
  bool is_custom() const {
    return !is_dra() && group != kStorageGroup && group.find('.') != std::string_view::npos;
  }
  // Decides, with others of its like, which nodes can have the volumes of a pod.
  bool is_of_volumes() const {
    return group == kStorageGroup || kind == Kind::PersistentVolume ||
           kind == Kind::PersistentVolumeClaim;
  }
};

std::span<const KindInfo> all_kinds();
const KindInfo& info_of(Kind kind);

// "resourceclaims.resource.k8s.io", "pods": how servers and kubectl name the kind in messages.
std::string qualified_resource(const KindInfo& kind);

// The kind of objects with this apiVersion and kind. nullptr: the program does not read them.
const KindInfo* kind_of(std::string_view api_version, std::string_view name);

// "resource.k8s.io/v1beta1" -> "resource.k8s.io" and "v1beta1". The core group is empty.
std::string_view group_of(std::string_view api_version);
std::string_view version_of(std::string_view api_version);
std::string api_version_of(const KindInfo& kind, std::string_view version);

// "/apis/resource.k8s.io/v1/namespaces/ml/resourceclaims"; all namespaces when `ns` is empty.
std::string list_path(const KindInfo& kind, std::string_view version, std::string_view ns);

}  // namespace dra::api
