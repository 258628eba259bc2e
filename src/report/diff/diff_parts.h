// src/report/diff/diff_parts.h: the parts of a Diff. See diff.h.

#pragma once

#include <string>
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

// What is said of a subject in one of the states, without its name: "does not fit on any of 3
// nodes: every device is in use." Empty: it is not there.
std::string predicate_of(const VerdictChange& verdict, const StateAnswer& answer);

// "12 objects changed; 4 devices went, 1 changed hands; 2 verdicts changed."
std::string summary_of(const Diff& diff, const snapshot::Snapshot& before,
                       const snapshot::Snapshot& after);

}  // namespace dra::report
