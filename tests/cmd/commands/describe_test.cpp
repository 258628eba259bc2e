// tests/cmd/commands/describe_test.cpp: how `describe` finds what it is to describe. What it says
// is shown by tests/golden/describe.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cmd/cli.h"
#include "cmd/repeat_flags.h"
#include "tests/support/fake_console.h"
#include "tests/support/temp_dir.h"

namespace dra::cmd::describe_test {
namespace {

// Names that look like parts of each other: pool a/b of driver x.com, and pool b of driver a.
constexpr const char* kCluster = R"(---
{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s1}, spec: {driver: x.com, allNodes: true,
 pool: {name: a/b, generation: 1, resourceSliceCount: 1}, devices: [{name: d1}, {name: both}]}}
---
{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s2}, spec: {driver: a, allNodes: true,
 pool: {name: b, generation: 1, resourceSliceCount: 1}, devices: [{name: d2}, {name: both}]}}
---
{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: one, namespace: default, uid: u1, labels: {k: v}}}
---
{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: one-more, namespace: default}}
---
{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: elsewhere, namespace: other}}
---
{apiVersion: v1, kind: Event, metadata: {name: f, namespace: default}, reason: Called, message: m,
 involvedObject: {kind: ResourceClaim, namespace: default, name: one-more}}
---
{apiVersion: v1, kind: Event, metadata: {name: e, namespace: default}, reason: Said, message: m,
 involvedObject: {kind: ResourceClaim, namespace: default, name: one, uid: u1}}
)";

struct Case {
  std::string name;
  std::vector<std::string> words;
  std::string out;  // stands in what is said, on either stream
  std::string not_out = {};
};

TEST_CASE("what is described") {
  const Case rows[] = {
      {"a whole name is not the beginning of another",
       {"claim", "one"},
       "default/one ",
       "one-more"},
      {"a name that nothing has is a beginning", {"claim", "on"}, "default/one-more "},
      {"but not when several are named", {"claim", "on", "one"}, "\"on\" not found"},
      {"a beginning of a name without events, as kubectl",
       {"claim", "one-m"},
       "one-more",
       "Called"},
      {"unless they are wanted", {"claim", "one-m", "--show-events"}, "Called"},
      {"all of a namespace", {"claims"}, "default/one-more", "elsewhere"},
      {"all namespaces", {"claims", "-A"}, "other/elsewhere"},
      {"by label", {"claims", "-l", "k=v"}, "default/one ", "one-more"},
      {"labels and names do not go together",
       {"claim", "one", "-l", "k=v"},
       "name cannot be provided when a selector is specified"},
      {"a single one with its events", {"claim", "one"}, "Said"},
      {"unless they are not wanted",
       {"claim", "one", "--show-events=false"},
       "default/one",
       "Said"},
      {"several without", {"claims"}, "default/one", "Said"},
      {"unless they are wanted", {"claims", "--show-events"}, "Said"},
      {"a whole id before a pool that has it for a name", {"pool", "a/b"}, "a", "not unique"},
      {"a pool with a slash in its name", {"pool", "x.com/a/b"}, "x.com", "not found"},
      {"a device by its own name", {"device", "d1"}, "d1", "not found"},
      {"a device whose name two pools have", {"device", "both"}, "a/b/both, x.com/a/b/both"},
      {"a device by its id", {"device", "x.com/a/b/both"}, "both", "not unique"},
      {"a kind that does not exist", {"clam", "one"}, "there is no kind \"clam\""},
      {"two kinds", {"claim/one", "pod/p"}, "one kind at a time"},
      {"a driver is none", {"driver", "x.com"}, "kubectl dra drivers"},
  };
  const support::TempDir dir;
  const std::string file = dir.write("cluster.yaml", kCluster);
  for (const Case& row : rows) {
    CAPTURE(row.name);
    support::FakeConsole console;
    std::vector<std::string> words = {"describe", "--snapshot", file};
    words.insert(words.end(), row.words.begin(), row.words.end());
    run_cli(words, console.streams());
    const std::string said = console.out() + console.err();
    CAPTURE(said);
    CHECK(said.find(row.out) != std::string::npos);
    if (!row.not_out.empty()) CHECK(said.find(row.not_out) == std::string::npos);
  }
}

TEST_CASE("commands that go on ask about the same state") {
  const support::TempDir dir;
  const std::string file = dir.write("my cluster.yaml", kCluster);
  support::FakeConsole console;
  run_cli({"describe", "claim", "one", "--snapshot", file}, console.streams());
  CAPTURE(console.out());
  CHECK(console.out().find("kubectl dra explain claim one -n default --snapshot '" + file +
                           "'\n") != std::string::npos);
}

TEST_CASE("flags that lead to a state are repeated, but no credentials") {
  GlobalFlags globals;
  CHECK(repeat_flags(globals).empty());
  globals.connection.context = "prod";
  globals.connection.kubeconfig = "/home/me/my config";
  globals.connection.token = "s3cret";
  CHECK(repeat_flags(globals) == " --kubeconfig '/home/me/my config' --context prod");
  globals.connection.as = "dev";
  globals.connection.as_group = {"a", "b"};
  globals.assume_server = "v1.36";
  globals.feature_gates = {"DRADeviceTaints=false"};
  CHECK(repeat_flags(globals) ==
        " --kubeconfig '/home/me/my config' --context prod --as dev --as-group a --as-group b "
        "--assume-server v1.36 --feature-gates 'DRADeviceTaints=false'");
  CHECK(cluster_flags(globals) == " --kubeconfig '/home/me/my config' --context prod");
  GlobalFlags piped;
  piped.snapshot = {"-"};
  CHECK(repeat_flags(piped) == " --snapshot FILE");
  GlobalFlags demo;
  demo.demo = "gpu";
  demo.connection.context = "prod";
  CHECK(repeat_flags(demo) == " --demo=gpu");
  CHECK(cluster_flags(demo).empty());
}

TEST_CASE("what somebody wrote into the cluster moves no cursor") {
  const support::TempDir dir;
  const std::string file = dir.write("cluster.yaml", R"(---
{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s}, spec: {driver: x.com, allNodes: true,
 pool: {name: p, generation: 1, resourceSliceCount: 1},
 devices: [{name: d, attributes: {model: {string: "x\e]0;title\a"}}}]}}
---
{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c, namespace: default},
 spec: {devices: {config: [{opaque: {driver: x.com, parameters: {kind: "K\e[2J"}}}]}},
 status: {allocation: {devices: {results: [{request: r, driver: x.com, pool: p, device: d}],
   config: [{source: FromClaim, opaque: {driver: x.com, parameters: {kind: "K\e[2J"}}}]}},
  devices: [{driver: x.com, pool: p, device: d,
   conditions: [{type: Ready, status: "False", message: "a\e[2Jb\nfree"}]}]}}
)");
  support::FakeConsole console;
  run_cli({"describe", "claim", "c", "--snapshot", file}, console.streams());
  const std::string text = console.out();
  CAPTURE(text);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find('\a') == std::string::npos);
  CHECK(text.find("\nfree") == std::string::npos);
  CHECK(text.find("model=x^[]0;title^G") != std::string::npos);
}

}  // namespace
}  // namespace dra::cmd::describe_test
