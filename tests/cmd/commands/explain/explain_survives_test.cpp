// tests/cmd/commands/explain/explain_survives_test.cpp: whatever manifest `explain -f` gets, it
// answers or says what is wrong.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/cli.h"
#include "dra/base/text.h"
#include "tests/support/fake_console.h"
#include "tests/support/files.h"
#include "tests/support/seed.h"
#include "tests/support/temp_dir.h"

namespace dra::cmd::explain_survives_test {
namespace {

std::vector<std::string> manifests() {
  std::vector<std::string> files = support::files_below("tests/fixtures", ".yaml");
  for (const char* more : {"tests/golden/scenes/manifests", "demo"}) {
    for (std::string& file : support::files_below(more, ".yaml"))
      files.push_back(std::move(file));
  }
  return files;
}

std::string without_names(const std::string& text) {
  static const std::regex name(R"(\n  name: [^\n]*)");
  return std::regex_replace(text, name, "\n  generateName: x-");
}

// A text with some lines gone, doubled, or moved to the left.
std::string mutated(std::string_view text, std::mt19937_64& random) {
  std::string out;
  for (const std::string_view line : base::split(text, '\n')) {
    const auto chance = support::pick(random, 40);
    if (chance == 0) continue;
    const std::string_view shown =
        chance == 1 ? line.substr(std::min<std::size_t>(2, line.size())) : line;
    out += base::format("{}\n", shown);
    if (chance == 2) out += base::format("{}\n", line);
  }
  return out;
}

void check_survives(const std::string& text) {
  const support::TempDir dir;
  const std::string file = dir.write("f.yaml", text);
  const support::FakeConsole console;
  const std::vector<std::string> arguments = {"explain", "-f", file, "--demo=gpu"};
  const ExitCode exit = run_cli(arguments, console.streams());
  CAPTURE(console.err());
  CHECK(console.out().empty() == (exit == ExitCode::Failed));
}

TEST_CASE("explain -f takes every manifest, without names, doubled and mutated") {
  std::mt19937_64 random = support::seeded();
  const std::uint64_t mutations = support::cases(3);
  for (const std::string& path : manifests()) {
    CAPTURE(path);
    const std::string text = support::read(path);
    check_survives(text);
    check_survives(without_names(text));
    check_survives(text + "\n---\n" + without_names(text));
    for (std::uint64_t i = 0; i < mutations; ++i)
      check_survives(mutated(text, random));
  }
}

}  // namespace
}  // namespace dra::cmd::explain_survives_test
