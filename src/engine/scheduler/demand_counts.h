// src/engine/scheduler/demand_counts.h
//
// Counts the devices that a node sees for one demand: which could serve it, and what is against the
// others.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dra/diag/reason.h"
#include "dra/engine/scheduler/demands.h"
#include "src/engine/scheduler/seen.h"

namespace dra::engine {

inline constexpr std::size_t kMaxExamples = 8;  // of devices, in a reason

void add_example(diag::Reason& reason, const Seen& seen);

struct DemandCounts {
  bool known = false;          // the selectors' answers are known
  std::int64_t published = 0;  // on the node
  std::int64_t matching = 0;   // chosen by the selectors; all, if not known
  std::int64_t in_use = 0;     // of the matching, those held by others
  std::int64_t usable = 0;     // of the matching, those that are free
  // Devices for which a selector fails and which the allocator may come to: then it gives up on the
  // pod.
  std::optional<diag::Reason> failing = {};
  std::vector<diag::Reason> passed_over = {};  // one for each selector that is false for some
};

// The demand's name is for the reasons.
DemandCounts count_for_demand(const std::vector<Seen>& devices, const Demands& demands,
                              const api::NamedDemand& demand);

}  // namespace dra::engine
