// src/engine/whatif/proposals.h
//
// What might help a subject that fits nowhere: changes of what it asks for, and of what keeps it
// away. None is known to help: whoever offers one has tried it first.

#pragma once

#include <span>
#include <vector>

#include "dra/engine/facts/change.h"
#include "dra/engine/whatif/trial.h"

namespace dra::engine {

// Changes that are made together: mostly there is one.
using Proposal = std::vector<Change>;

// Of the subject as it is on that ground.
std::vector<Proposal> to_wait(const TrialGround& ground);
std::vector<Proposal> to_tolerate(const TrialGround& ground, const Subject& subject);
std::vector<Proposal> to_drop_constraints(const Subject& subject);
std::vector<Proposal> to_use_alternatives(const Subject& subject);
// For each demand that asks for more than one device, down from one less.
std::vector<std::vector<Proposal>> to_lower_counts(const TrialGround& ground,
                                                   const Subject& subject);
// Selectors that let more of those devices through that could be had, as few more as possible; and
// conditions that are left out.
std::vector<Proposal> to_change_selectors(const TrialGround& ground, const Subject& subject);

}  // namespace dra::engine
