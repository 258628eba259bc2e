// src/engine/whatif/claim_seats.h: pods for which allocated claims can still be reserved. A claim
// is reserved for 256 pods at most; of a claim that is still to be allocated nothing is said here.

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "dra/engine/whatif/plan.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

class ClaimSeats {
 public:
  ClaimSeats(const snapshot::Snapshot& snapshot, const std::vector<const api::Pod*>& queue);

  // Fits: whatever came of pods before, there is a place. DoesNotFit: certainly not. Else Depends.
  PlanVerdict left_for(const api::Pod& pod) const;
  // The pod has a node, or may have one.
  void reserve(const api::Pod& pod, bool certain);
  // Pods before it that have, or may have, places of its claims.
  std::vector<const api::Pod*> before(const api::Pod& pod) const;

 private:
  struct Seats {
    std::size_t taken = 0;
    std::size_t perhaps = 0;
    std::vector<const api::Pod*> pods = {};
  };

  std::vector<std::string> claims_of(const api::Pod& pod) const;

  const snapshot::Snapshot& snapshot_;
  std::map<std::string, Seats> seats_;  // of claims with fewer places than pods that wait
};

}  // namespace dra::engine
