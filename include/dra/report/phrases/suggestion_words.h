// include/dra/report/phrases/suggestion_words.h
//
// Changes of selectors that were found to help, in words and in reports.

#pragma once

#include <string>
#include <vector>

#include "dra/engine/selectors/suggestions.h"
#include "dra/json/value.h"
#include "dra/view/document.h"

namespace dra::report {

// "With another bound it matches 12 devices". `evaluated`: there were devices to evaluate it for.
std::string suggestion_text(const engine::Suggestion& suggestion, bool evaluated);

// With the expression below it, on lines of its own that can be copied.
void add_suggestion(view::Document& document, const engine::Suggestion& suggestion, bool evaluated,
                    int indent);

// {"expression", "changes": [{"span": [begin, end], "text"}], "matches"}, the last if evaluated.
json::Value suggestion_json(const engine::Suggestion& suggestion, bool evaluated);

}  // namespace dra::report
