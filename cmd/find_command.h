// cmd/find_command.h: commands and flags by name, for the parser, help and completion.

#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "cmd/command.h"

namespace dra::cmd {

using Commands = std::vector<std::unique_ptr<Command>>;

// Finds a command by its name, an alias, or any word for the noun that it lists; else nullptr.
Command* find_command(const Commands& commands, std::string_view word);

// The command and the arguments that the words of a command line name. `words` has no flags and is
// not empty. find_command() may not know the word.
//
// This is the one place that knows `get`: `get claims a`, `get claim/a` and `claim/a` become
// `claims a`, with the flags of `claims`. Words that name several kinds, as `get claims,pods` and
// `claim/a pod/b`, remain with the command `get`.
struct Invocation {
  std::string word;
  std::vector<std::string> arguments;
};
Invocation invocation_of(std::vector<std::string> words);

// The command's own flags, sorted: with those that choose several contexts, if it can ask them.
std::vector<Flag> own_flags(Command& command, GlobalFlags& globals);

// The command's own flags and the global ones.
std::vector<Flag> flags_of(Command& command, GlobalFlags& globals);

// Every flag of every command, each name and letter once. A flag that several commands have takes a
// value in all of them or in none; a test checks that.
std::vector<Flag> flags_of_all(const Commands& commands, GlobalFlags& globals);

}  // namespace dra::cmd
