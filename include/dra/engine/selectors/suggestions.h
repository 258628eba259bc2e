// include/dra/engine/selectors/suggestions.h
//
// What the author of selectors may have meant, where they let too few devices through: small
// changes of one selector with which more devices match. A suggestion is never a guess: the
// changed expression was compiled as the API server compiles a new one, and the whole conjunction
// was evaluated for every device.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/cel/hints/changes.h"
#include "dra/engine/facts/change.h"
#include "dra/engine/selectors/fleet.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

struct Suggestion {
  std::size_t selector = 0;  // index of the one that is changed
  // What becomes of its text: by place, and none overlaps another.
  std::vector<cel::Change> changes = {};
  std::vector<cel::ChangeKind> kinds = {};  // of the steps that led there, in their order
  std::string expression = {};              // the whole selector, changed
  std::vector<ValueInstead> values = {};    // those of the changes that ask for something else
  std::size_t before = 0;                   // devices that all selectors match, as they are
  std::size_t matches = 0;                  // the same with this change
};

inline constexpr std::size_t kMaxSuggestions = 3;

// At most kMaxSuggestions, the best first: few changes before many, what mends a mistake before
// what asks for something else, and to drop a condition last.
//
// There are none if as many devices match as are wanted and no selector fails for any. With every
// suggestion no selector fails any more for a device that can be read at all; and more devices
// match than before, unless one of the selectors fails (then at least one must match and no fewer)
// or does not compile (then it compiles; such a suggestion may match nothing and comes last). If
// two selectors do not compile there is none, as only one is ever changed.
//
// Selectors are asked in their order, as the scheduler does; see selection.h. What is tried is
// bounded: some dozens of evaluations of the fleet.
std::vector<Suggestion> suggestions_for(const Fleet& fleet,
                                        std::span<const std::string_view> selectors,
                                        const snapshot::Server& server, std::size_t wanted = 1);

}  // namespace dra::engine
