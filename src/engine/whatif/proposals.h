// src/engine/whatif/proposals.h
//
// What might help a subject that fits nowhere: changes of its demands, and of what keeps it away.
// None is known to help before it was simulated.

#pragma once

#include <span>
#include <vector>

#include "dra/engine/facts/change.h"
#include "dra/engine/whatif/simulator.h"

namespace dra::engine {

// Changes that are made together; mostly one.
using Proposal = std::vector<Change>;

std::vector<Proposal> to_wait(const Simulator& simulator);
std::vector<Proposal> to_tolerate(const Simulator& simulator, const Subject& subject);
std::vector<Proposal> to_drop_constraints(const Subject& subject);
// For each constraint that matches by a place on the node: attributes of larger places, the next
// larger one first.
std::vector<std::vector<Proposal>> to_relax_constraints(const Simulator& simulator,
                                                        const Subject& subject);
// For each constraint that matches: its requests in parts of equal counts, in two parts first.
std::vector<std::vector<Proposal>> to_split_requests(const Subject& subject);
std::vector<Proposal> to_use_alternatives(const Subject& subject);
// For each demand of more than one device: its smaller counts, the largest first.
std::vector<std::vector<Proposal>> to_lower_counts(const Simulator& simulator,
                                                   const Subject& subject);
// For each demand of a part of a TPU host: the numbers of chips of whole ones that are larger.
std::vector<Proposal> to_ask_for_whole_hosts(const Simulator& simulator, const Subject& subject);
// Selectors that match more of the available devices, as few more as possible; and selectors
// without a condition.
std::vector<Proposal> to_change_selectors(const Simulator& simulator, const Subject& subject);
// Other values of the labels by which the pod selects nodes, as nodes have them, or no value.
std::vector<Proposal> to_select_nodes(const Simulator& simulator, const Subject& subject);

}  // namespace dra::engine
