// src/engine/scheduler/volumes/volume_supply.h
//
// Where claims that wait for their pod get a volume from on a node: from a PersistentVolume that is
// there and matches, or from the provisioner of their class.
//
// Upstream: k8s.io/kubernetes/pkg/scheduler/framework/plugins/volumebinding, findMatchingVolumes
// and checkVolumeProvisions; k8s.io/component-helpers/storage/volume, FindMatchingVolume. The
// scheduler looks at volumes in no order, so of two of one size here the first by name is taken.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/storage.h"
#include "dra/base/quantity.h"
#include "dra/diag/reason.h"
#include "dra/engine/facts/node_match.h"
#include "src/engine/scheduler/volumes/label_index.h"
#include "src/engine/scheduler/volumes/pod_volumes.h"

namespace dra::engine {

class VolumeSupply {
 public:
  // The snapshot and the claims must outlive it. What holds on every node is found here, once.
  // `capacity_known`: CSIDrivers and CSIStorageCapacities were read; without them no capacity is
  // short.
  VolumeSupply(const snapshot::Snapshot& snapshot, const std::vector<PodVolumeClaim>& claims,
               bool capacity_known);
  ~VolumeSupply();

  // At most one reason: the first claim that gets no volume on the node.
  void check(const api::Node& node, std::vector<diag::Reason>& reasons) const;

 private:
  struct Offer {
    const api::PersistentVolume* volume;
    base::Quantity size;
    NodeMatcher nodes;
    bool for_all_nodes;
  };
  // Volumes of a class, and those of them that may be for a node.
  struct Offers {
    std::vector<Offer> all;
    LabelIndex index;
  };
  struct Tally;
  using Count = std::int64_t Tally::*;
  struct Wish;
  struct Capacity {
    const api::CsiStorageCapacity* object;
    base::Quantity room;
  };
  struct Capacities {
    std::vector<Capacity> all;
    LabelIndex index;
  };

  void add_wishes(const std::vector<PodVolumeClaim>& claims);
  void add_capacities();
  static Count refusal(const PodVolumeClaim& claim, const Offer& offer);
  bool is_for(const Offer& offer, const api::Node& node) const;
  const Offer* find(const Wish& wish, const api::Node& node,
                    const std::vector<const Offer*>& taken) const;
  Tally tally(const Wish& wish, const api::Node& node,
              const std::vector<const Offer*>& taken) const;
  std::vector<const PodVolumeClaim*> without_volume(const api::Node& node,
                                                    std::vector<std::string>& why) const;
  bool provision(const PodVolumeClaim& claim, const std::string& why_none, const api::Node& node,
                 std::vector<diag::Reason>& reasons) const;
  std::vector<base::Quantity> rooms(std::string_view class_name, const api::Node& node) const;
  bool has_room(const PodVolumeClaim& claim, const api::StorageClass& storage,
                const api::Node& node, std::vector<diag::Reason>& reasons) const;

  const snapshot::Snapshot& snapshot_;
  bool capacity_known_;
  std::vector<Wish> wishes_;                   // the smallest first, of claims without a node
  std::vector<const PodVolumeClaim*> chosen_;  // their volumes are being made for a node
  std::map<std::string_view, Offers> offers_;  // by class
  std::map<std::string_view, Capacities> capacities_;  // by class
};

}  // namespace dra::engine
