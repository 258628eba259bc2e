// src/answers/explain/holders.cpp: see holders.h.

#include "src/answers/explain/holders.h"

#include <algorithm>

#include "dra/api/claim.h"

namespace dra::answers {

const api::ResourceClaim* claim_called(const snapshot::Snapshot& snapshot, std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return nullptr;
  return snapshot.find<api::ResourceClaim>(name.substr(0, slash), name.substr(slash + 1));
}

HoldersByClaim holders_in(const snapshot::Snapshot& snapshot,
                          const std::vector<engine::NodeResult>& nodes) {
  HoldersByClaim holders;
  for (const engine::NodeResult& node : nodes) {
    for (const diag::Reason& reason : node.reasons) {
      for (const diag::Holder& holder : reason.holders) {
        if (holders.contains(holder.claim)) continue;
        const auto* claim = claim_called(snapshot, holder.claim);
        if (claim != nullptr) holders.emplace(holder.claim, engine::holder_facts(snapshot, *claim));
      }
    }
  }
  return holders;
}

std::string held_for_good(const HoldersByClaim& holders) {
  const bool all = !holders.empty() && std::ranges::all_of(holders, [](const auto& holder) {
    return holder.second.is_for_good();
  });
  return all ? holders.begin()->first : std::string();
}

}  // namespace dra::answers
