// include/dra/engine/cluster/pod_groups.h
//
// Claims of pod groups. A pod may belong to a group, and the group may have claims: one that the
// pod names in the same words as its group is the group's, created, allocated and reserved once for
// all its pods. Neither scheduler nor pod know the group's uid, so its name decides.
//
// What a group's PodGroup says about scheduling is in scheduling_group.h.
//
// Upstream: k8s.io/dynamic-resource-allocation/resourceclaim (IsForPod, IsReservedForPod);
// k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources (deallocatePodGroupClaims);
// pkg/controller/resourceclaim (findPodGroupResourceClaim).

#pragma once

#include <optional>
#include <string_view>

#include "dra/api/claim.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

struct PodGroup {
  std::string_view namespace_;
  std::string_view name;
  bool runs = false;  // one of its pods has a node

  // Whether the claim was made for the group.
  bool owns(const api::ResourceClaim& claim) const;
  // Whether the consumer of a claim is the group.
  bool is(const api::Consumer& consumer) const;
};

// Whether the consumer of a claim is some pod group.
bool is_pod_group(const api::Consumer& consumer);

// The group that a pod belongs to. The pod may use the group's claims if DRAWorkloadResourceClaims
// is on.
std::optional<PodGroup> pod_group_of(const snapshot::Snapshot& snapshot, const api::Pod& pod);

// The claim that was made from a template for the group's claim of that name; nullptr: not yet, or
// the group has no such claim.
const api::ResourceClaim* claim_of_group(const snapshot::Snapshot& snapshot, const PodGroup& group,
                                         std::string_view pod_claim);

}  // namespace dra::engine
