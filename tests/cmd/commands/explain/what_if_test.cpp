// tests/cmd/commands/explain/what_if_test.cpp: how flags of `explain` that suppose something are
// read. What comes of it: tests/golden/explain/what-if-*.

#include "cmd/commands/explain/what_if.h"
#include "cmd/commands/explain/idle_changes.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/builders.h"
#include "tests/support/changes.h"

namespace dra::cmd::what_if_test {
namespace {

using support::exactly;
using support::first_available;
using support::scene;

snapshot::Snapshot cluster() {
  return scene()
      .constrained("c",
                   exactly("gpu", 2, "selectors: [{cel: {expression: 'true'}}]") + ", " +
                       first_available("nic", {"deviceClassName: gpu", "deviceClassName: gpu"}),
                   "{matchAttribute: d/numa}")
      .constrained("d", exactly("gpu", 1), "{distinctAttribute: d/a}, {matchAttribute: d/b}")
      .pod("p", "{name: one, resourceClaimName: c}, {name: two, resourceClaimName: d}")
      .build();
}

std::string outcome(const WhatIfFlags& flags) {
  const auto snapshot = cluster();
  const engine::Hypothesis hypothesis(snapshot,
                                      {.namespace_ = "default", .pod = "p", .claims = {}});
  const auto changes = read_what_if(flags, hypothesis);
  if (!changes.ok()) return "error: " + changes.error().message + " | " + changes.error().hint;
  std::vector<std::string> words;
  for (const engine::Change& change : changes.value())
    words.push_back(std::visit(support::ChangeInWords(), change));
  return base::join(words, "; ");
}

TEST_CASE("what flags suppose") {
  struct Row {
    const char* name;
    WhatIfFlags flags;
    const char* want;
  };
  const Row rows[] = {
      {"a count of an alternative", {.set = {"nic/b.count=3"}}, "count nic/b=3"},
      {"of one claim of several", {.set = {"two/gpu.count=3"}}, "count gpu=3"},
      {"which of several requests",
       {.set = {"count=1"}},
       "error: --set count=1: there are several requests | name one: --set REQUEST.count=N; "
       "requests are: gpu, nic/a, nic/b, gpu"},
      {"which of several claims",
       {.set = {"gpu.count=1"}},
       "error: --set gpu.count=1: several claims have a request gpu | say CLAIM/gpu"},
      {"a request that there is not",
       {.set = {"x.count=1"}},
       "error: --set x.count=1: there is no request x to be allocated | requests are: gpu, nic/a, "
       "nic/b, gpu"},
      {"no count",
       {.set = {"one/gpu.count=many"}},
       "error: --set one/gpu.count=many: the count is not a number above 0 | "},
      {"another field",
       {.set = {"gpu.mode=All"}},
       "error: --set gpu.mode=All: not understood | say --set count=N, or --set REQUEST.count=N"},
      {"a selector", {.without = {"selector/one/gpu/0"}}, "drop gpu true"},
      {"a selector that there is not",
       {.without = {"selector/one/gpu/1"}},
       "error: --without selector/one/gpu/1: there is no such selector | request gpu has 1 "
       "selector"},
      {"a constraint of the only claim that has so many",
       {.without = {"constraint/1"}},
       "unconstrain 1"},
      {"of several claims that have it",
       {.without = {"constraint/0"}},
       "error: --without constraint/0: several claims have such a constraint | say "
       "constraint/CLAIM/0"},
      {"of one of them", {.without = {"constraint/one/0"}}, "unconstrain 0"},
      {"a claim and a pod",
       {.without = {"claim/ns/a", "pod/ns/b"}},
       "release ns/a; release  of ns/b"},
      {"a claim without its namespace",
       {.without = {"claim/a"}},
       "error: --without claim/a: not understood | say claim/NAMESPACE/NAME, pod/NAMESPACE/NAME, "
       "selector/REQUEST/0, class-selector/REQUEST/0 or constraint/0"},
      {"a taint, wherever it is",
       {.tolerate = {"t:NoSchedule"}},
       "tolerate  t; tolerate  t; tolerate node t"},
      {"an effect that there is not",
       {.tolerate = {"t:Never"}},
       "error: --tolerate t:Never: not understood | say KEY, KEY:NoSchedule or KEY:NoExecute"},
      {"nodes", {.add_node_like = {"n1", "n2=3"}}, "node like n1; node like n2"},
      {"nodes that go, behind nodes like those that are there",
       {.add_node_like = {"n1"}, .remove_node = {"n1", "n2"}},
       "node like n1; no n1; no n2"},
      {"too many nodes",
       {.add_node_like = {"n2=1001"}},
       "error: --add-node-like n2=1001: not a number from 1 to 1000 | say NODE, POOL, NODE=N or "
       "POOL=N"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(outcome(row.flags) == row.want);
  }
}

TEST_CASE("a node pool stands for one of its nodes, ready if there is one") {
  const auto snapshot =
      scene()
          .yaml(
              "{apiVersion: v1, kind: Node, metadata: {name: down, labels: "
              "{cloud.google.com/gke-nodepool: l4}}, status: {conditions: [{type: Ready, status: "
              "'False'}]}}")
          .node("n1", "cloud.google.com/gke-nodepool: l4")
          .node("n2", "cloud.google.com/gke-nodepool: l4")
          .build();
  const engine::Hypothesis hypothesis(snapshot, {});
  const auto changes = read_what_if({.add_node_like = {"l4=2"}}, hypothesis, {});
  REQUIRE(changes.ok());
  CHECK(changes.value() == std::vector<engine::Change>{engine::AddNode{"n1", 2}});
}

TEST_CASE("a node like one of a file comes behind the file") {
  const auto snapshot = scene().node("n1").build();
  const engine::Hypothesis hypothesis(snapshot, {});
  const auto changes =
      read_what_if({.add_node_like = {"x=2", "n1"}, .remove_node = {"n1"}}, hypothesis,
                   {engine::JoinNodes{.file = "f", .nodes = {"x"}, .objects = nullptr}});
  REQUIRE(changes.ok());
  std::vector<std::string> words;
  for (const engine::Change& change : changes.value())
    words.push_back(std::visit(support::ChangeInWords(), change));
  CHECK(base::join(words, "; ") == "node like n1; no n1; join x; node like x");
}

TEST_CASE("what is so already") {
  const auto snapshot =
      scene()
          .constrained("c", exactly("gpu", 2), "")
          .constrained("free", exactly("gpu", 1), "")
          .pod("p", "{name: one, resourceClaimName: c}")
          .pod("waits", "{name: one, resourceClaimName: c}")
          .slice({.name = "s",
                  .devices = "{name: d, taints: [{key: on-a-device, effect: NoSchedule}]}"})
          .build();
  const std::string no_taint =
      " changes nothing: no node, no device and no taint rule has such a taint";
  struct Row {
    const char* name;
    WhatIfFlags flags;
    std::string want;
  };
  const Row rows[] = {
      {"another count", {.set = {"count=1"}}, ""},
      {"the same count",
       {.set = {"count=2"}},
       "--set gpu.count=2 changes nothing: the request asks for that many"},
      {"a taint of a device", {.tolerate = {"on-a-device"}}, ""},
      {"with another effect",
       {.tolerate = {"on-a-device:NoExecute"}},
       "--tolerate on-a-device:NoExecute" + no_taint},
      {"no taint", {.tolerate = {"x"}}, "--tolerate x" + no_taint},
      {"a claim that holds nothing",
       {.without = {"claim/default/free"}},
       "--without claim/default/free changes nothing: it holds no device"},
      {"a pod that waits",
       {.without = {"pod/default/waits"}},
       "--without pod/default/waits changes nothing: it is on no node, and holds no device"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const engine::Hypothesis hypothesis(snapshot,
                                        {.namespace_ = "default", .pod = "p", .claims = {}});
    const auto changes = read_what_if(row.flags, hypothesis);
    REQUIRE(changes.ok());
    CHECK(base::join(idle_changes(hypothesis, changes.value()), "; ") == row.want);
  }
}

}  // namespace
}  // namespace dra::cmd::what_if_test
