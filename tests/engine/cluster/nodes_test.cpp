// tests/engine/cluster/nodes_test.cpp

#include "dra/engine/cluster/nodes.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/cluster_objects.h"
#include "tests/support/builders.h"

namespace dra::engine::nodes_test {
namespace {

using support::allocated;
using support::exactly;
using support::on_node;
using support::Scene;
using support::scene;

struct Case {
  const char* name;
  Scene scene;
  const char* want;  // the names, with "?" in front where nodes are assumed
};

TEST_CASE("the nodes that a verdict is about") {
  const Case rows[] = {
      {"those that are there, by name", scene().node("b1").node("a1"), " a1 b1"},
      {"none is assumed beside a real one", scene().node("a1").slice("b1", {"gpu-0"}), " a1"},
      {"one for every slice's node", scene().slice("b1", {"gpu-0"}).slice("a1", {"gpu-0"}),
       "? a1 b1"},
      {"one for a device's own node",
       scene().slice({.name = "s",
                      .where = "perDeviceNodeSelection: true",
                      .devices = "{name: d, nodeName: a1}"}),
       "? a1"},
      {"one for a pod's node", scene().pod("p", "", "nodeName: a1"), "? a1"},
      {"one for an allocation's node",
       scene().claim("c", exactly("gpu", 1), allocated("{device: d, pool: p}", on_node("a1"))),
       "? a1"},
      {"each only once",
       scene().slice("a1", {"gpu-0"}).held("a1", "gpu-0").pod("p", "", "nodeName: a1"), "? a1"},
      {"one that sees only what is for all nodes when nothing names one",
       scene().slice({.name = "s", .devices = "{name: d}"}), "? *"},
      {"even when there is nothing at all", scene(), "? *"},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    const auto snapshot = row.scene.build();
    const Nodes nodes = nodes_of(snapshot);
    std::string got = nodes.assumed ? "?" : "";
    for (const api::Node& node : nodes.nodes)
      got += " " + std::string(node.meta.name);
    CHECK(got == row.want);
  }
}

}  // namespace
}  // namespace dra::engine::nodes_test
