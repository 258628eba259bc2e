// include/dra/engine/standing.h
//
// How a node stands towards a subject's claims, as far as that can be said of each demand alone:
// what each driver publishes there, what selectors choose of it, who holds it, what is tainted or
// in a pool that cannot be used, and the reasons that rule the node out.
//
// The bound is one-sided. Other demands, counters, capacity and constraints only ever take devices
// away, so "too few even without them" is proven; "enough without them" proves nothing.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dra/diag/reason.h"
#include "dra/engine/demands.h"
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

// What a node has for one demand. What is not known of selectors counts as matching.
struct DemandStanding {
  std::string claim;    // namespace/name
  std::string request;  // "req" or "req/sub"
  bool known = false;   // what the selectors say
  std::int64_t matching = 0;
  std::int64_t in_use = 0;  // of the matching
  std::int64_t usable = 0;  // of the matching
  // Devices for which a selector fails, of those that the allocator may come to.
  std::int64_t failing = 0;
};

struct NodeStanding {
  std::string name;
  std::vector<DriverStanding> drivers;
  std::vector<DemandStanding> demands;  // of claims that are not allocated
  std::vector<diag::Reason> reasons;    // all that apply, the deciding ones first
  bool ruled_out = false;               // the claims can certainly not be allocated here
  bool aborts = false;                  // and the scheduler gives up on the whole pod
};

// What is the same for every node.
struct Surroundings {
  const Inventory& inventory;
  const snapshot::Coverage& coverage;
  const Demands& demands;  // of the subject
};
NodeStanding standing_of(const Surroundings& surroundings, const Subject& subject,
                         const api::Node& node);

}  // namespace dra::engine
