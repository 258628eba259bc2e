// src/engine/scheduler/volumes/volume_limits.h
//
// How many volumes of each CSI driver can be attached to a node, and how many are.
//
// Upstream: k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodevolumelimits, CSILimits. Volumes
// that have a disk of a cloud as their source count for the CSI driver that replaced it.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/api/pod.h"
#include "dra/diag/reason.h"
#include "dra/engine/cluster/node_loads.h"

namespace dra::engine {

// An annotation says which disks a node leaves to CSI drivers. Volume binding asks it; for limits
// it is enough that there is a CSINode, but for volumes of Portworx before v1.36.
bool is_migrated(const api::CsiNode& node, std::string_view in_tree);

// The name of the plugin that a volume needed before CSI; empty: none that was replaced.
std::string_view in_tree_plugin(const api::PersistentVolumeSource& source);

class VolumeLimits {
 public:
  // All must outlive it. Claims, volumes, classes, CSINodes, CSIDrivers, VolumeAttachments and pods
  // must have been read.
  VolumeLimits(const snapshot::Snapshot& snapshot, const NodeLoads& loads, const api::Pod& pod);

  // At most one reason.
  void check(const api::Node& node, std::vector<diag::Reason>& reasons) const;

 private:
  using Volumes = std::map<std::string, std::string_view>;  // drivers, by driver and handle

  bool counts(const api::CsiNode* node, std::string_view in_tree) const;
  void add(const api::Pod& pod, const api::CsiNode* node, Volumes& volumes) const;
  void add_disks(const api::VolumeSource& source, const api::CsiNode* node, Volumes& volumes) const;
  void add_claim(const api::Pod& pod, const api::Volume& volume, const api::CsiNode* node,
                 Volumes& volumes) const;
  void add_of_class(std::string_view class_name, const std::string& claim, const api::CsiNode* node,
                    Volumes& volumes) const;
  bool misses_driver(std::string_view driver, const api::CsiNode* node) const;
  void compare(const api::CsiNode& node, Volumes wanted, std::vector<diag::Reason>& reasons) const;

  const snapshot::Snapshot& snapshot_;
  const api::Pod& pod_;
  int minor_;
  bool asks_for_drivers_;
  std::unordered_map<std::string_view, std::vector<const api::Pod*>> pods_;  // others, by node
  std::unordered_map<std::string_view, std::vector<const api::VolumeAttachment*>> attachments_;
};

}  // namespace dra::engine
