// src/report/suggestion_words.h
//
// Changes of selectors that were found to help, in words and in reports.

#pragma once

#include <string>
#include <vector>

#include "dra/engine/suggestions.h"
#include "dra/json/value.h"
#include "dra/view/document.h"

namespace dra::report {

// "With another bound it matches 12 devices". `evaluated`: there were devices to evaluate it for.
std::string suggestion_text(const engine::Suggestion& suggestion, bool evaluated);

// Each with the expression below it, on lines of its own that can be copied.
void add_suggestions(view::Document& document, const std::vector<engine::Suggestion>& suggestions,
                     bool evaluated);

// {"expression", "changes": [{"span": [begin, end], "text"}], "matches"}, the last if evaluated.
json::Value suggestions_json(const std::vector<engine::Suggestion>& suggestions, bool evaluated);

}  // namespace dra::report
