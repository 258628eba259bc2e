// tests/cmd/cli_test.cpp: what a run does beyond its command.

#include "cmd/cli.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <ostream>
#include <streambuf>
#include <string>
#include <vector>

#include "tests/support/fake_console.h"

namespace dra::cmd::cli_test {
namespace {

using support::FakeConsole;
using Words = std::vector<std::string>;

TEST_CASE("an error leaves standard output empty") {
  for (const Words& words : std::vector<Words>{{"nonsense"},
                                               {"--nonsense"},
                                               {"version", "extra"},
                                               {"completion"},
                                               {"pools", "--demo", "no-such-pool"},
                                               {"pools", "--snapshot", "tests/no-such-file.yaml"},
                                               {"pools"}}) {
    FakeConsole console;
    CAPTURE(words.front());
    CHECK(run_cli(words, console.streams()) == ExitCode::Failed);
    CHECK(console.out().empty());
    CHECK(console.err().starts_with("error: "));
  }
}

TEST_CASE("help wins over arguments that are missing or wrong in number") {
  for (const Words& words : std::vector<Words>{{"completion", "--help"},
                                               {"version", "a", "b", "-h"},
                                               {"--help", "completion"},
                                               {"help", "completion"}}) {
    FakeConsole console;
    CHECK(run_cli(words, console.streams()) == ExitCode::Done);
    CHECK(console.err().empty());
    CHECK(console.out().find("Usage:\n  kubectl dra ") != std::string::npos);
  }
}

TEST_CASE("help names the program as it was called") {
  FakeConsole plugin({.program = "/usr/bin/kubectl-dra"});
  run_cli({"version", "-h"}, plugin.streams());
  CHECK(plugin.out().find("  kubectl dra version [flags]\n") != std::string::npos);
  FakeConsole other({.program = "./dra"});
  run_cli({"version", "-h"}, other.streams());
  CHECK(other.out().find("  dra version [flags]\n") != std::string::npos);
}

TEST_CASE("the value of a flag is not taken for the command") {
  FakeConsole console;
  CHECK(run_cli({"-n", "nonsense", "version"}, console.streams()) == ExitCode::Done);
  CHECK(console.out().starts_with("kubectl-dra v"));
}

TEST_CASE("an unknown flag before the command is named, not its value") {
  FakeConsole console;
  run_cli({"--nonsense", "value", "version"}, console.streams());
  CHECK(console.err().starts_with("error: unknown flag --nonsense\n"));
}

TEST_CASE("what a user typed cannot act on the terminal") {
  FakeConsole console;
  run_cli({"\x1b[31m\n"}, console.streams());
  CHECK(console.err().starts_with("error: unknown command \"^[[31m\\n\"\n"));
}

TEST_CASE("colours need a terminal that has them and a user who wants them") {
  using Environment = std::map<std::string, std::string, std::less<>>;
  const auto coloured = [](bool terminal, const Environment& environment) {
    FakeConsole console({.environment = environment, .terminal = terminal});
    const Console& streams = console.streams();
    const GlobalFlags globals;
    view::Document document;
    document.add(view::Paragraph{{{"bad", view::Tone::Bad}}});
    Context(streams, globals, {}).print(document);
    return console.out() != "bad\n";
  };
  CHECK(coloured(true, {{"TERM", "xterm"}}));
  CHECK_FALSE(coloured(false, {{"TERM", "xterm"}}));
  CHECK_FALSE(coloured(true, {{"TERM", "dumb"}}));
  CHECK_FALSE(coloured(true, {}));
  CHECK_FALSE(coloured(true, {{"TERM", "xterm"}, {"NO_COLOR", ""}}));
}

// An output that fails as write(2) does.
class Failing : public std::streambuf {
 public:
  explicit Failing(int code) : code_(code) {}

 protected:
  int_type overflow(int_type) override {
    errno = code_;
    return traits_type::eof();
  }

 private:
  int code_;
};

TEST_CASE("who stops reading gets no error, a full disk is one") {
  for (const int code : {EPIPE, ENOSPC}) {
    Failing buffer(code);
    std::ostream out(&buffer);
    FakeConsole console;
    Console streams{.streams = {out, console.streams().streams.err, {}}, .program = "kubectl-dra"};
    const ExitCode exit = run_cli({"version"}, streams);
    CHECK(exit == (code == EPIPE ? ExitCode::Done : ExitCode::Failed));
    CHECK(console.err() ==
          (code == EPIPE ? "" : "error: cannot write the output: No space left on device\n"));
  }
}

TEST_CASE("a report has as many lines as the screen, and all of them with -o wide") {
  const Words pending = {"explain", "--pending", "-A", "--snapshot",
                         "tests/fixtures/pods-pending.yaml"};
  const auto lines_of = [](Words words, int height) {
    FakeConsole console({.width = 80, .screen = {.width = 80, .height = height}});
    run_cli(words, console.streams());
    CHECK((console.out().find(" more causes: -o wide\n") == std::string::npos) == (height > 24));
    return std::ranges::count(console.out(), '\n');
  };
  CHECK(lines_of(pending, 15) <= 15);
  CHECK(lines_of(pending, 24) > lines_of(pending, 15));
  const auto all = lines_of(pending, 60);
  CHECK(all > 24);
  Words wide = pending;
  wide.insert(wide.end(), {"-o", "wide"});
  FakeConsole console({.screen = {.width = 80, .height = 15}});
  run_cli(wide, console.streams());
  CHECK(console.out().find(" more causes") == std::string::npos);
}

}  // namespace
}  // namespace dra::cmd::cli_test
