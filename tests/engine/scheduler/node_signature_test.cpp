// tests/engine/scheduler/node_signature_test.cpp: which nodes differ in names only.

#include "src/engine/scheduler/node_signature.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"
#include "tests/support/node_result.h"

namespace dra::engine::node_signature_test {
namespace {

using support::allocated;
using support::exactly;
using support::Scene;

std::string to_line(const NodeResult& result) {
  std::string line = base::format("{} {}", result.name, result.fits());
  for (const PickedDevice& picked : result.allocation)
    line += base::format(" {}={}", picked.request, to_string(picked.id()));
  for (const DriverCounts& driver : result.drivers)
    line += base::format(" {}:{}/{}", driver.driver, driver.free, driver.published);
  for (const diag::Reason& reason : result.reasons) {
    line += base::format(" | {} {}", diag::name_of(reason.code), base::join(reason.examples, ","));
    for (const diag::Holder& holder : reason.holders)
      line += base::format(" {} has {}", holder.claim, holder.device);
  }
  return line;
}

// Nodes n1 to n3 with devices a and b each, of different makers on n3.
Scene three_nodes(std::string_view maker_on_n3) {
  Scene scene = support::scene();
  for (const std::string node : {"n1", "n2", "n3"}) {
    const std::string_view maker = node == "n3" ? maker_on_n3 : "x";
    const std::string devices = base::format(
        "{{name: a, attributes: {{maker: {{string: x}}, serial: {{string: a-{}}}}}}}, "
        "{{name: b, attributes: {{maker: {{string: {}}}, serial: {{string: b-{}}}}}}}",
        node, maker, node);
    scene.node(node).slice(
        {.name = node, .pool = node, .where = "nodeName: " + node, .devices = devices});
  }
  return scene;
}

struct Case {
  const char* name;
  Scene scene;
  std::size_t signatures;  // how many differ
};

std::size_t count_signatures(const snapshot::Snapshot& snapshot, const Subject& subject) {
  const Inventory inventory(snapshot);
  const Demands demands(snapshot, inventory, subject);
  NodeSignatures signatures(inventory, demands, subject);
  std::vector<std::optional<NodeSignature>> all;
  for (const api::Node& node : snapshot.all<api::Node>())
    all.push_back(signatures.of(inventory.slices().seen_from(node).value()));
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all.size();
}

TEST_CASE("what is told of nodes that differ in names is what each would be told by itself") {
  const std::string by_maker = exactly(
      "gpu", 1,
      "selectors: [{cel: {expression: \"device.attributes['gpu.example.com'].maker == 'x'\"}}]");
  const Case rows[] = {
      {"all alike", three_nodes("x").claim("c", exactly("gpu", 1)), 1},
      {"too few on each", three_nodes("x").claim("c", exactly("gpu", 3)), 1},
      {"a difference that nobody asks for", three_nodes("z").claim("c", exactly("gpu", 1)), 1},
      {"a difference that a selector sees", three_nodes("z").claim("c", by_maker), 2},
      {"other devices in use",
       three_nodes("x")
           .claim("c", exactly("gpu", 2))
           .claim("h1", exactly("gpu", 1), allocated("{device: a, pool: n1}"))
           .claim("h2", exactly("gpu", 1), allocated("{device: a, pool: n2}"))
           .claim("h3", exactly("gpu", 1), allocated("{device: b, pool: n3}")),
       2},
      {"values that a constraint compares",
       three_nodes("z").constrained("c", exactly("gpu", 2),
                                    "{matchAttribute: gpu.example.com/maker}"),
       2},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    const auto snapshot = row.scene.build();
    const Subject subject = subject_of_claims(snapshot, "default", {"c"});
    CHECK(count_signatures(snapshot, subject) == row.signatures);
    const Inventory inventory(snapshot);
    const Demands demands(snapshot, inventory, subject);
    SearchBudget budget;
    NodeEvaluator evaluator(snapshot, {inventory, snapshot.coverage(), demands, budget}, subject);
    for (const api::Node& node : snapshot.all<api::Node>())
      CHECK(to_line(evaluator.evaluate(node)) ==
            to_line(support::evaluate(snapshot, subject, node)));
  }
}

}  // namespace
}  // namespace dra::engine::node_signature_test
