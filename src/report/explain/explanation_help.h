// src/report/explain/explanation_help.h
//
// What would help a subject that fits nowhere.

#pragma once

#include "dra/report/explain/explanation.h"

namespace dra::report {

// The subject, to be looked up again by name.
engine::Wanted wanted_of(const Explanation& explanation);

// Nothing where the subject may fit, or nodes or devices were chosen to be looked at.
std::optional<Help> help_of(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                            const engine::NodeLoads& loads, const Explanation& explanation);

}  // namespace dra::report
