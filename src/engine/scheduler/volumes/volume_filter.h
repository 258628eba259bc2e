// src/engine/scheduler/volumes/volume_filter.h
//
// The scheduler's filters for volumes: whether the node can have the volumes of the pod's claims,
// whether they are in its zone, whether other pods use them alone, and whether there are too many.
//
// Upstream: k8s.io/kubernetes/pkg/scheduler/framework/plugins: volumerestrictions,
// nodevolumelimits, volumebinding, volumezone, v1.34 to v1.37.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dra/api/pod.h"
#include "dra/diag/reason.h"
#include "dra/engine/cluster/node_loads.h"
#include "dra/engine/facts/node_match.h"
#include "src/engine/scheduler/volumes/pod_volumes.h"
#include "src/engine/scheduler/volumes/volume_limits.h"
#include "src/engine/scheduler/volumes/volume_supply.h"

namespace dra::engine {

class VolumeFilter {
 public:
  // All must outlive it.
  VolumeFilter(const snapshot::Snapshot& snapshot, const NodeLoads& loads, const api::Pod& pod);

  // Whether the pod has anything for it.
  static bool concerns(const api::Pod& pod) { return has_volumes_for_filters(pod.spec); }

  // Every reason against the node; where something could not be read, only what is certain.
  // `with_pods_elsewhere`: also that a pod on another node uses a claim alone.
  void check(const api::Node& node, bool with_pods_elsewhere,
             std::vector<diag::Reason>& reasons) const;

  // What decides and could not be read or is not simulated, as parts of a sentence.
  std::vector<std::string> not_read() const;

 private:
  struct Zone {
    std::string_view key;
    std::vector<std::string> values;
  };
  struct Bound {
    const PodVolumeClaim* claim;
    const api::PersistentVolume* volume;  // nullptr: it does not exist
    std::optional<NodeMatcher> nodes = {};
    std::vector<Zone> zones = {};
  };

  void add_bound(const PodVolumeClaim& claim);
  void find_single_users(const NodeLoads& loads);
  void check_disks(const api::Node& node, std::vector<diag::Reason>& reasons) const;
  void check_bound(const api::Node& node, std::vector<diag::Reason>& reasons) const;
  void check_zones(const api::Node& node, std::vector<diag::Reason>& reasons) const;
  bool needs_translation() const;

  const snapshot::Snapshot& snapshot_;
  const api::Pod& pod_;
  bool has_claims_;
  bool pods_known_;
  std::vector<api::Kind> unread_;
  bool claims_known_ = false;
  PodVolumes volumes_;
  std::vector<Bound> bound_;
  std::optional<diag::Reason> single_use_;
  std::unordered_map<std::string_view, std::vector<const api::Pod*>> disk_users_;  // by node
  std::unique_ptr<const VolumeSupply> supply_;
  std::unique_ptr<const VolumeLimits> limits_;
};

}  // namespace dra::engine
