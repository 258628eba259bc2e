// tests/cmd/name_hints_test.cpp: every command says what was probably meant by a name that nothing
// has, and none takes a misspelt namespace for an empty one.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cmd/cli.h"
#include "cmd/name_hints.h"
#include "tests/support/fake_console.h"
#include "tests/support/temp_dir.h"

namespace dra::cmd::name_hints_test {
namespace {

constexpr const char* kCluster = R"(---
{apiVersion: v1, kind: Node, metadata: {name: worker-a1, labels: {cloud.google.com/gke-nodepool: big-pool}}}
---
{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: fpga.example.com}}
---
{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: slice-one}, spec: {driver: fpga.example.com,
 nodeName: worker-a1, pool: {name: worker-a1, generation: 1, resourceSliceCount: 1}, devices: [{name: card-0}]}}
---
{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: shared-card, namespace: research, uid: u1},
 spec: {devices: {requests: [{name: r, exactly: {deviceClassName: fpga.example.com}}]}}}
---
{apiVersion: v1, kind: Pod, metadata: {name: analysis, namespace: research, uid: u2}, spec: {containers: [{name: c, image: i}],
 resourceClaims: [{name: r, resourceClaimName: shared-card}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop, uid: u3}, spec: {containers: [{name: c, image: i}]}}
)";

struct Row {
  std::vector<std::string> words;
  std::string hint;  // the line on standard error
};

void check(const std::vector<Row>& rows) {
  const support::TempDir dir;
  const std::string file = dir.write("cluster.yaml", kCluster);
  for (const Row& row : rows) {
    CAPTURE(row.words);
    const support::FakeConsole console;
    std::vector<std::string> words = row.words;
    words.insert(words.end(), {"--snapshot", file});
    CHECK(run_cli(words, console.streams()) == ExitCode::Failed);
    CHECK(console.out() == "");
    CHECK_MESSAGE(console.err().find("hint: " + row.hint + "\n") != std::string::npos,
                  console.err());
  }
}

TEST_CASE("a similar name is suggested, whatever the command") {
  const std::string node = "did you mean worker-a1?";
  const std::string name = "did you mean shared-card?";
  check({
      {{"nodes", "worker-a2"}, node},
      {{"top", "nodes", "worker-a2"}, node},
      {{"describe", "node", "xworker-a1"}, node},
      {{"topology", "node", "worker-a2"}, node},
      {{"explain", "node", "worker-a2"}, node},
      {{"explain", "slice", "slice-on"}, "did you mean slice-one?"},
      {{"pools", "worker-a2"}, node},
      {{"topology", "pool", "worker-a2"}, node},
      {{"describe", "pool", "xworker-a1"}, node},
      {{"topology", "nodepool", "big-pol"}, "did you mean big-pool?"},
      {{"classes", "fpga.example.con"}, "did you mean fpga.example.com?"},
      {{"drivers", "fpga.example.con"}, "did you mean fpga.example.com?"},
      {{"top", "classes", "fpga.example.con"}, "did you mean fpga.example.com?"},
      {{"devices", "cart-0"}, "did you mean card-0?"},
      {{"describe", "device", "cart-0"}, "did you mean card-0?"},
      {{"claims", "shard-card", "-n", "research"}, name},
      {{"explain", "claim", "shard-card", "-n", "research"}, name},
      {{"topology", "claim", "shard-card", "-n", "research"}, name},
      {{"explain", "analysys", "-n", "research"}, "did you mean analysis?"},
      {{"plan", "-n", "research", "--pod", "analysys", "--set", "count=2"},
       "did you mean analysis?"},
  });
}

TEST_CASE("the namespace or the kind may be what is wrong") {
  check({
      {{"explain", "analysis"}, "it is in namespace research: -n research"},
      {{"pods", "analysis"}, "it is in namespace research: -n research"},
      {{"explain", "analysys"}, "did you mean analysis in namespace research?"},
      {{"explain", "pod", "shared-card", "-n", "research"},
       "there is a claim of that name, but no pod"},
      {{"claims", "analysis", "-n", "research"}, "there is a pod of that name, but no claim"},
      {{"explain", "pod", "other", "-n", "reserch"}, "did you mean research?"},
      {{"explain", "pod", "other", "-n", "research"},
       "looked in namespace research; -n names another"},
  });
}

TEST_CASE("in a namespace that does not exist is nothing, which is no answer") {
  const std::string meant = "did you mean research?";
  check({
      {{"explain", "-n", "reserch"}, meant},
      {{"explain", "--pending", "-n", "reserch"}, meant},
      {{"plan", "-n", "reserch"}, meant},
      {{"doctor", "-n", "reserch"}, meant},
      {{"overview", "-n", "reserch"}, meant},
      {{"topology", "-n", "reserch"}, meant},
      {{"top", "namespaces", "-n", "reserch"}, meant},
      {{"top", "workloads", "-n", "reserch"}, meant},
      {{"top", "workloads", "--idle", "-n", "reserch"}, meant},
      {{"explain", "-n", "zzzzzzzzz"}, "-A is about all namespaces"},
      {{"doctor", "-n", "zzzzzzzzz"}, "without -n it is about all namespaces"},
  });
}

TEST_CASE("a list of nothing is one of kubectl's, with a hint") {
  const support::TempDir dir;
  const std::string file = dir.write("cluster.yaml", kCluster);
  const support::FakeConsole console;
  CHECK(run_cli({"claims", "-n", "reserch", "--snapshot", file}, console.streams()) ==
        ExitCode::Done);
  CHECK(console.err() ==
        "No resources found in reserch namespace.\nhint: did you mean research?\n");
  const support::FakeConsole empty;
  CHECK(run_cli({"claims", "-n", "shop", "--snapshot", file}, empty.streams()) == ExitCode::Done);
  CHECK(empty.err() == "No resources found in shop namespace.\n");
}

TEST_CASE("one or two letters are similar to too much to suggest anything") {
  const support::FakeConsole command;
  CHECK(run_cli({"p2"}, command.streams()) == ExitCode::Failed);
  CHECK(command.err().find("did you mean") == std::string::npos);
  const support::FakeConsole kind;
  CHECK(run_cli({"describe", "p2"}, kind.streams()) == ExitCode::Failed);
  CHECK(kind.err().find("did you mean") == std::string::npos);
  CHECK(did_you_mean("p2", {"p1", "p3"}) == "");
  CHECK(did_you_mean("pod-2", {"pod-1", "pod-3"}) == "did you mean pod-1 or pod-3?");
}

}  // namespace
}  // namespace dra::cmd::name_hints_test
