// src/engine/scheduler/allocation_reasons.h
//
// What is against devices that the selectors of a demand choose, folded over the devices: of
// capacity, counters, constraints, gates, and of devices that other requests of the same pod need.

#pragma once

#include <cstddef>
#include <vector>

#include "dra/diag/reason.h"
#include "src/engine/scheduler/search.h"

namespace dra::engine {

// `search`: what it met is told, too; nullptr if there was none.
std::vector<diag::Reason> reasons_against(const AllocationInput& input, const Problem& problem,
                                          const Search* search);

// Of these only what the search met, of devices picked before.
std::vector<diag::Reason> reasons_met(const AllocationInput& input, const Problem& problem,
                                      const Search& search);

// All that is against one device for a demand whatever else is picked, in the allocator's order:
// also who holds it, every selector that does not choose it, and every taint.
std::vector<diag::Reason> reasons_against(const AllocationInput& input, const Problem& problem,
                                          std::size_t demand, std::size_t device);

}  // namespace dra::engine
