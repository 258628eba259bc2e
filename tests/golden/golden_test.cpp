// tests/golden/golden_test.cpp: every scene in tests/golden, run in this process: no shell, a fixed
// clock, a fixed width, no terminal, no network. `UPDATE_GOLDEN=1 ctest -R golden` accepts what is.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/cli.h"
#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "tests/support/fake_console.h"
#include "tests/support/transcript.h"

namespace dra::golden_test {
namespace {

support::FakeConsole::Options options_of(const support::Transcript& scene) {
  support::FakeConsole::Options options;
  if (const std::string now = scene.directive("now"); !now.empty()) options.now = now;
  if (const std::string width = scene.directive("width"); !width.empty()) {
    options.width = std::stoi(width);
  }
  return options;
}

// Why something waits is told on one screen: nobody scrolls back for the cause.
bool must_fit_a_screen(const support::Transcript& scene) {
  const std::vector<std::string>& args = scene.args();
  const auto has = [&args](std::string_view start) {
    return std::ranges::any_of(args, [start](const auto& arg) { return arg.starts_with(start); });
  };
  if (args.size() < 2 || args[0] != "explain" || has("-o") || has("--emit-patch")) return false;
  const bool whole = has("--demo") || has("tests/fixtures/") || has("tests/golden/scenes/after");
  const bool many = has("tests/golden/scenes/workload") && !has("-f");
  return many || (whole && (args[1].starts_with("pod") || args[1].starts_with("--pending") ||
                            args[1].starts_with("node")));
}

void check_screen(const support::Transcript& scene, const std::string& out) {
  constexpr std::size_t most_columns = 80;
  constexpr std::ptrdiff_t most_lines = 24;
  CHECK_MESSAGE(scene.directive("width") == std::to_string(most_columns), "# width: 80");
  CHECK(std::ranges::count(out, '\n') <= most_lines);
  for (const std::string_view line : base::split(out, '\n')) {
    // A command is never broken, so that it can be pasted.
    const std::size_t command = line.find("kubectl ");
    const bool to_paste = (command != std::string_view::npos && command < most_columns) ||
                          base::trim(line).starts_with("echo '");
    CHECK_MESSAGE((to_paste || base::width(line) <= most_columns), line);
  }
}

// Whatever else there is to show about a pod, the first advice is among it.
void check_first_advice(const support::Transcript& scene, const std::string& out) {
  if (!scene.args()[1].starts_with("pod")) return;
  std::vector<std::string> args = scene.args();
  args.insert(args.end(), {"-o", "json"});
  support::FakeConsole console(options_of(scene));
  cmd::run_cli(args, console.streams());
  if (console.out().find("\"advice\": [\n") == std::string::npos) return;
  CHECK(out.find("\n    1. ") != std::string::npos);
}

TEST_CASE("golden scenes") {
  for (const support::Transcript& want : support::transcripts_in("golden")) {
    CAPTURE(want.path());
    support::FakeConsole console(options_of(want));
    const cmd::ExitCode exit = cmd::run_cli(want.args(), console.streams());
    if (must_fit_a_screen(want) && !console.out().empty()) {
      check_screen(want, console.out());
      check_first_advice(want, console.out());
    }
    const support::Transcript got = want.with(console.out(), console.err(), exit);
    if (support::updating_goldens()) {
      got.save();
    } else {
      CHECK_MESSAGE(got.text() == want.text(), "to accept: UPDATE_GOLDEN=1 ctest -R golden");
    }
  }
}

}  // namespace
}  // namespace dra::golden_test
