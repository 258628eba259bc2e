// tests/engine/whatif/representative_nodes_test.cpp: which nodes stand for all.

#include "src/engine/whatif/representative_nodes.h"

#include <doctest/doctest.h>

#include <string>

namespace dra::engine::representative_nodes_test {
namespace {

NodeResult node(std::string name, std::int64_t matching, std::int64_t usable) {
  NodeResult result{.name = std::move(name)};
  result.demands.push_back({.claim = "c", .request = "r", .matching = matching, .usable = usable});
  return result;
}

std::string sample(const std::vector<NodeResult>& nodes, std::size_t most) {
  std::string text;
  for (const std::size_t i : representative_nodes(nodes, most))
    text += nodes[i].name + " ";
  return text;
}

TEST_CASE("one of each kind, the nearest first, then more of them") {
  const std::vector<NodeResult> nodes = {node("none-1", 0, 0), node("none-2", 0, 0),
                                         node("one", 2, 1), node("two-1", 2, 2),
                                         node("two-2", 2, 2)};
  CHECK(sample(nodes, 3) == "two-1 one none-1 ");
  CHECK(sample(nodes, 4) == "two-1 one none-1 two-2 ");
  CHECK(sample(nodes, 9) == "two-1 one none-1 two-2 none-2 ");
  CHECK(sample({}, 3).empty());
}

TEST_CASE("a node where the scheduler gives up is always there") {
  NodeResult fatal = node("fatal", 0, 0);
  fatal.outcome = NodeOutcome::Aborts;
  CHECK(sample({node("near", 2, 2), fatal}, 1) == "fatal ");
}

TEST_CASE("nodes that other filters reject come last, and each filter's words count") {
  NodeResult tainted = node("tainted", 2, 2);
  tainted.other_reasons.push_back({.code = diag::Code::NodeTainted, .message = "a"});
  NodeResult other = tainted;
  other.name = "other";
  other.other_reasons.front().message = "b";
  CHECK(sample({tainted, other, node("near", 1, 0)}, 3) == "near tainted other ");
}

}  // namespace
}  // namespace dra::engine::representative_nodes_test
