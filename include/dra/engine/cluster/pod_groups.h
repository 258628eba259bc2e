// include/dra/engine/cluster/pod_groups.h
//
// Claims of pod groups. A pod may belong to a group, and the group may have claims: one that the
// pod refers to in the same words as its group is the group's, made, allocated and reserved once
// for all its pods. Neither scheduler nor pod know the group's uid, so that its name decides.
//
// What else the scheduler does with groups is not simulated.
//
// Upstream: k8s.io/dynamic-resource-allocation/resourceclaim (IsForPod, IsReservedForPod);
// k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources (deallocatePodGroupClaims);
// pkg/controller/resourceclaim (findPodGroupResourceClaim).

#pragma once

#include <optional>
#include <string_view>

#include "dra/snapshot/snapshot.h"

namespace dra::engine {

struct PodGroup {
  std::string_view namespace_;
  std::string_view name;
  bool runs = false;  // one of its pods has a node

  // Whether the claim was made for the group.
  bool owns(const api::ResourceClaim& claim) const;
  // Whether the group has reserved a claim.
  bool is(const api::Consumer& consumer) const;
};

// The group that a pod belongs to. It may use its claims if DRAWorkloadResourceClaims is on.
std::optional<PodGroup> pod_group_of(const snapshot::Snapshot& snapshot, const api::Pod& pod);

// The claim that was made from a template for what the group, and so its pods, call by that name;
// nullptr: not yet, or it is none of the group's.
const api::ResourceClaim* claim_of_group(const snapshot::Snapshot& snapshot, const PodGroup& group,
                                         std::string_view pod_claim);

}  // namespace dra::engine
