// cmd/find_command.cpp: looks up commands and flags, and rewrites `get KIND` to the list command of
// the kind.

#include "cmd/find_command.h"

#include <algorithm>

#include "cmd/flags.h"
#include "cmd/nouns.h"

namespace dra::cmd {

namespace {

constexpr std::string_view kGet = "get";

// "claim/a" and "claims,pods", but not "claims".
bool is_several_or_named(std::string_view word) {
  const std::size_t end = word.find_first_of("/,");
  return end != std::string_view::npos && find_noun(word.substr(0, end)) != nullptr;
}

// The list command and the names for words after `get` that name a single kind; an empty word if
// they name several kinds or cannot be parsed.
Invocation one_noun(const std::vector<std::string>& words) {
  const std::string& first = words.front();
  const std::size_t slash = first.find('/');
  Invocation one{.word = first.substr(0, slash), .arguments = {}};
  const NounInfo* noun = find_noun(one.word);
  if (noun == nullptr) return {};
  if (slash == std::string::npos) {
    one.arguments.assign(words.begin() + 1, words.end());
    return one;
  }
  for (const std::string& word : words) {
    if (!word.starts_with(one.word + "/")) return {};
    one.arguments.push_back(word.substr(slash + 1));
  }
  return one;
}

}  // namespace

Invocation invocation_of(std::vector<std::string> words) {
  const bool get = words.front() == kGet;
  if (!get && !is_several_or_named(words.front())) {
    std::string word = words.front();
    words.erase(words.begin());
    return {std::move(word), std::move(words)};
  }
  if (get) words.erase(words.begin());
  Invocation one = words.empty() ? Invocation() : one_noun(words);
  if (!one.word.empty()) return one;
  return {std::string(kGet), std::move(words)};
}

Command* find_command(const Commands& commands, std::string_view word) {
  const NounInfo* noun = find_noun(word);
  for (const auto& command : commands) {
    const Info info = command->info();
    if (info.name == word || std::ranges::find(info.aliases, word) != info.aliases.end() ||
        (noun != nullptr && info.noun == noun->noun)) {
      return command.get();
    }
  }
  return nullptr;
}

std::vector<Flag> own_flags(Command& command, GlobalFlags& globals) {
  std::vector<Flag> flags = command.flags();
  if (!command.info().contexts) return flags;
  flags.push_back({"all-contexts", '\0', "", "Ask the clusters of all contexts of the kubeconfig.",
                   &globals.all_contexts});
  flags.push_back({"contexts", '\0', "CONTEXT,...",
                   "Ask the clusters of these contexts. One that cannot be read does not stop the "
                   "others, and makes the exit code 1.",
                   &globals.contexts});
  std::ranges::sort(flags, {}, &Flag::name);
  return flags;
}

std::vector<Flag> flags_of(Command& command, GlobalFlags& globals) {
  std::vector<Flag> flags = own_flags(command, globals);
  for (Flag& flag : global_flags(globals))
    flags.push_back(std::move(flag));
  return flags;
}

std::vector<Flag> flags_of_all(const Commands& commands, GlobalFlags& globals) {
  std::vector<Flag> flags = global_flags(globals);
  flags.push_back({"version", '\0', "", "Print the version.", &globals.version});
  for (const auto& command : commands) {
    for (Flag& flag : own_flags(*command, globals)) {
      const bool known = std::ranges::any_of(flags, [&flag](const Flag& other) {
        return other.name == flag.name || (flag.letter != '\0' && other.letter == flag.letter);
      });
      if (!known) flags.push_back(std::move(flag));
    }
  }
  return flags;
}

}  // namespace dra::cmd
