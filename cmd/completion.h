// cmd/completion.h
//
// Completion in shells. The scripts know nothing of our commands: they call `kubectl-dra
// __complete` with the words typed so far, the last of which may be empty, and offer what it
// prints. kubectl does the same through a program called kubectl_complete-dra. The protocol is that
// of kubectl's own completion: a line for each choice, `value` or `value<TAB>description`, and as
// the last line `:4` if nothing else fits, or `:0` if a file may be named.

#pragma once

#include <span>
#include <string_view>

namespace dra::cmd {

struct CompletionScript {
  std::string_view shell;  // the argument of `completion`
  std::string_view file;   // where it lies in completions/
  std::string_view text;
};

std::span<const CompletionScript> completion_scripts();

}  // namespace dra::cmd
