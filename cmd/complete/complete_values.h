// cmd/complete/complete_values.h: what shell completion offers for the value of a flag. The word
// that stands for the value in help says what it is: a value NODE is the name of a node.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "cmd/command.h"
#include "cmd/complete/complete_names.h"

namespace dra::cmd {

struct Answer {
  std::vector<Choice> choices;
  bool files = false;   // a file may be named
  bool ranked = false;  // the likeliest first
  bool opens = false;   // more is to be typed behind a choice
  bool quoted = false;  // the word is in quotes, so a choice may have spaces
};

// `typed` is the part of the value that is there. In a list with commas, what stands before the
// last comma is part of each choice, and is not offered again. `listed` are the kinds of objects
// that the line lists.
Answer values_of(const Flag& flag, const CompletionNames& names, std::string_view typed,
                 std::span<const api::Kind> listed);

}  // namespace dra::cmd
