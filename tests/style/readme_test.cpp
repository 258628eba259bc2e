// tests/style/readme_test.cpp: what README.md shows is what the program prints.

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "cmd/cli.h"
#include "dra/base/text.h"
#include "tests/support/fake_console.h"
#include "tests/support/files.h"

namespace dra::readme_test {
namespace {

constexpr const char* kReadme = "./README.md";
constexpr std::string_view kPrompt = "$ kubectl dra ";
constexpr std::string_view kFence = "```\n";

std::string output_of(std::string_view command) {
  support::FakeConsole console(support::FakeConsole::Options{});
  std::vector<std::string> args;
  for (const std::string_view word : base::split(command, ' '))
    args.emplace_back(word);
  cmd::run_cli(args, console.streams());
  return console.out();
}

TEST_CASE("transcripts") {
  std::string readme = support::read(kReadme);
  const std::string start = base::format("{}{}", kFence, kPrompt);
  std::size_t found = 0;
  for (std::size_t at = readme.find(start); at != std::string::npos; at = readme.find(start, at)) {
    const std::size_t command = at + start.size();
    const std::size_t output = readme.find('\n', command) + 1;
    const std::size_t end = readme.find(kFence, output);
    REQUIRE(end != std::string::npos);
    readme.replace(output, end - output, output_of(readme.substr(command, output - 1 - command)));
    at = output;
    ++found;
  }
  CHECK(found > 0);
  support::check_generated(kReadme, readme);
}

TEST_CASE("pictures") {
  support::check_generated("docs/tpu-slice.svg", output_of("topology --demo=degraded -o svg"));
  support::check_generated("docs/mig.svg", output_of("topology --demo=mig -o svg"));
}

}  // namespace
}  // namespace dra::readme_test
