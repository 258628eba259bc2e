// src/engine/allocation_reasons.h
//
// What is against devices that the selectors of a demand choose, folded over the devices: of
// capacity, counters, constraints, gates, and of devices that other requests of the same pod need.

#pragma once

#include <vector>

#include "dra/diag/reason.h"
#include "src/engine/search.h"

namespace dra::engine {

// `search`: what it met is told, too; nullptr if there was none.
std::vector<diag::Reason> reasons_against(const Scene& scene, const Problem& problem,
                                          const Search* search);

}  // namespace dra::engine
