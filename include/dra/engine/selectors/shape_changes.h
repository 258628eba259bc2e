// include/dra/engine/selectors/shape_changes.h
//
// Changes of how a selector is written, rather than of what it compares with: for one that does not
// compile, for one that asks for names that some devices do not have, and to be rid of a condition.

#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "dra/cel/hints/changes.h"
#include "dra/cel/hints/clauses.h"
#include "dra/cel/library/environment.h"
#include "dra/engine/selectors/edited_text.h"
#include "dra/engine/selectors/fleet.h"
#include "dra/engine/selectors/value_changes.h"

namespace dra::engine {

// What the fleet has.
struct KnownNames {
  std::vector<cel::KnownName> names = {};  // of attributes and capacities, sorted
  std::set<std::string> drivers = {};
};

KnownNames known_names(const Fleet& fleet);

// Mistakes in a tree that may not have passed the checks, beyond what cel::changes_of() finds:
// `device.` left out, fields of the device that there are not, and amounts and versions that are
// only text.
std::vector<Step> typos_in(const cel::Checked& checked, const cel::Source& source,
                           const cel::Environment& environment, const KnownNames& known);

// Asks first for what some devices lack: for the driver, for the name, or for a value in its place.
std::vector<Step> presence_guards_for(const Selector& selector,
                                      std::span<const cel::Clause> clauses,
                                      std::span<const TracedKind> kinds, const KnownNames& known);

// Without one of the conditions.
std::vector<Step> drops_of(const cel::Source& source, std::span<const cel::Clause> clauses);

}  // namespace dra::engine
