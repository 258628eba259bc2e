// src/engine/selectors/edited_text.cpp: merges each change into the list of changes of the
// original, whose places shift by the lengths of the changes before them.

#include "dra/engine/selectors/edited_text.h"

#include <algorithm>

namespace dra::engine {

using cel::Source;
using cel::Span;

void EditedText::apply(Step step) {
  // From the end, so that places before a change stay valid.
  std::ranges::sort(step.changes, [](const cel::Change& a, const cel::Change& b) {
    return a.span.begin > b.span.begin;
  });
  for (const cel::Change& change : step.changes)
    apply(change);
}

// Changes that touch merge into one.
void EditedText::apply(const cel::Change& change) {
  const Source source(current_);
  std::vector<cel::Change> changes;
  cel::Change merged = change;
  Span now = change.span;  // the merged changes, in the current text
  // How far a place has moved since the original text: before the merged changes, and after them.
  std::int64_t shift = 0;
  std::int64_t before = 0;
  std::int64_t within = 0;
  for (const cel::Change& old : changes_) {
    const auto size = static_cast<std::int64_t>(Source(old.text).size());
    const std::int64_t begin = old.span.begin + shift;
    const std::int64_t grown = size - (old.span.end - old.span.begin);
    const bool touches = begin <= change.span.end && begin + size >= change.span.begin;
    shift += grown;
    if (begin + size < change.span.begin) before = within = shift;
    if (touches) {
      now.begin = std::min(now.begin, static_cast<std::uint32_t>(begin));
      now.end = std::max(now.end, static_cast<std::uint32_t>(begin + size));
      within = shift;
    } else {
      changes.push_back(old);
    }
  }
  merged.text = std::string(source.text_of({now.begin, change.span.begin})) + change.text +
                std::string(source.text_of({change.span.end, now.end}));
  merged.span = {static_cast<std::uint32_t>(now.begin - before),
                 static_cast<std::uint32_t>(now.end - within)};
  changes.push_back(std::move(merged));
  std::ranges::sort(changes, {}, [](const cel::Change& one) { return one.span.begin; });
  current_ = cel::changed(source, {change});
  changes_ = std::move(changes);
}

}  // namespace dra::engine
