// src/report/phrases/suggestion_words.cpp: see suggestion_words.h.

#include "dra/report/phrases/suggestion_words.h"

#include <algorithm>

#include "dra/answers/explain/suggestion_text.h"
#include "dra/base/text.h"
#include "dra/report/phrases/clause_json.h"
#include "dra/report/phrases/words.h"

namespace dra::report {

using view::Tone;

void add_suggestion(view::Document& document, const engine::Suggestion& suggestion, bool evaluated,
                    int indent) {
  document.add(
      view::Paragraph{.spans = {span("-> ", Tone::Strong),
                                span(answers::suggestion_text(suggestion, evaluated) + ":")},
                      .indent = indent,
                      .hang = 3});
  view::Verbatim block{.lines = {}, .indent = indent + 3};
  for (const std::string_view line : base::split(suggestion.expression, '\n')) {
    std::string text(base::trim(line));
    std::ranges::replace(text, '\t', ' ');  // a tab would be printed as an escape
    block.lines.push_back({span(std::move(text))});
  }
  document.add(std::move(block));
}

json::Value suggestion_json(const engine::Suggestion& suggestion, bool evaluated) {
  json::Value changes = json::Value::array();
  for (const cel::Change& change : suggestion.changes) {
    json::Value entry = json::Value::object();
    entry.set("span", span_json(change.span));
    entry.set("text", change.text);
    changes.push(std::move(entry));
  }
  json::Value value = json::Value::object();
  value.set("expression", suggestion.expression);
  value.set("changes", std::move(changes));
  if (evaluated) value.set("matches", suggestion.matches);
  return value;
}

}  // namespace dra::report
