// src/engine/cluster/unreleased.cpp: looks at each consumer.

#include "dra/engine/cluster/unreleased.h"

#include <algorithm>

#include "dra/api/pod.h"
#include "dra/engine/cluster/holder_state.h"
#include "dra/engine/cluster/pods.h"

namespace dra::engine {

bool is_unreleased(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim,
                   base::Instant now) {
  const auto& consumers = claim.status.reserved_for;
  if (!claim.allocated() || !snapshot.coverage().saw(api::Kind::Pod, claim.meta.namespace_))
    return false;
  if (claim.meta.deleted && now - *claim.meta.deleted < kReleaseTakes) return false;
  if (consumers.empty()) return claim.meta.deleted.has_value();
  return std::ranges::all_of(consumers, [&](const api::Consumer& consumer) {
    if (!consumer.is_pod()) return false;
    const api::Pod* pod = consuming_pod(snapshot, claim.meta.namespace_, consumer);
    return pod == nullptr || ended_long_ago(*pod, now);
  });
}

const api::Pod* ended_holder(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim) {
  const auto& consumers = claim.status.reserved_for;
  if (consumers.size() != 1) return nullptr;
  const api::Pod* pod = consuming_pod(snapshot, claim.meta.namespace_, consumers.front());
  return pod != nullptr && pod->finished() ? pod : nullptr;
}

}  // namespace dra::engine
