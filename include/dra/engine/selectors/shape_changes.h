// include/dra/engine/selectors/shape_changes.h
//
// Changes to the structure of a selector rather than to its values: corrections of one that does
// not compile, guards for names that some devices do not have, and removal of a condition.

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

// The names in a fleet.
struct KnownNames {
  std::vector<cel::KnownName> names = {};  // of attributes and capacities, sorted
  std::set<std::string> drivers = {};
};

KnownNames known_names(const Fleet& fleet);

// Corrections of typos in a tree that may not have passed the checks, beyond those of
// cel::changes_of(): a missing `device.`, unknown fields of the device, and amounts and versions
// written as text.
std::vector<Step> typos_in(const cel::Checked& checked, const cel::Source& source,
                           const cel::Environment& environment, const KnownNames& known);

// Guards against what some devices do not have: a test of the driver or of the name, or a default
// value.
std::vector<Step> presence_guards_for(const Selector& selector,
                                      std::span<const cel::Clause> clauses,
                                      std::span<const TracedKind> kinds, const KnownNames& known);

// A condition on the driver says what the device is; without it, any device would match.
inline constexpr std::string_view kIdentity = "device.driver";

// Removals of one condition each, other than on the driver.
std::vector<Step> drops_of(const cel::Source& source, std::span<const cel::Clause> clauses);

}  // namespace dra::engine
