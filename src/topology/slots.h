// src/topology/slots.h: counters of a set that are one slot of the accelerator each.

#pragma once

#include <string_view>
#include <vector>

#include "dra/engine/cluster/counters.h"

namespace dra::topology {

// The largest family of numbered counters with an amount of one, by number; empty: it has no slots.
std::vector<const engine::CounterState*> slots_among(
    const std::vector<const engine::CounterState*>& counters);
// "memory-slice" of "memory-slice-3".
std::string_view slot_name(const engine::CounterState& slot);

}  // namespace dra::topology
