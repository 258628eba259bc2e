// tests/engine/whatif/advice_rank_test.cpp: the order of advice as a table, and where it shows in
// what is offered.

#include "src/engine/whatif/advice_rank.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/base/text.h"
#include "tests/support/builders.h"
#include "tests/support/changes.h"

namespace dra::engine::advice_rank_test {
namespace {

using support::devices_on_n1;
using support::exactly;
using support::Scene;

struct Row {
  const char* name;
  Change change;
  RankFacts facts = {};
};

EditSelector edit(std::vector<ValueInstead> values) {
  return {.place = {}, .expression = "x", .values = std::move(values)};
}

// The first is what comes first. Rows with one name are equals.
std::vector<std::vector<Row>> in_order() {
  const Release release{.claims = {"ml/c"}, .pods = {"ml/a"}};
  return {
      {{"slices that are on their way", Wait{"gpu.example.com", "n1"}}},
      {{"what nothing works with", release, {.works = false}}},
      {{"a slip in a value", edit({{"'ampere'", "'Ampere'"}})},
       {"another spelling of the selector", edit({})}},
      {{"a taint of nodes", Tolerate{.key = "dedicated"}}},
      {{"aligned parts", SplitRequests{.claim = "ml/c", .requests = {"gpu"}}},
       {"a wider attribute", RelaxConstraint{.claim = "ml/c", .instead = "x/numaNode"}}},
      {{"one more node of a node pool", AddNode{"n1", 1}, {.of_node_pool = true}}},
      {{"fewer devices", SetCount{"ml/c", "gpu", 1}},
       {"a smaller device", edit({{"80", "40"}})},
       {"no alignment", DropConstraint{"ml/c", 0, "x/pcieRoot"}},
       {"a single alternative", UseAlternative{"ml/c", "gpu/large"}},
       {"without a condition", DropSelector{.place = {}, .span = std::pair(0U, 4U)}}},
      {{"a taint of devices", Tolerate{.claim = "ml/c", .request = "gpu", .key = "hot"}}},
      {{"nodes with the same devices", SelectNodes{.key = "zone", .value = "b"}}},
      {{"less important pods", release, {.lower_priority = true}}},
      {{"one more machine", AddNode{"n1", 1}}},
      {{"pods that work", release}},
      {{"another product", edit({{"'Hopper'", "'Ampere'"}})},
       {"any device of the class", DropSelector{.place = {}}},
       {"nodes with other devices",
        SelectNodes{.key = "gpu", .value = "l4", .other_devices = true}}},
      {{"pods of the own workload", release, {.works = false, .own_workload = true}}},
  };
}

TEST_CASE("what ends nothing comes before what ends the work of others") {
  const auto rows = in_order();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const Row& row : rows[i]) {
      CAPTURE(row.name);
      CHECK(static_cast<std::size_t>(rank_of(row.change, row.facts)) == i);
    }
  }
}

TEST_CASE("changes that are made together rank as the one that asks most") {
  const std::vector<Change> both = {Tolerate{.key = "dedicated"}, SetCount{"ml/c", "gpu", 1}};
  CHECK(rank_of(both) == AdviceRank::AskForLess);
}

// A pod on n1 with a device of its own.
void hold(Scene& scene, const std::string& pod, const std::string& device, const std::string& spec,
          const std::string& status = "") {
  scene.claim("of-" + pod, exactly("gpu", 1),
              support::allocated("{device: " + device + ", pool: n1}", support::on_node("n1")) +
                  ", reservedFor: [{resource: pods, name: " + pod + ", uid: " + pod + "}]");
  scene.pod(pod, "{name: c, resourceClaimName: of-" + pod + "}", "nodeName: n1" + spec, status);
}

std::string crashing(int restarts) {
  return "phase: Running, containerStatuses: [{name: main, restartCount: " +
         std::to_string(restarts) + ", state: {waiting: {reason: CrashLoopBackOff}}}]";
}

std::vector<std::string> advised(Scene scene, const std::string& spec = "") {
  const auto snapshot =
      scene.claim("c", exactly("gpu", 1)).pod("p", "{name: c, resourceClaimName: c}", spec).build();
  const Simulator simulator(snapshot);
  const Wanted wanted{.namespace_ = "default", .pod = "p", .claims = {}};
  std::vector<std::string> words;
  for (const Advice& advice :
       advice_for(simulator, wanted, support::stand_everywhere(simulator, wanted)).advice)
    words.push_back(support::words(advice));
  return words;
}

TEST_CASE("pods that work are ended last, whatever their priority; what is idle is freed first") {
  const std::string add = "node like n1 (1)";
  const std::string of_busy = "release default/of-busy of default/busy (1)";
  const std::string of_broken = "release default/of-broken of default/broken (1)";
  using Words = std::vector<std::string>;

  Scene busy = devices_on_n1("{name: a}");
  hold(busy, "busy", "a", "", "phase: Running");
  CHECK(advised(busy) == Words{add, of_busy});

  // The scheduler would make room, if it did so for devices.
  CHECK(advised(busy, "priority: 10") == Words{of_busy, add});

  Scene both = devices_on_n1("{name: a}, {name: b}");
  hold(both, "busy", "a", "", "phase: Running");
  Scene crashed_twice = both;
  hold(both, "broken", "b", ", priority: 1000", crashing(700));
  CHECK(advised(both) == Words{of_broken, add});
  hold(crashed_twice, "broken", "b", ", priority: 1000", crashing(2));
  CHECK(advised(crashed_twice) == Words{add, of_busy});

  Scene unused = devices_on_n1("{name: a}, {name: b}");
  hold(unused, "busy", "a", "", "phase: Running");
  unused.claim("idle", exactly("gpu", 1),
               support::allocated("{device: b, pool: n1}", support::on_node("n1")));
  CHECK(advised(unused).front() == "release default/idle (1)");
}

}  // namespace
}  // namespace dra::engine::advice_rank_test
