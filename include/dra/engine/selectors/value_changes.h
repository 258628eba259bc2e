// include/dra/engine/selectors/value_changes.h
//
// Changes to the values in a selector so that it holds for the values that devices have.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dra/cel/hints/clauses.h"
#include "dra/cel/run/trace.h"
#include "dra/engine/facts/change.h"
#include "dra/engine/selectors/edited_text.h"
#include "dra/engine/selectors/selector.h"

namespace dra::engine {

// Devices for which a selector evaluates alike.
struct TracedKind {
  cel::Trace trace = {};
  std::size_t open = 0;       // number of devices that all other selectors match
  std::size_t obstacles = 0;  // number of clauses that do not hold
};

// For every comparison that rejects open devices: the values that they have, the nearest first, and
// bounds that admit `missing` more devices. Each is a step of its own. The selector must have a
// program, and `clauses` are its own.
std::vector<Step> value_changes(const Selector& selector, std::span<const cel::Clause> clauses,
                                std::span<const TracedKind> kinds, std::size_t missing);

// A text in place of one that is like it: "'ampere'" and "'Ampere'".
bool is_slip(const ValueInstead& value);

// Whether another text is asked for that is not like the old one: other devices than those that
// were meant. Another number asks for more or less of the same.
bool asks_for_others(std::span<const ValueInstead> values);

}  // namespace dra::engine
