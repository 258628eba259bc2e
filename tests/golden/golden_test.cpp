// tests/golden/golden_test.cpp: every scene in tests/golden, run in this process: no shell, a fixed
// clock, a fixed width, no terminal, no network. `UPDATE_GOLDEN=1 ctest -R golden` accepts what is.

#include <doctest/doctest.h>

#include "cmd/cli.h"
#include "tests/support/fake_console.h"
#include "tests/support/transcript.h"

namespace dra {
namespace {

support::FakeConsole::Options options_of(const support::Transcript& scene) {
  support::FakeConsole::Options options;
  if (const std::string now = scene.directive("now"); !now.empty()) options.now = now;
  if (const std::string width = scene.directive("width"); !width.empty()) {
    options.width = std::stoi(width);
  }
  return options;
}

TEST_CASE("golden scenes") {
  for (const support::Transcript& want : support::transcripts_in("golden")) {
    CAPTURE(want.path());
    support::FakeConsole console(options_of(want));
    const cmd::ExitCode exit = cmd::run_cli(want.args(), console.streams());
    const support::Transcript got = want.with(console.out(), console.err(), exit);
    if (support::updating_goldens()) {
      got.save();
    } else {
      CHECK_MESSAGE(got.text() == want.text(), "to accept: UPDATE_GOLDEN=1 ctest -R golden");
    }
  }
}

}  // namespace
}  // namespace dra
