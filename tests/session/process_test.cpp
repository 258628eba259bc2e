// tests/session/process_test.cpp

#include "src/session/process.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/temp_dir.h"

namespace dra::session::process_test {
namespace {

Outcome run_shell(const std::string& script, Program program = {}) {
  program.path = "/bin/sh";
  program.arguments = {"sh", "-c", script};
  const Result<Outcome> outcome = run_program(program);
  if (!outcome.ok()) FAIL(outcome.error().message);
  return outcome.value();
}

TEST_CASE("a program's output and exit code come back") {
  const Outcome outcome = run_shell("printf 'a\\nb'; exit 3");
  CHECK(outcome.output == "a\nb");
  CHECK(outcome.exit_code == 3);
  CHECK(outcome.signal == 0);
}

TEST_CASE("arguments and environment arrive as they are, and nothing else does") {
  Program program{.path = "/bin/sh", .environment = {"A=1 2", "B=$A"}};
  program.arguments = {"sh", "-c", "echo \"$0|$1|$A|$B|$HOME\"", "a b", "$(x) '\""};
  CHECK(run_program(program).value().output == "a b|$(x) '\"|1 2|$A|\n");
}

TEST_CASE("a program that is ended by a signal says which") {
  CHECK(run_shell("kill -9 $$").signal == SIGKILL);
  CHECK(run_shell("kill -2 $$").signal == SIGINT);
}

TEST_CASE("a program that prints too much is killed") {
  const Outcome outcome = run_shell("while :; do echo 0123456789; done", {.max_output = 10'000});
  CHECK(outcome.too_long);
  CHECK(outcome.output.empty());
}

TEST_CASE("a program that takes too long is ended") {
  const base::Duration short_time{100'000'000};
  const Outcome outcome = run_shell("echo 1; exec sleep 60", {.within = short_time});
  CHECK(outcome.timed_out);
  CHECK(outcome.output.empty());
  CHECK(outcome.signal == SIGTERM);
  const Outcome stubborn =
      run_shell("trap '' TERM; while :; do sleep 0.1; done", {.within = short_time});
  CHECK(stubborn.timed_out);
  CHECK(stubborn.signal == SIGKILL);
  CHECK(run_shell("exec >&- 2>&-; exec sleep 60", {.within = short_time}).timed_out);
}

TEST_CASE("a program that it leaves behind is not waited for") {
  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome = run_shell("sleep 10 & echo done");
  CHECK(outcome.output == "done\n");
  CHECK(outcome.exit_code == 0);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
}

TEST_CASE(
    "what it prints to standard error comes line by line, a question without an end of line") {
  std::string seen;
  run_shell(
      "printf 'one\ntwo\nthree? ' >&2; sleep 0.3; printf 'end' >&2",
      {.on_error_line = [&seen](std::string_view line) { seen += "[" + std::string(line) + "]"; }});
  CHECK(seen == "[one][two][three? ][end]");
}

TEST_CASE("what is just long enough is whole") {
  CHECK(run_shell("printf 12345", {.max_output = 5}).output == "12345");
}

TEST_CASE("standard input is empty unless it is shared") {
  const support::TempDir directory;
  const std::string path = directory.write("input", "typed");
  const int saved = ::dup(STDIN_FILENO);
  const int input = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(::dup2(input, STDIN_FILENO) == STDIN_FILENO);
  CHECK(run_shell("cat").output.empty());
  CHECK(run_shell("cat", {.share_input = true}).output == "typed");
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  ::close(input);
}

TEST_CASE("it works with standard input and output closed, and leaves them so") {
  const int saved_in = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
  const int saved_out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
  ::close(STDIN_FILENO);
  ::close(STDOUT_FILENO);
  const Outcome outcome = run_shell("cat; echo done");
  const bool still_closed =
      ::fcntl(STDIN_FILENO, F_GETFD) < 0 && ::fcntl(STDOUT_FILENO, F_GETFD) < 0;
  ::dup2(saved_in, STDIN_FILENO);
  ::dup2(saved_out, STDOUT_FILENO);
  ::close(saved_in);
  ::close(saved_out);
  CHECK(outcome.output == "done\n");
  CHECK(still_closed);
}

TEST_CASE("no descriptor of ours reaches the program") {
  const int leak = ::open("/dev/null", O_RDONLY);  // not closed on exec
  REQUIRE(leak > 2);
  const int high = ::fcntl(leak, F_DUPFD, 50);
  CHECK(run_shell("for f in /proc/self/fd/*; do echo ${f##*/}; done").output.find("50") ==
        std::string::npos);
  ::close(leak);
  ::close(high);
}

TEST_CASE("signals that we ignore are not ignored by the program") {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  CHECK(run_shell("kill -13 $$; echo alive").signal == SIGPIPE);
  std::signal(SIGPIPE, before);
}

TEST_CASE("what cannot be run says why") {
  const support::TempDir directory;
  const std::string plain = directory.path("plain");
  support::write(plain, "no program");
  const std::string odd = directory.path("odd");
  support::write(odd, "#!/nowhere/interpreter\n");
  const Result<Outcome> outcome = run_program({.path = odd, .arguments = {odd}});
  REQUIRE(!outcome.ok());
  CHECK(outcome.error().message == "cannot run " + odd + ": No such file or directory");
  CHECK(find_program(plain, "").error().message == "cannot run " + plain + ": Permission denied");
  CHECK(find_program(directory.path(), "").error().message ==
        "cannot run " + directory.path() + ": Is a directory");
  CHECK(find_program("/nowhere/x", "").error().kind == ErrorKind::NotFound);
}

TEST_CASE("a name is looked for in PATH, a path is not") {
  const support::TempDir directory;
  support::write(directory.path("b/tool"), "#!/bin/sh\n");
  support::write(directory.path("a/tool"), "not executable");
  support::write(directory.path("a/dir/x"), "");
  const std::string path = directory.path("a") + ":" + directory.path("b/");
  CHECK(find_program("tool", path).value() == directory.path("b/tool"));
  CHECK(find_program("dir", path).error().kind == ErrorKind::NotFound);
  CHECK(find_program("tool", "").error().message ==
        "cannot run tool: there is no such program in PATH");
  CHECK(find_program("", path).error().kind == ErrorKind::NotFound);
  const std::string whole = directory.path("b/tool");
  CHECK(find_program(whole, "").value() == whole);
}

TEST_CASE("a program in a directory of PATH that is not absolute is refused") {
  const support::TempDir directory;
  support::write(directory.path("tool"), "#!/bin/sh\n");
  const std::string relative = std::filesystem::relative(directory.path()).string();
  const Result<std::string> found = find_program("tool", relative);
  REQUIRE(!found.ok());
  CHECK(found.error().message == "cannot run tool: it is found as " + relative +
                                     "/tool, through a directory of PATH that is not absolute");
}

}  // namespace
}  // namespace dra::session::process_test
