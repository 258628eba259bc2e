// src/engine/whatif/representative_nodes.h
//
// A few nodes that stand for all: of those that differ in what counts one each, those nearest to
// serving the subject first. What is tried is tried on them, and only what helps there on all.

#pragma once

#include <span>
#include <vector>

#include "dra/engine/scheduler/standing.h"

namespace dra::engine {

// Indices, the nearest first; at most `most`.
std::vector<std::size_t> representative_nodes(std::span<const NodeStanding> nodes,
                                              std::size_t most);

}  // namespace dra::engine
