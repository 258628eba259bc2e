// include/dra/engine/selectors/edited_text.h
//
// An expression that changes step by step, and the sum of its changes in terms of the original
// text. Each step knows only the text that the step before produced.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dra/cel/hints/changes.h"

namespace dra::engine {

// Changes that are tried together; they do not overlap.
struct Step {
  cel::ChangeKind kind = cel::ChangeKind::Operator;
  std::vector<cel::Change> changes = {};
};

class EditedText {
 public:
  explicit EditedText(std::string_view text) : current_(text) {}

  const std::string& text() const { return current_; }
  // In terms of the original: by place, without overlap.
  const std::vector<cel::Change>& changes() const { return changes_; }

  // Spans are of the current text.
  void apply(Step step);

 private:
  void apply(const cel::Change& change);

  std::string current_;
  std::vector<cel::Change> changes_;
};

}  // namespace dra::engine
