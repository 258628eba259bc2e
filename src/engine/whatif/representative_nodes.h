// src/engine/whatif/representative_nodes.h
//
// A few nodes that stand for all: one of each kind, where nodes with the same figures and reasons
// are of one kind. Simulations run on them first, and on all nodes only for what helped there.

#pragma once

#include <span>
#include <vector>

#include "dra/engine/scheduler/node_result.h"

namespace dra::engine {

// Indices, those nearest to serving the subject first; at most `most`.
std::vector<std::size_t> representative_nodes(std::span<const NodeResult> nodes, std::size_t most);

}  // namespace dra::engine
