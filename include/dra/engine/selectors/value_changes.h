// include/dra/engine/selectors/value_changes.h
//
// What a selector would have to compare with, to hold for what devices have.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dra/cel/hints/clauses.h"
#include "dra/cel/run/trace.h"
#include "dra/engine/selectors/edited_text.h"
#include "dra/engine/selectors/selector.h"

namespace dra::engine {

// Devices for which a selector comes to the same.
struct TracedKind {
  cel::Trace trace = {};
  std::size_t open = 0;       // devices that all other selectors match
  std::size_t obstacles = 0;  // clauses of the selector that do not hold
};

// For every comparison that keeps open devices away: the texts and values seen instead, the nearest
// first; bounds that let `missing` more devices through. Each by itself. There must be a program,
// and these are its clauses.
std::vector<Step> value_changes(const Selector& selector, std::span<const cel::Clause> clauses,
                                std::span<const TracedKind> kinds, std::size_t missing);

}  // namespace dra::engine
