// src/report/phrases/suggestion_words.cpp: the wording depends on which kinds of changes a
// suggestion makes.

#include "dra/report/phrases/suggestion_words.h"

#include <algorithm>
#include <initializer_list>

#include "dra/base/text.h"
#include "dra/report/phrases/advice_words.h"
#include "dra/report/phrases/clause_json.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

using cel::ChangeKind;
using view::Tone;

// True if all its steps are of these kinds.
bool only(const engine::Suggestion& suggestion, std::initializer_list<ChangeKind> kinds) {
  return std::ranges::all_of(suggestion.kinds, [kinds](ChangeKind kind) {
    return std::ranges::find(kinds, kind) != kinds.end();
  });
}

}  // namespace

std::string suggestion_text(const engine::Suggestion& suggestion, bool evaluated) {
  if (!evaluated) return "Did you mean this? It compiles";
  if (suggestion.matches == 0) return "Did you mean this? It compiles, but matches no device";
  const std::string matches = base::format(
      "it matches {}", base::plural(static_cast<std::int64_t>(suggestion.matches), "device"));
  if (only(suggestion, {ChangeKind::Drop})) return "Without one of the conditions " + matches;
  if (only(suggestion, {ChangeKind::Guard})) {
    return base::format("With a guard it fails for no device and matches {}", suggestion.matches);
  }
  const std::string values = values_words(suggestion.values);
  const bool other =
      only(suggestion, {ChangeKind::Threshold, ChangeKind::Value, ChangeKind::Member});
  if (other && !values.empty()) return base::format("With {} {}", values, matches);
  if (only(suggestion, {ChangeKind::Threshold})) return "With another bound " + matches;
  if (other) return "With a value that devices have " + matches;
  return base::format("Did you mean {}? It matches {}", values.empty() ? "this" : values,
                      base::plural(static_cast<std::int64_t>(suggestion.matches), "device"));
}

void add_suggestion(view::Document& document, const engine::Suggestion& suggestion, bool evaluated,
                    int indent) {
  document.add(view::Paragraph{
      .spans = {span("-> ", Tone::Strong), span(suggestion_text(suggestion, evaluated) + ":")},
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
