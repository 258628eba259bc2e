// src/engine/scheduler/allocation_evidence.h
//
// The figures behind what is against devices: of constraints, counters and capacity.

#pragma once

#include <memory>
#include <vector>

#include "dra/diag/evidence.h"
#include "src/engine/scheduler/allocation_problem.h"

namespace dra::engine {

// Of a demand (an index), for the devices that the rule is against, at least one. nullptr where the
// rule has no figures.
std::shared_ptr<const diag::Evidence> evidence_of(const AllocationInput& input,
                                                  const Problem& problem, std::size_t demand,
                                                  Rule rule,
                                                  const std::vector<std::size_t>& devices);

// The constraints of the demand's claim that the rule is about, for one of these devices.
std::vector<std::size_t> constraints_of(const Problem& problem, std::size_t demand, Rule rule,
                                        std::size_t device);

}  // namespace dra::engine
