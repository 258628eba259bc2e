// tests/golden/field_row.cpp: runs the command of a row, and doctor, on the cluster.

#include "tests/golden/field_row.h"

#include <doctest/doctest.h>

#include <optional>

#include "dra/base/text.h"
#include "tests/support/fake_console.h"
#include "tests/support/files.h"

namespace dra::golden {
namespace {

std::string renamed(std::string text, const Names& names) {
  for (const auto& [from, to] : names) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  }
  return text;
}

// The text on one line, without the breaks that a terminal's width makes.
std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n';
    if (!space || !line.ends_with(' ')) line += space ? ' ' : c;
  }
  return line;
}

std::string printed(std::vector<std::string> args, const std::string& cluster,
                    std::optional<cmd::ExitCode> want) {
  args.insert(args.end(), {"--snapshot", "-"});
  support::FakeConsole console({.now = "2026-11-20T09:30:00Z", .input = cluster});
  const cmd::ExitCode exit = cmd::run_cli(args, console.streams());
  if (want) CHECK(exit == *want);
  return on_one_line(console.out() + console.err());
}

void check_words(const std::string& text, const std::vector<std::string>& says,
                 const std::vector<std::string>& never, const Names& names) {
  for (const std::string& word : says)
    CHECK_MESSAGE(text.find(renamed(word, names)) != std::string::npos, word, " IS NOT IN ", text);
  for (const std::string& word : never)
    CHECK_MESSAGE(text.find(renamed(word, names)) == std::string::npos, word, " IS IN ", text);
}

}  // namespace

void check_row(const Row& row, const Names& names) {
  const std::string cluster =
      renamed(support::read(base::format("tests/golden/field/{}.yaml", row.file)), names);
  CAPTURE(std::string(row.file));
  CAPTURE(std::string(row.command));
  const std::string command = renamed(row.command, names);
  std::vector<std::string> args;
  for (const std::string_view word : base::split(command, ' '))
    args.emplace_back(word);
  check_words(printed(args, cluster, row.exit), row.says, row.never, names);
  const std::string doctor = printed({"doctor"}, cluster, std::nullopt);
  check_words(doctor, row.doctor, {"Nothing is wrong"}, names);
}

}  // namespace dra::golden
