// tests/cmd/several_contexts_test.cpp: which contexts are meant, and what they cannot be combined
// with.

#include "cmd/several_contexts.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cmd/cli.h"
#include "dra/base/text.h"
#include "tests/support/fake_console.h"
#include "tests/support/temp_dir.h"

namespace dra::cmd::several_contexts_test {
namespace {

using Words = std::vector<std::string>;

// Nothing listens at port 1.
constexpr std::string_view kConfig = R"(apiVersion: v1
kind: Config
current-context: dev
clusters:
- {name: c, cluster: {server: "http://127.0.0.1:1"}}
users:
- {name: u, user: {}}
contexts:
- {name: prod, context: {cluster: c, user: u}}
- {name: dev, context: {cluster: c, user: u}}
)";

struct Run {
  ExitCode exit;
  std::string out;
  std::string err;

  explicit Run(Words words) {
    const support::TempDir dir;
    words.insert(words.end(), {"--kubeconfig", dir.write("config", std::string(kConfig))});
    const support::FakeConsole console;
    exit = run_cli(words, console.streams());
    out = console.out();
    err = console.err();
  }
};

std::string asked(const GlobalFlags& given) {
  const support::TempDir dir;
  GlobalFlags globals = given;
  globals.connection.kubeconfig = dir.write("config", std::string(kConfig));
  const auto names = contexts_asked(globals, {});
  return names.ok() ? base::join(names.value(), " ") : names.error().message;
}

TEST_CASE("contexts are those that are named, in that order, or all by name") {
  CHECK(asked({.contexts = {"prod,dev"}}) == "prod dev");
  CHECK(asked({.contexts = {"prod", "dev, prod"}}) == "prod dev");
  CHECK(asked({.all_contexts = true}) == "dev prod");
  CHECK(asked({.contexts = {"dev,"}}) == "--contexts: \"dev,\" has an empty name");
  CHECK(asked({.contexts = {"prd"}}) == "--contexts names the context prd, which is not there");
}

TEST_CASE("what is for one cluster is refused before any is asked") {
  struct Case {
    Words words;
    std::string says;
  };
  const std::vector<Case> cases = {
      {{"claims", "--contexts", "dev", "--context", "prod"},
       "--contexts and --context cannot be used together"},
      {{"claims", "--contexts", "dev", "--all-contexts"},
       "--all-contexts and --contexts cannot be used together"},
      {{"top", "--all-contexts", "--snapshot", "x"},
       "--all-contexts and --snapshot cannot be used together"},
      {{"--all-contexts", "--demo"}, "--all-contexts and --demo cannot be used together"},
      {{"claims", "--all-contexts", "-s", "x"},
       "--all-contexts and --server cannot be used together"},
      {{"claims", "--all-contexts", "-w"}, "--all-contexts and --watch cannot be used together"},
      {{"claims", "--all-contexts", "-o", "jsonpath={.x}"},
       "--all-contexts and --output=jsonpath cannot be used together"},
      {{"claims", "--all-contexts", "--template", "x"},
       "--all-contexts and --template cannot be used together"},
      {{"doctor", "--all-contexts", "-o", "html"},
       "--all-contexts and --output=html cannot be used together"},
      {{"explain", "x", "--all-contexts"}, "--contexts and --all-contexts of explain are for"},
      {{"explain", "--code=NodeTainted", "--all-contexts"},
       "--contexts and --all-contexts of explain are for"},
      {{"describe", "pod", "x", "--contexts", "dev"}, "unknown flag --contexts"},
      {{"claims", "--contexts", "prd"}, "hint: did you mean prod?"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.says);
    const Run run(c.words);
    CHECK(run.exit == ExitCode::Failed);
    CHECK(run.out.empty());
    CHECK(run.err.find(c.says) != std::string::npos);
  }
}

TEST_CASE("each cluster that cannot be read is named") {
  for (const Words& words : std::vector<Words>{
           {"pods"}, {"devices"}, {"top"}, {"overview"}, {"doctor"}, {"explain", "--pending"}}) {
    Words all = words;
    all.emplace_back("--all-contexts");
    const Run run(all);
    CHECK(run.exit == ExitCode::Failed);
    CHECK(run.err.find("warning: context dev: connection refused") != std::string::npos);
    CHECK(run.err.find("warning: context prod: connection refused") != std::string::npos);
  }
}

}  // namespace
}  // namespace dra::cmd::several_contexts_test
