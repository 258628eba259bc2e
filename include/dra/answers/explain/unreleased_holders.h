// include/dra/answers/explain/unreleased_holders.h
//
// Devices that are in use only because nothing has released them.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dra/api/claim.h"
#include "dra/diag/remedy.h"
#include "dra/engine/scheduler/node_result.h"
#include "dra/snapshot/snapshot.h"

namespace dra::answers {

struct UnreleasedHolders {
  std::vector<const api::ResourceClaim*> claims = {};
  std::int64_t devices = 0;  // that they hold
};

// Of the claims that hold devices on one of the nodes, those that nothing has released: see
// engine/cluster/unreleased.h. None without a clock.
UnreleasedHolders unreleased_in(const snapshot::Snapshot& snapshot,
                                const std::vector<engine::NodeResult>& nodes);

// "claims whose pods do not exist any more (ml/a, ml/b), deleted at least 45m ago and never
// released". There must be a claim, and a clock.
std::string words_of(const snapshot::Snapshot& snapshot, const UnreleasedHolders& holders);
diag::Remedy remedy_of(const snapshot::Snapshot& snapshot, const UnreleasedHolders& holders);

}  // namespace dra::answers
