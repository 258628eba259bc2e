// tests/cmd/commands_test.cpp: what holds for the table of commands and for their flags.

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "cmd/find_command.h"
#include "cmd/flags.h"
#include "cmd/help.h"
#include "dra/base/printable.h"
#include "dra/base/text.h"

namespace dra::cmd::commands_test {
namespace {

TEST_CASE("commands are sorted, and no two have one name") {
  const Commands commands = all_commands();
  std::set<std::string_view> names;
  std::string last;
  for (const auto& command : commands) {
    const Info info = command->info();
    const std::string name(
        info.name.substr(std::min(info.name.find_first_not_of('_'), info.name.size())));
    CHECK(last < name);
    last = name;
    CHECK(names.insert(info.name).second);
    for (const std::string_view alias : info.aliases)
      CHECK(names.insert(alias).second);
  }
}

TEST_CASE("a summary is one plain sentence") {
  for (const auto& command : all_commands()) {
    const Info info = command->info();
    CAPTURE(std::string(info.name));
    CHECK(info.summary.ends_with('.'));
    CHECK(base::is_plain(info.summary));
    for (const std::string& paragraph : paragraphs_of(info.description)) {
      CHECK(base::printable(paragraph) == paragraph);
    }
  }
}

TEST_CASE("the flags of a command are sorted and do not hide global ones") {
  GlobalFlags globals;
  std::set<std::string_view> global_names;
  std::set<char> global_letters;
  for (const Flag& flag : global_flags(globals)) {
    global_names.insert(flag.name);
    if (flag.letter != '\0') global_letters.insert(flag.letter);
  }
  for (const auto& command : all_commands()) {
    CAPTURE(std::string(command->info().name));
    const auto flags = command->flags();
    CHECK(std::ranges::is_sorted(flags, {}, &Flag::name));
    for (const Flag& flag : flags) {
      CAPTURE(std::string(flag.name));
      CHECK_FALSE(global_names.contains(flag.name));
      CHECK_FALSE(global_letters.contains(flag.letter));
      CHECK(flag.help.ends_with('.'));
    }
  }
}

// The command is found among the words before it is known which flags it has.
TEST_CASE("a flag has one letter, and takes a value everywhere or nowhere") {
  std::map<std::string_view, std::pair<char, bool>> known;
  std::map<char, std::string_view> letters;
  for (const auto& command : all_commands()) {
    for (const Flag& flag : command->flags()) {
      CAPTURE(std::string(flag.name));
      const auto [at, added] = known.try_emplace(flag.name, flag.letter, takes_value(flag));
      CHECK(at->second == std::pair(flag.letter, takes_value(flag)));
      if (flag.letter != '\0')
        CHECK(letters.try_emplace(flag.letter, flag.name).first->second == flag.name);
    }
  }
}

void check_width(const view::Document& document) {
  const std::string text = help_text(document);
  for (const std::string_view line : base::split(text, '\n')) {
    CHECK_MESSAGE(base::width(line) <= 80, std::string(line));
  }
}

TEST_CASE("help fits 80 columns") {
  const Commands commands = all_commands();
  check_width(program_help(commands, "kubectl dra"));
  for (const auto& command : commands)
    check_width(command_help(*command, "kubectl dra"));
}

}  // namespace
}  // namespace dra::cmd::commands_test
