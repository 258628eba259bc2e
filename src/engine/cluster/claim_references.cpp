// src/engine/cluster/claim_references.cpp: see claim_references.h.

#include "dra/engine/cluster/claim_references.h"

namespace dra::engine {

std::vector<std::string_view> claim_references(const api::Pod& pod, std::string_view claim) {
  std::vector<std::string_view> references;
  for (const api::PodClaim& reference : pod.spec.claims) {
    if (reference.claim_name == claim) references.push_back(reference.name);
  }
  for (const api::PodClaimStatus& made : pod.status.claims) {
    if (made.claim_name && *made.claim_name == claim) references.push_back(made.name);
  }
  return references;
}

bool names_claim(const api::Pod& pod, std::string_view claim) {
  const auto& extended = pod.status.extended_resource_claim;
  return (extended && extended->claim_name == claim) || !claim_references(pod, claim).empty();
}

}  // namespace dra::engine
