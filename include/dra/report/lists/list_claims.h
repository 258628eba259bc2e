// include/dra/report/lists/list_claims.h
//
// `kubectl dra claims`: the requests, devices and consumers of each claim.

#pragma once

#include <string>
#include <vector>

#include "dra/report/lists/list.h"
#include "dra/snapshot/snapshot.h"

namespace dra::report {

struct ClaimRow {
  const api::ResourceClaim* claim;
  std::string state;     // kubectl's words, followed by "(ClassMissing)" for that cause
  std::string requests;  // "1 x gpu.nvidia.com or 2 x gpu.nvidia.com"
  std::string devices;   // "gpu-0…3"
  std::string node;      // the node selector of the allocation
  std::string used_by;
  std::string classes;
  std::string selectors;
  std::string pools;
  std::string drivers;
};

// STATE of `kubectl get resourceclaims`: pending; allocated; allocated,reserved;
// deleted,allocated,reserved. Upstream: k8s.io/kubernetes/pkg/printers/internalversion,
// resourceClaimState.
std::string claim_state(const api::ResourceClaim& claim);
// The same for a sentence or a field: "being deleted, allocated, reserved".
std::string claim_state_words(std::string_view state);

ClaimRow claim_row(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim);
// `class_is_missing`: a class that the claim names does not exist.
ClaimRow claim_row(const api::ResourceClaim& claim, bool class_is_missing);
view::Document claims_view(const std::vector<ClaimRow>& rows, const ListOptions& options);

}  // namespace dra::report
