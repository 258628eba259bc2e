// include/dra/report/phrases/suggestion_words.h
//
// Suggested changes of selectors as text and as JSON.

#pragma once

#include <string>
#include <vector>

#include "dra/engine/selectors/suggestions.h"
#include "dra/json/value.h"
#include "dra/view/document.h"

namespace dra::report {

// Adds the text and the changed expression, on lines of its own that can be copied.
void add_suggestion(view::Document& document, const engine::Suggestion& suggestion, bool evaluated,
                    int indent);

// {"expression", "changes": [{"span": [begin, end], "text"}], "matches"}, the last if evaluated.
json::Value suggestion_json(const engine::Suggestion& suggestion, bool evaluated);

}  // namespace dra::report
