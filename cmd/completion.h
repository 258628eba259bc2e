// cmd/completion.h
//
// Shell completion. The scripts contain no commands: they call `kubectl-dra __complete` with the
// words typed so far, the last of which may be empty, and offer the lines that it prints. kubectl
// does the same through a program called kubectl_complete-dra. The protocol is that of kubectl's
// own completion: a line for each choice, `value` or `value<TAB>description`, and as the last line
// `:N`, a sum of 2 (more is to be typed, so no space behind it), 4 (no file names) and 32 (the
// likeliest choice is the first).

#pragma once

#include <span>
#include <string_view>

namespace dra::cmd {

struct CompletionScript {
  std::string_view shell;  // the argument of `completion`
  std::string_view file;   // in completions/
  std::string_view text;
};

std::span<const CompletionScript> completion_scripts();

}  // namespace dra::cmd
