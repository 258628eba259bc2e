// tests/style/generated_test.cpp: manual pages and completion scripts are written by the program
// and checked in, so that packages and readers have them. `UPDATE_GENERATED=1 ctest -R style`
// rewrites them.

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "cmd/completion.h"
#include "cmd/find_command.h"
#include "cmd/man.h"
#include "tests/support/files.h"

namespace dra::generated_test {
namespace {

TEST_CASE("manual pages say what the program says") {
  const cmd::Commands commands = cmd::all_commands();
  std::set<std::string> pages = {"man/kubectl-dra.1"};
  support::check_generated("man/kubectl-dra.1", cmd::program_man(commands));
  for (const auto& command : commands) {
    if (command->info().hidden) continue;
    const std::string page = "man/kubectl-dra-" + std::string(command->info().name) + ".1";
    support::check_generated(page, cmd::command_man(*command));
    pages.insert(page);
  }
  for (const std::string& page : support::files_below("man", ".1")) {
    CHECK_MESSAGE(pages.contains(page), page, ": of no command");
  }
  support::check_generated("man/kubectl-dra-codes.7", cmd::codes_man());
  support::check_generated("man/kubectl-dra-semantics.7", cmd::semantics_man());
}

TEST_CASE("completion scripts are those that the program prints") {
  for (const cmd::CompletionScript& script : cmd::completion_scripts()) {
    support::check_generated("completions/" + std::string(script.file), std::string(script.text));
  }
}

}  // namespace
}  // namespace dra::generated_test
