// src/engine/scheduler/demand_counts.h
//
// How many of the devices that a node sees could serve one demand, and what is said of the others.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dra/diag/reason.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/scheduler/demands.h"

namespace dra::engine {

inline constexpr std::size_t kMaxExamples = 8;  // of devices, in a reason

// A device as a node sees it.
struct Seen {
  const PoolDevice* published;
  const Pool* pool;
  const DeviceFacts* facts;
};

void add_example(diag::Reason& reason, const Seen& seen);

struct DemandCounts {
  bool known = false;          // what the selectors say
  std::int64_t published = 0;  // on the node
  std::int64_t matching = 0;   // of these, those that the selectors choose; all, if not known
  std::int64_t in_use = 0;     // of the matching, those that cannot be had because of others
  std::int64_t usable = 0;     // of the matching, those that could be had
  // Devices for which a selector fails, of those that the allocator may come to: then it gives up
  // on the pod.
  std::optional<diag::Reason> failing = {};
  std::vector<diag::Reason> passed_over = {};  // by each selector that is false for some
};

// `name` is the demand's, for the reasons.
DemandCounts count_for_demand(const std::vector<Seen>& devices, const Demands& demands,
                              const api::NamedDemand& demand);

}  // namespace dra::engine
