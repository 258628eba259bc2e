// cmd/find_command.h: commands and flags by name, for the parser, help and completion.

#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "cmd/command.h"

namespace dra::cmd {

using Commands = std::vector<std::unique_ptr<Command>>;

// By name or alias; nullptr if there is none.
Command* find_command(const Commands& commands, std::string_view word);

// The command's own flags and the global ones.
std::vector<Flag> flags_of(Command& command, GlobalFlags& globals);

// Every flag that any command has, each name and letter once. A flag that several commands have
// takes a value in all of them or in none; a test holds them to it.
std::vector<Flag> flags_of_all(const Commands& commands, GlobalFlags& globals);

}  // namespace dra::cmd
