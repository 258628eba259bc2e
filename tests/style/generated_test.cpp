// tests/style/generated_test.cpp: manual pages and completion scripts are written by the program
// and checked in, so that packages and readers have them. `UPDATE_GENERATED=1 ctest -R style`
// rewrites them.

#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/cli.h"
#include "cmd/completion.h"
#include "cmd/find_command.h"
#include "cmd/man/man.h"
#include "dra/base/text.h"
#include "tests/support/fake_console.h"
#include "tests/support/files.h"

namespace dra::generated_test {
namespace {

// What the program prints, without what a terminal would be asked for.
std::string output_of(const cmd::ShownExample& example) {
  support::FakeConsole console({.width = 76, .input = std::string(example.input)});
  std::vector<std::string> args;
  for (const std::string_view word : base::split(example.line, ' ')) {
    const bool quoted = word.starts_with('\'') && word.ends_with('\'');
    args.emplace_back(quoted ? word.substr(1, word.size() - 2) : word);
  }
  cmd::run_cli(args, console.streams());
  return console.out() + console.err();
}

// What mandoc and groff warn of; their style hints are about long lines, which examples have.
std::string warnings_of(const std::string& pages) {
  const std::string command = "for page in " + pages +
                              "; do mandoc -T lint -W warning $page; "
                              "groff -man -ww -T utf8 -b -z $page; done 2>&1";
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> buffer;
  while (fgets(buffer.data(), buffer.size(), pipe) != nullptr)
    text += buffer.data();
  CHECK(pclose(pipe) == 0);
  return text;
}

TEST_CASE("manual pages say what the program says") {
  const cmd::Commands commands = cmd::all_commands();
  std::set<std::string> pages = {"man/kubectl-dra.1"};
  support::check_generated("man/kubectl-dra.1", cmd::program_man(commands));
  for (const auto& command : commands) {
    if (command->info().hidden) continue;
    const std::string page = "man/kubectl-dra-" + std::string(command->info().name) + ".1";
    support::check_generated(page, cmd::command_man(*command, output_of));
    pages.insert(page);
  }
  for (const std::string& page : support::files_below("man", ".1")) {
    CHECK_MESSAGE(pages.contains(page), page, ": of no command");
  }
  support::check_generated("man/kubectl-dra-codes.7", cmd::codes_man());
  support::check_generated("man/kubectl-dra-semantics.7", cmd::semantics_man());
}

TEST_CASE("readers of manual pages warn of nothing") {
  CHECK(warnings_of("man/*.1 man/*.7") == "");
}

TEST_CASE("completion scripts are those that the program prints") {
  for (const cmd::CompletionScript& script : cmd::completion_scripts()) {
    support::check_generated("completions/" + std::string(script.file), std::string(script.text));
  }
}

}  // namespace
}  // namespace dra::generated_test
