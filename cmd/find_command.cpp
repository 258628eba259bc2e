// cmd/find_command.cpp: see find_command.h.

#include "cmd/find_command.h"

#include <algorithm>

#include "cmd/flags.h"

namespace dra::cmd {

Command* find_command(const Commands& commands, std::string_view word) {
  for (const auto& command : commands) {
    const Info info = command->info();
    if (info.name == word || std::ranges::find(info.aliases, word) != info.aliases.end()) {
      return command.get();
    }
  }
  return nullptr;
}

std::vector<Flag> flags_of(Command& command, GlobalFlags& globals) {
  std::vector<Flag> flags = command.flags();
  for (Flag& flag : global_flags(globals))
    flags.push_back(std::move(flag));
  return flags;
}

std::vector<Flag> flags_of_all(const Commands& commands, GlobalFlags& globals) {
  std::vector<Flag> flags = global_flags(globals);
  flags.push_back({"version", '\0', "", "Show the version of this program.", &globals.version});
  for (const auto& command : commands) {
    for (Flag& flag : command->flags()) {
      const bool known = std::ranges::any_of(flags, [&flag](const Flag& other) {
        return other.name == flag.name || (flag.letter != '\0' && other.letter == flag.letter);
      });
      if (!known) flags.push_back(std::move(flag));
    }
  }
  return flags;
}

}  // namespace dra::cmd
