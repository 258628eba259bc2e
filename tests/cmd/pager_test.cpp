// tests/cmd/pager_test.cpp

#include "cmd/pager.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "dra/base/files.h"
#include "dra/base/text.h"

namespace dra::cmd::pager_test {
namespace {

std::string pager_with(session::Environment environment, bool terminal = true) {
  std::ostringstream out;
  const Console console{.streams = {.out = out, .err = out, .read_input = {}},
                        .environment = std::move(environment),
                        .now = {},
                        .terminal = terminal,
                        .program = {}};
  return pager_of(console);
}

TEST_CASE("the pager is the plugin's own, or else the user's, on a terminal that can show one") {
  CHECK(pager_with({}).empty());
  CHECK(pager_with({.variables = {{"PAGER", "less -S"}}}) == "less -S");
  CHECK(pager_with({.variables = {{"PAGER", "less"}, {"KUBECTL_DRA_PAGER", "most"}}}) == "most");
  CHECK(pager_with({.variables = {{"PAGER", "less"}, {"KUBECTL_DRA_PAGER", ""}}}).empty());
  CHECK(pager_with({.variables = {{"PAGER", "cat"}}}).empty());
  CHECK(pager_with({.variables = {{"PAGER", "less"}, {"TERM", "dumb"}}}).empty());
  CHECK(pager_with({.variables = {{"PAGER", "less"}}}, false).empty());
}

// What is written through a pager of three lines, and where it ends up.
struct Shown {
  std::string terminal;
  std::string pager;  // "-": it was not started
};

Shown shown(const std::vector<std::string>& texts, bool flush_first = false) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / base::format("dra-pager-{}", ::getpid());
  std::filesystem::remove(file);
  std::ostringstream terminal;
  {
    Pager pager(terminal, base::format("cat >'{}'", file.string()), 3);
    if (flush_first) terminal.flush();
    for (const std::string& text : texts)
      terminal << text;
    terminal.put('\n');
  }
  const auto paged = base::read_file(file.string());
  std::filesystem::remove(file);
  return {terminal.str(), paged.ok() ? paged.value() : "-"};
}

TEST_CASE("what fits the screen is written directly, and all of what does not goes to the pager") {
  Shown result = shown({"one\ntwo"});
  CHECK(result.terminal == "one\ntwo\n");
  CHECK(result.pager == "-");
  result = shown({"one\n", "two\nthr", "ee"});
  CHECK(result.terminal.empty());
  CHECK(result.pager == "one\ntwo\nthree\n");
}

TEST_CASE("after a flush everything is written directly") {
  const Shown result = shown({"one\ntwo\nthree\nfour"}, true);
  CHECK(result.terminal == "one\ntwo\nthree\nfour\n");
  CHECK(result.pager == "-");
}

TEST_CASE("what a pager that cannot be run would show is written directly") {
  std::ostringstream terminal;
  {
    Pager pager(terminal, "no-such-pager -S", 1);
    terminal << "one\ntwo\nthree\n";
  }
  CHECK(terminal.str() == "one\ntwo\nthree\n");
}

TEST_CASE("a pager that ends early is no error") {
  std::ostringstream terminal;
  {
    Pager pager(terminal, "true", 1);
    for (int i = 0; i < 100'000; ++i)
      terminal << "a line of text\n";
    CHECK(terminal.good());
  }
  CHECK(terminal.str().empty());
}

}  // namespace
}  // namespace dra::cmd::pager_test
