// include/dra/answers/explain/suggestion_text.h
//
// Puts facts about selectors into words: the values that devices have, and the changes that help.

#pragma once

#include <string>
#include <vector>

#include "dra/engine/selectors/clause_table.h"
#include "dra/engine/selectors/suggestions.h"

namespace dra::answers {

// "40Gi (12), 24Gi (4) and 2 more": the values of devices, each with the number of devices.
std::string seen_text(const std::vector<engine::SeenInstead>& seen);

// "'Ampere' instead of 'Hopper'"; empty if no value changes.
std::string values_words(const std::vector<engine::ValueInstead>& values);

// "With another bound it matches 12 devices". `evaluated`: the suggestion was evaluated for
// devices.
std::string suggestion_text(const engine::Suggestion& suggestion, bool evaluated);

}  // namespace dra::answers
