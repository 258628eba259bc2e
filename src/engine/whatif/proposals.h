// src/engine/whatif/proposals.h
//
// What might help a subject that fits nowhere: changes of what it asks for, and of what keeps it
// away. None is known to help: whoever offers one has tried it first.

#pragma once

#include <span>
#include <vector>

#include "dra/engine/facts/change.h"
#include "dra/engine/whatif/simulator.h"

namespace dra::engine {

// Changes that are made together: mostly there is one.
using Proposal = std::vector<Change>;

// Of the subject in the state that is simulated.
std::vector<Proposal> to_wait(const Simulator& simulator);
std::vector<Proposal> to_tolerate(const Simulator& simulator, const Subject& subject);
std::vector<Proposal> to_drop_constraints(const Subject& subject);
std::vector<Proposal> to_use_alternatives(const Subject& subject);
// For each demand that asks for more than one device, down from one less.
std::vector<std::vector<Proposal>> to_lower_counts(const Simulator& simulator,
                                                   const Subject& subject);
// Selectors that let more of those devices through that could be had, as few more as possible; and
// conditions that are left out.
std::vector<Proposal> to_change_selectors(const Simulator& simulator, const Subject& subject);

}  // namespace dra::engine
