// src/answers/explain/holders.cpp: see holders.h.

#include "src/answers/explain/holders.h"

#include <algorithm>

#include "dra/api/claim.h"

namespace dra::answers {

HoldersByClaim holders_in(const snapshot::Snapshot& snapshot,
                          const std::vector<engine::NodeResult>& nodes) {
  HoldersByClaim holders;
  for (const engine::NodeResult& node : nodes) {
    for (const diag::Reason& reason : node.reasons) {
      for (const diag::Holder& holder : reason.holders) {
        if (holders.contains(holder.claim)) continue;
        const std::string_view name = holder.claim;
        const std::size_t slash = name.find('/');
        const auto* claim =
            snapshot.find<api::ResourceClaim>(name.substr(0, slash), name.substr(slash + 1));
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
