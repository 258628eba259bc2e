// src/engine/whatif/moves.h
//
// Fragmentation: the devices that the subject asks for are free, but not on one node. Which few
// pods would have to leave a node so that it has room, and fit on others?

#pragma once

#include <optional>
#include <span>
#include <string>

#include "dra/engine/whatif/advice.h"
#include "dra/engine/whatif/simulator.h"

namespace dra::engine {

// The nodes are such on which a release lets the subject fit, those with the smallest first. Tried
// are the release, with the subject on the node, and the pods that are created again while the node
// is cordoned: each fits on another, whichever the scheduler chooses for those before it, and the
// subject on the node then. Only pods with devices of that one node, which a controller creates
// again. No value: nothing was found.
std::optional<Moves> moves_for(const Simulator& simulator, const Wanted& wanted,
                               std::span<const std::string> nodes, SimulationBudget& budget);

}  // namespace dra::engine
