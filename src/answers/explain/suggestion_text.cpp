// src/answers/explain/suggestion_text.cpp: chooses the wording by the kinds of changes that a
// suggestion makes.

#include "dra/answers/explain/suggestion_text.h"

#include <algorithm>
#include <initializer_list>

#include "dra/base/prose.h"
#include "dra/base/text.h"
#include "dra/engine/selectors/value_changes.h"

namespace dra::answers {
namespace {

using cel::ChangeKind;

constexpr std::size_t kMaxSeen = 5;  // values in one text

// True if all steps are of these kinds. A suggestion with other steps also corrects mistakes.
bool has_only(const engine::Suggestion& suggestion, std::initializer_list<ChangeKind> kinds) {
  return std::ranges::all_of(suggestion.kinds, [kinds](ChangeKind kind) {
    return std::ranges::find(kinds, kind) != kinds.end();
  });
}

// "'Ampere' instead of 'Hopper' and a guard"; empty without values.
std::string changes_words(const engine::Suggestion& suggestion) {
  std::string values = values_words(suggestion.values);
  if (values.empty() || !suggestion.changes_more()) return values;
  const bool guard =
      std::ranges::find(suggestion.kinds, ChangeKind::Guard) != suggestion.kinds.end();
  return values + (guard ? " and a guard" : " and other corrections");
}

}  // namespace

std::string seen_text(const std::vector<engine::SeenInstead>& seen) {
  std::vector<std::string> parts;
  for (const engine::SeenInstead& one : seen) {
    if (parts.size() == kMaxSeen) break;
    parts.push_back(base::format("{} ({})", one.text, one.devices));
  }
  const std::size_t left = seen.size() - parts.size();
  return base::join(parts, ", ") + (left == 0 ? "" : base::format(" and {} more", left));
}

std::string values_words(const std::vector<engine::ValueInstead>& values) {
  std::vector<std::string> parts;
  parts.reserve(values.size());
  for (const auto& [old, instead] : values)
    parts.push_back(base::format("{} instead of {}", base::one_line(instead), base::one_line(old)));
  return base::join(parts, ", ");
}

std::string suggestion_text(const engine::Suggestion& suggestion, bool evaluated) {
  if (!evaluated) return "Did you mean this? It compiles";
  if (suggestion.matches == 0) return "Did you mean this? It compiles, but matches no device";
  const std::string matches = base::format(
      "it matches {}", base::plural(static_cast<std::int64_t>(suggestion.matches), "device"));
  if (has_only(suggestion, {ChangeKind::Drop})) return "Without one of the conditions " + matches;
  if (has_only(suggestion, {ChangeKind::Guard})) {
    return base::format("With a guard it fails for no device and matches {}", suggestion.matches);
  }
  const std::string values = changes_words(suggestion);
  const bool other =
      has_only(suggestion, {ChangeKind::Threshold, ChangeKind::Value, ChangeKind::Member});
  if (engine::asks_for_others(suggestion.values) || (other && !values.empty()))
    return base::format("With {} {}", values, matches);
  if (has_only(suggestion, {ChangeKind::Threshold})) return "With another bound " + matches;
  if (other) return "With a value that devices have " + matches;
  return base::format("Did you mean {}? It matches {}", values.empty() ? "this" : values,
                      base::plural(static_cast<std::int64_t>(suggestion.matches), "device"));
}

}  // namespace dra::answers
