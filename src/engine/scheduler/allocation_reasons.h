// src/engine/scheduler/allocation_reasons.h
//
// Reasons against devices that the selectors of a demand choose, folded over the devices: gates,
// capacity, counters, constraints, and other requests of the same pod that need them.

#pragma once

#include <cstddef>
#include <vector>

#include "dra/diag/reason.h"
#include "src/engine/scheduler/search.h"

namespace dra::engine {

// `search`: its reasons are added; nullptr: there was no search.
std::vector<diag::Reason> reasons_against(const AllocationInput& input, const Problem& problem,
                                          const Search* search);

// Only those that the search met because of devices picked before.
std::vector<diag::Reason> reasons_met(const AllocationInput& input, const Problem& problem,
                                      const Search& search);

// Everything against one device for a demand whatever else is picked, in the allocator's order:
// also its holders, every selector that is false, and every taint.
std::vector<diag::Reason> reasons_against(const AllocationInput& input, const Problem& problem,
                                          std::size_t demand, std::size_t device);

}  // namespace dra::engine
