// include/dra/engine/standing.h
//
// How a node stands towards a subject's claims, as far as that can be said without evaluating a
// selector: what each driver publishes there, who holds it, what is tainted or in a pool that
// cannot be used, and the reasons that rule the node out whatever the selectors say.
//
// The bound is one-sided. Selectors, counters, capacity and constraints only ever take devices
// away, so "too few even without them" is proven; "enough without them" proves nothing.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dra/diag/reason.h"
#include "dra/engine/inventory.h"
#include "dra/engine/pod_claims.h"

namespace dra::engine {

// Devices that one driver publishes for a node. The five kinds add up to `published`.
struct DriverStanding {
  std::string_view driver;
  std::int64_t published = 0;
  std::int64_t in_use = 0;
  std::int64_t tainted = 0;   // not tolerated by any request of the subject
  std::int64_t unusable = 0;  // in incomplete or invalid pools
  std::int64_t free = 0;      // or with room for another share
  std::int64_t unknown = 0;   // who holds them could not be read
};

struct NodeStanding {
  std::string name;
  std::vector<DriverStanding> drivers;
  std::vector<diag::Reason> reasons;  // all that apply, the deciding ones first
  bool ruled_out = false;             // the claims can certainly not be allocated here
  bool aborts = false;                // and the scheduler gives up on the whole pod
};

NodeStanding standing_of(const Inventory& inventory, const snapshot::Coverage& coverage,
                         const Subject& subject, const api::Node& node);

}  // namespace dra::engine
