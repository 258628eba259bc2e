// cmd/find_command.h: commands and flags by name, for the parser, help and completion.

#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "cmd/command.h"

namespace dra::cmd {

using Commands = std::vector<std::unique_ptr<Command>>;

// By name, alias or any word for the noun that it lists; nullptr if there is none.
Command* find_command(const Commands& commands, std::string_view word);

// What the words of a command line ask for: a command, by a word that find_command() knows if there
// is one, and its arguments.
//
// This is the one place that knows `get`: `get claims a`, `get claim/a` and `claim/a` are
// `claims a`, with the flags of `claims`; what names several kinds, as `get claims,pods` and
// `claim/a pod/b`, stays with the command `get`. The words do not include flags and are not empty.
struct Invocation {
  std::string word;
  std::vector<std::string> arguments;
};
Invocation invocation_of(std::vector<std::string> words);

// The command's own flags and the global ones.
std::vector<Flag> flags_of(Command& command, GlobalFlags& globals);

// Every flag that any command has, each name and letter once. A flag that several commands have
// takes a value in all of them or in none; a test holds them to it.
std::vector<Flag> flags_of_all(const Commands& commands, GlobalFlags& globals);

}  // namespace dra::cmd
