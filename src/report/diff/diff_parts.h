// src/report/diff/diff_parts.h: the parts of a Diff. See diff.h.

#pragma once

#include <string_view>
#include <vector>

#include "dra/report/diff/diff.h"
#include "src/report/diff/decisive.h"

namespace dra::report {

// Whether objects of the kind could be read in both states.
bool saw_both(const snapshot::Snapshot& before, const snapshot::Snapshot& after, api::Kind kind);

// Devices whose presence, state or holders differ.
std::vector<DeviceChange> device_changes(const AskedState& before, const AskedState& after);

// Adds the verdicts on what waits to the differences that are there. `changes` are those of all
// namespaces, `ns` that of the subjects.
void add_verdicts(const AskedState& before, const AskedState& after,
                  const std::vector<snapshot::Difference>& changes, std::string_view ns,
                  Diff& diff);

}  // namespace dra::report
