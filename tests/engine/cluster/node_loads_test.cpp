// tests/engine/cluster/node_loads_test.cpp

#include "dra/engine/cluster/node_loads.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/builders.h"

namespace dra::engine::node_loads_test {
namespace {

using support::scene;

constexpr const char* kOnN1 =
    "nodeName: n1, containers: [{name: c, ports: [{hostPort: 80}], resources: {requests: {cpu: "
    "500m, example.com/gpu: 1}}}]";

TEST_CASE("pods on a node add up; those that have ended or have no node are in none") {
  const auto snapshot =
      scene()
          .pod("a", "", kOnN1)
          .pod("b", "", "nodeName: n1, containers: [{name: c, resources: {requests: {cpu: '1'}}}]",
               "phase: Running")
          .pod("done", "", kOnN1, "phase: Succeeded")
          .pod("failed", "", kOnN1, "phase: Failed")
          .pod("pending", "", "containers: [{name: c, resources: {requests: {cpu: '1'}}}]")
          .pod("idle", "", "nodeName: n2, containers: [{name: c}]")
          .build();
  const NodeLoads loads(snapshot);
  CHECK(loads.gap().empty());
  const NodeLoad& n1 = loads.on("n1");
  CHECK(n1.pods == 2);
  CHECK(n1.of("cpu").requested == 1500);
  CHECK(n1.of("cpu").pods == 2);
  CHECK(n1.of("example.com/gpu").pods == 1);
  CHECK(n1.of("memory").requested == 0);
  REQUIRE(n1.ports.size() == 1);
  CHECK(n1.ports.front().pod->meta.name == "a");
  CHECK(loads.on("n2").pods == 1);
  CHECK(loads.on("n3").pods == 0);
}

TEST_CASE("more than any number is the largest number") {
  constexpr const char* spec =
      "nodeName: n1, containers: [{name: c, resources: {requests: {memory: 9e18}}}]";
  const auto snapshot = scene().pod("a", "", spec).pod("b", "", spec).build();
  const NodeLoads loads(snapshot);
  CHECK(loads.on("n1").of("memory").requested == 9223372036854775807);
}

TEST_CASE("what is not known of pods is told") {
  CHECK(NodeLoads(scene().cannot_read(api::Kind::Pod).build()).gap() == "pods cannot be read");
  constexpr const char* spec =
      "nodeName: n1, containers: [{name: c, resources: {requests: {cpu: much}}}]";
  const auto snapshot = scene().pod("a", "", spec).build();
  CHECK(NodeLoads(snapshot).gap() == "not all of it is quantities");
}

}  // namespace
}  // namespace dra::engine::node_loads_test
