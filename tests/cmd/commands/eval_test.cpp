// tests/cmd/commands/eval_test.cpp: where an expression comes from. What is said of it:
// tests/golden/eval.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cmd/cli.h"
#include "tests/support/fake_console.h"

namespace dra::cmd::eval_test {
namespace {

struct Case {
  const char* name;
  std::vector<std::string> words;
  std::string input;
  ExitCode exit;
  const char* says;  // on either stream
};

TEST_CASE("where an expression comes from") {
  const Case rows[] = {
      {"an argument", {"eval", "--check", "true"}, "", ExitCode::Done, "The expression compiles."},
      {"standard input, with the line break of a text",
       {"eval", "--check", "-"},
       "device.driver ==\n  x\r\n",
       ExitCode::Found,
       " |   x\n   | ..^\n"},
      {"one that begins with a minus",
       {"eval", "--check", "--", "-1 < 0"},
       "",
       ExitCode::Done,
       "The expression compiles."},
      {"that is no flag, and so a mistake without --",
       {"eval", "--check", "-1 < 0"},
       "",
       ExitCode::Failed,
       "error: unknown flag -1"},
      {"an empty one", {"eval", "--check", ""}, "", ExitCode::Found, "Syntax error"},
      {"what is not text", {"eval", "--check", "'\xff'"}, "", ExitCode::Failed, "is not UTF-8"},
      {"neither is it of a filter",
       {"devices", "--cel", "'\xff'", "--demo"},
       "",
       ExitCode::Failed,
       "is not UTF-8"},
      {"standard input cannot be both",
       {"eval", "-", "--snapshot", "-"},
       "true",
       ExitCode::Failed,
       "standard input cannot be both the expression and the snapshot"},
      {"the rules are those of the snapshot's release",
       {"eval", "--check", "--snapshot", "-", "device.allowMultipleAllocations"},
       "{apiVersion: v1, kind: ConfigMap, metadata: {name: kubectl-dra-snapshot}, data: "
       "{serverVersion: v1.33.0}}",
       ExitCode::Found,
       "undefined field 'allowMultipleAllocations'"},
      {"no cluster is asked for a check, and one is otherwise",
       {"eval", "true"},
       "",
       ExitCode::Failed,
       "error: "},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    support::FakeConsole console({.input = row.input});
    CHECK(run_cli(row.words, console.streams()) == row.exit);
    const std::string text = console.out() + console.err();
    CAPTURE(text);
    CHECK(text.find(row.says) != std::string::npos);
  }
}

}  // namespace
}  // namespace dra::cmd::eval_test
