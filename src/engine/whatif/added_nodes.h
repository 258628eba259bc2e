// src/engine/whatif/added_nodes.h
//
// Nodes that join a cluster and are like one that is there: with its labels, with what its slices
// publish in pools of their own, and the pods of its daemon sets; but not cordoned, without the
// taints that tell of a state, and with nothing else on them.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dra/snapshot/draft.h"

namespace dra::engine {

// NODE-like-1 and so on.
void add_nodes_like(snapshot::Draft& draft, const api::Node& like, std::int64_t count);
std::string added_node_name(std::string_view like, std::int64_t number);  // from 1

}  // namespace dra::engine
