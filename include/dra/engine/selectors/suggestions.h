// include/dra/engine/selectors/suggestions.h
//
// Suggests what the author of selectors may have meant if too few devices match: small changes to
// one selector with which more do. A suggestion is never a guess: the changed expression was
// compiled as the API server compiles a new one, and the whole conjunction was evaluated for every
// device.

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
  std::size_t selector = 0;  // index of the changed one
  // The changes of its text, by place, without overlap.
  std::vector<cel::Change> changes = {};
  std::vector<cel::ChangeKind> kinds = {};  // of the steps, in their order
  std::string expression = {};              // the whole selector, changed
  std::vector<ValueInstead> values = {};    // the changes that ask for another value
  std::size_t before = 0;                   // devices that match without the change
  std::size_t matches = 0;                  // devices that match with it

  // Whether other places change than those of the values.
  bool changes_more() const { return changes.size() > values.size(); }
};

inline constexpr std::size_t kMaxSuggestions = 3;

// At most kMaxSuggestions, the best first: few changes before many, corrections before other
// values, and removals of a condition last.
//
// There are none if as many devices match as are wanted and no selector fails. With a suggestion no
// selector fails any more for a readable device, and more devices match than before. Exceptions: if
// a selector failed, at least one device must match and no fewer than before; if it did not
// compile, it compiles now, and a suggestion that matches nothing comes last. If two selectors do
// not compile there are none, as only one is ever changed.
//
// Selectors are evaluated in the scheduler's order (selection.h). The work is bounded by some
// dozens of evaluations of the fleet.
std::vector<Suggestion> suggestions_for(const Fleet& fleet,
                                        std::span<const std::string_view> selectors,
                                        const snapshot::Server& server, std::size_t wanted = 1);

}  // namespace dra::engine
