// include/dra/report/lists/list_claims.h
//
// `kubectl dra claims`: what each claim asks for, what it got, and who uses it.

#pragma once

#include <string>
#include <vector>

#include "dra/report/lists/list.h"
#include "dra/snapshot/snapshot.h"

namespace dra::report {

struct ClaimRow {
  const api::ResourceClaim* claim;
  std::string state;     // kubectl's words, and why if it is pending for a reason known at once
  std::string requests;  // "1 x gpu.nvidia.com or 2 x gpu.nvidia.com"
  std::string devices;   // "gpu-0…3"
  std::string node;      // where the allocation can be used
  std::string used_by;
  std::string classes;
  std::string selectors;
  std::string pools;
  std::string drivers;
};

// As `kubectl get resourceclaims` words it: pending; allocated; allocated,reserved;
// deleted,allocated,reserved. Upstream: k8s.io/kubernetes/pkg/printers/internalversion,
// resourceClaimState.
std::string claim_state(const api::ResourceClaim& claim);

ClaimRow claim_row(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim);
view::Document claims_view(const std::vector<ClaimRow>& rows, const ListOptions& options);

}  // namespace dra::report
