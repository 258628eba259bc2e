// include/dra/engine/selectors/edited_text.h
//
// An expression that is changed step by step, each step knowing only the text that the one before
// has left, and what that makes of the text as it was at first.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dra/cel/hints/changes.h"

namespace dra::engine {

// One thing to try: changes that belong together and do not overlap.
struct Step {
  cel::ChangeKind kind = cel::ChangeKind::Operator;
  std::vector<cel::Change> changes = {};
};

class EditedText {
 public:
  explicit EditedText(std::string_view text) : current_(text) {}

  const std::string& text() const { return current_; }
  // Of the original: by place, without overlap.
  const std::vector<cel::Change>& changes() const { return changes_; }

  // Spans are of the current text.
  void apply(Step step);

 private:
  void apply(const cel::Change& change);

  std::string current_;
  std::vector<cel::Change> changes_;
};

}  // namespace dra::engine
