// tests/engine/cluster/pool_test.cpp: pools put together from slices, by the rules of GatherPools.

#include "dra/engine/cluster/pool.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::pool_test {
namespace {

using support::Scene;
using support::scene;

constexpr const char* kNode1 = "nodeName: node-1";
constexpr const char* kNode2 = "nodeName: node-2";
constexpr const char* kSet = "sharedCounters: [{name: set, counters: {x: {value: 4}}}]";
constexpr const char* kUser =
    "{name: d, consumesCounters: [{counterSet: set, counters: {x: {value: 1}}}]}";
constexpr const char* kStranger =
    "{name: d, consumesCounters: [{counterSet: other, counters: {x: {value: 1}}}]}";
constexpr const char* kOtherCounter =
    "{name: d, consumesCounters: [{counterSet: set, counters: {y1: {value: 1}}}]}";
constexpr const char* kGrouped =
    "{name: d, consumesCounters: [{counterSet: set, counters: {x: {value: 1}}, "
    "compatibilityGroups: "
    "[g]}]}";

// "pool 1/2 Incomplete: d0 d1", with upstream's words for an invalid pool.
std::string to_line(const Pool& pool) {
  std::string line = base::format("{} g{} {}/{} {}", pool.name, pool.generation, pool.slices_seen,
                                  pool.slices_expected, name_of(pool.state));
  if (!pool.problem.empty()) line += base::format(" ({})", pool.problem);
  line += ":";
  for (const PoolDevice& device : pool.devices)
    line += base::format(" {}", device.device->name);
  return line;
}

template <class Pools>
std::string to_lines(const Pools& pools) {
  std::vector<std::string> lines;
  for (const Pool& pool : pools)
    lines.push_back(to_line(pool));
  return base::join(lines, "; ");
}

struct Case {
  const char* name;
  Scene scene;
  const char* node;   // the pools that node-1 sees
  const char* whole;  // the pools as such
};

void check(const Case& row) {
  CAPTURE(row.name);
  const auto snapshot = Scene(row.scene).node("node-1", "rack: r1").build();
  const Pools pools(snapshot, features_of(snapshot.server()));
  const auto seen = pools.seen_from(*snapshot.find<api::Node>("node-1"));
  CHECK((seen.ok() ? to_lines(seen.value()) : "error") == row.node);
  CHECK(to_lines(pools.whole()) == row.whole);
}

TEST_CASE("completeness") {
  const Case rows[] = {
      {"nothing is published", scene(), "", ""},
      {"as many slices as they say",
       scene()
           .slice({.name = "a", .count = 2, .devices = "{name: d0}"})
           .slice({.name = "b", .count = 2, .devices = "{name: d1}"}),
       "pool g1 2/2 Complete: d0 d1", "pool g1 2/2 Complete: d0 d1"},
      {"too few", scene().slice({.name = "a", .count = 2, .devices = "{name: d0}"}),
       "pool g1 1/2 Incomplete: d0", "pool g1 1/2 Incomplete: d0"},
      {"too many is incomplete, too",
       scene()
           .slice({.name = "a", .devices = "{name: d0}"})
           .slice({.name = "b", .devices = "{name: d1}"}),
       "pool g1 2/1 Incomplete: d0 d1", "pool g1 2/1 Incomplete: d0 d1"},
      {"a pool may be empty", scene().slice({.name = "a"}),
       "pool g1 1/1 Complete:", "pool g1 1/1 Complete:"},
      {"slices for other nodes count, their devices do not",
       scene()
           .slice({.name = "a", .count = 2, .where = kNode1, .devices = "{name: d0}"})
           .slice({.name = "b", .count = 2, .where = kNode2, .devices = "{name: d1}"}),
       "pool g1 2/2 Complete: d0", "pool g1 2/2 Complete: d0 d1"},
      {"a pool of other nodes does not exist for this one",
       scene().slice({.name = "a", .where = kNode2, .devices = "{name: d0}"}), "",
       "pool g1 1/1 Complete: d0"},
      {"incomplete for a node that sees one of the slices",
       scene()
           .slice({.name = "a", .count = 3, .where = kNode1, .devices = "{name: d0}"})
           .slice({.name = "b", .count = 3, .where = kNode2}),
       "pool g1 2/3 Incomplete: d0", "pool g1 2/3 Incomplete: d0"},
      {"slices stand by name, devices as listed",
       scene()
           .slice({.name = "b", .count = 2, .devices = "{name: z}, {name: a}"})
           .slice({.name = "a", .count = 2, .devices = "{name: m}"}),
       "pool g1 2/2 Complete: m z a", "pool g1 2/2 Complete: m z a"},
      {"pools of two drivers are two",
       scene()
           .slice({.name = "a", .driver = "b.com", .devices = "{name: d0}"})
           .slice({.name = "b", .driver = "a.com", .devices = "{name: d1}"}),
       "pool g1 1/1 Complete: d1; pool g1 1/1 Complete: d0",
       "pool g1 1/1 Complete: d1; pool g1 1/1 Complete: d0"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("a pool that each of several nodes publishes in full") {
  const auto of = [](const char* name, const char* where, int count, const char* devices) {
    return support::SliceWords{.name = name, .count = count, .where = where, .devices = devices};
  };
  const Case rows[] = {
      {"each is complete by itself",
       scene().slice(of("a", kNode1, 1, "{name: d0}")).slice(of("b", kNode2, 1, "{name: d1}")),
       "pool g1 1/1 Complete: d0", "pool g1 2/2 Complete: d0 d1"},
      {"with the same names",
       scene().slice(of("a", kNode1, 1, "{name: d0}")).slice(of("b", kNode2, 1, "{name: d0}")),
       "pool g1 1/1 Complete: d0", "pool g1 2/2 Complete: d0 d0"},
      {"before 1.35 as well",
       scene()
           .server("v1.34.0")
           .slice(of("a", kNode1, 1, "{name: d0}"))
           .slice(of("b", kNode2, 1, "{name: d0}")),
       "pool g1 1/1 Complete: d0", "pool g1 2/2 Complete: d0 d0"},
      {"in other numbers of slices",
       scene()
           .slice(of("a", kNode1, 1, "{name: d0}"))
           .slice(of("b", kNode2, 2, "{name: d1}"))
           .slice(of("c", kNode2, 2, "{name: d2}")),
       "pool g1 1/1 Complete: d0", "pool g1 3/3 Complete: d0 d1 d2"},
      {"a node with a device twice sees an invalid one",
       scene()
           .slice(of("a", kNode1, 1, "{name: d0}, {name: d0}"))
           .slice(of("b", kNode2, 1, "{name: d1}")),
       "pool g1 1/1 Invalid (duplicate device name d0): d0 d0", "pool g1 2/1 Incomplete: d0 d0 d1"},
      {"a node with too many slices does not",
       scene()
           .slice(of("a", kNode1, 1, "{name: d0}"))
           .slice(of("b", kNode2, 1, "{name: d1}"))
           .slice(of("c", kNode2, 1, "{name: d2}")),
       "pool g1 1/1 Complete: d0", "pool g1 3/1 Incomplete: d0 d1 d2"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("generations") {
  const Case rows[] = {
      {"the newest counts, whatever came before",
       scene()
           .slice({.name = "a", .generation = 1, .devices = "{name: old}"})
           .slice({.name = "b", .generation = 2, .devices = "{name: new}"}),
       "pool g2 1/1 Complete: new", "pool g2 1/1 Complete: new"},
      {"the order of names does not matter",
       scene()
           .slice({.name = "b", .generation = 1, .devices = "{name: old}"})
           .slice({.name = "a", .generation = 2, .devices = "{name: new}"}),
       "pool g2 1/1 Complete: new", "pool g2 1/1 Complete: new"},
      {"a new generation that is not all there makes the pool incomplete",
       scene()
           .slice({.name = "a", .generation = 1, .devices = "{name: old}"})
           .slice({.name = "b", .generation = 2, .count = 2, .devices = "{name: new}"}),
       "pool g2 1/2 Incomplete: new", "pool g2 1/2 Incomplete: new"},
      {"an old generation vanishes for a node that sees no slice of the new one",
       scene()
           .slice({.name = "a",
                   .generation = 1,
                   .count = 2,
                   .where = kNode1,
                   .devices = "{name: old}"})
           .slice({.name = "b", .generation = 2, .where = kNode2, .devices = "{name: new}"}),
       "", "pool g2 1/1 Complete: new"},
      {"unless it looks complete to that node",
       scene()
           .slice({.name = "a", .generation = 1, .where = kNode1, .devices = "{name: old}"})
           .slice({.name = "b", .generation = 2, .where = kNode2, .devices = "{name: new}"}),
       "pool g1 1/1 Complete: old", "pool g2 1/1 Complete: new"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("what nodes see") {
  const Case rows[] = {
      {"a selector that names the node's rack",
       scene().slice({.name = "a",
                      .where = "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: rack, "
                               "operator: In, values: [r1]}]}]}",
                      .devices = "{name: d}"}),
       "pool g1 1/1 Complete: d", "pool g1 1/1 Complete: d"},
      {"a selector that names another rack",
       scene().slice({.name = "a",
                      .where = "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: rack, "
                               "operator: In, values: [r2]}]}]}",
                      .devices = "{name: d}"}),
       "", "pool g1 1/1 Complete: d"},
      {"a selector that cannot be read ends the attempt",
       scene().slice({.name = "a",
                      .where = "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: rack, "
                               "operator: Like}]}]}",
                      .devices = "{name: d}"}),
       "error", "pool g1 1/1 Complete: d"},
      {"a name comes before a selector that cannot be read",
       scene().slice({.name = "a",
                      .where = "nodeName: node-2, nodeSelector: {nodeSelectorTerms: "
                               "[{matchExpressions: [{key: rack, operator: Like}]}]}",
                      .devices = "{name: d}"}),
       "", "pool g1 1/1 Complete: d"},
      {"a slice that chooses no nodes in a way we know is for nobody",
       scene().slice({.name = "a", .where = "someDay: true", .devices = "{name: d}"}), "",
       "pool g1 1/1 Complete: d"},
      {"devices choose for themselves",
       scene().slice({.name = "a",
                      .where = "perDeviceNodeSelection: true",
                      .devices =
                          "{name: d0, nodeName: node-1}, {name: d1, nodeName: node-2}, {name: "
                          "d2, allNodes: true}, {name: d3}"}),
       "pool g1 1/1 Complete: d0 d2", "pool g1 1/1 Complete: d0 d1 d2 d3"},
      {"a slice none of whose devices is for the node is not seen",
       scene().slice({.name = "a",
                      .where = "perDeviceNodeSelection: true",
                      .devices = "{name: d1, nodeName: node-2}"}),
       "", "pool g1 1/1 Complete: d1"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("validity") {
  const Case rows[] = {
      {"a device name twice",
       scene()
           .slice({.name = "a", .count = 2, .devices = "{name: d}"})
           .slice({.name = "b", .count = 2, .devices = "{name: d}"}),
       "pool g1 2/2 Invalid (duplicate device name d): d d",
       "pool g1 2/2 Invalid (duplicate device name d): d d"},
      {"a device name twice, but on different nodes: the pool as such cannot be used",
       scene()
           .slice({.name = "a", .count = 2, .where = kNode1, .devices = "{name: d}"})
           .slice({.name = "b", .count = 2, .where = kNode2, .devices = "{name: d}"}),
       "pool g1 2/2 Complete: d", "pool g1 2/2 Invalid (duplicate device name d): d d"},
      {"counters in a slice of their own",
       scene()
           .slice({.name = "a", .count = 2, .more = kSet})
           .slice({.name = "b", .count = 2, .devices = kUser}),
       "pool g1 2/2 Complete: d", "pool g1 2/2 Complete: d"},
      {"counters in a slice for another node",
       scene()
           .slice({.name = "a", .count = 2, .where = kNode2, .more = kSet})
           .slice({.name = "b", .count = 2, .where = kNode1, .devices = kUser}),
       "pool g1 2/2 Complete: d", "pool g1 2/2 Complete: d"},
      {"a counter set twice",
       scene()
           .slice({.name = "a", .count = 3, .more = kSet})
           .slice({.name = "b", .count = 3, .more = kSet})
           .slice({.name = "c", .count = 3, .devices = kUser}),
       "pool g1 3/3 Invalid (duplicate counter set name set): d",
       "pool g1 3/3 Invalid (duplicate counter set name set): d"},
      {"a counter set that nobody defines",
       scene()
           .slice({.name = "a", .count = 2, .more = kSet})
           .slice({.name = "b", .count = 2, .devices = kStranger}),
       "pool g1 2/2 Invalid (counter set other not found): d",
       "pool g1 2/2 Invalid (counter set other not found): d"},
      {"a counter that its set does not have",
       scene()
           .slice({.name = "a", .count = 2, .more = kSet})
           .slice({.name = "b", .count = 2, .devices = kOtherCounter}),
       "pool g1 2/2 Invalid (counter y1 not found in counter set set): d",
       "pool g1 2/2 Invalid (counter y1 not found in counter set set): d"},
      {"a device of another node with an unknown counter spoils the pool",
       scene()
           .slice({.name = "a", .count = 2, .where = kNode1, .devices = "{name: mine}"})
           .slice({.name = "b", .count = 2, .where = kNode2, .devices = kStranger}),
       "pool g1 2/2 Invalid (counter set other not found): mine",
       "pool g1 2/2 Invalid (counter set other not found): mine d"},
      {"an incomplete pool is not looked at closer",
       scene().slice({.name = "a", .count = 3, .devices = kStranger}), "pool g1 1/3 Incomplete: d",
       "pool g1 1/3 Incomplete: d"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("gates that are off") {
  const Case rows[] = {
      {"slices with compatibility groups do not count, so the pool is incomplete",
       scene()
           .slice({.name = "a", .count = 2, .more = kSet})
           .slice({.name = "b", .count = 2, .devices = kGrouped}),
       "pool g1 1/2 Incomplete:", "pool g1 1/2 Incomplete:"},
      {"a pool of nothing else does not exist for a node",
       scene().slice({.name = "a", .devices = kGrouped}), "", "pool g1 0/1 Incomplete:"},
      {"without partitions slices with counters are ignored, but count",
       scene()
           .server("v1.35.0")
           .slice({.name = "a", .count = 2, .more = kSet})
           .slice({.name = "b", .count = 2, .devices = kStranger}),
       "pool g1 2/2 Complete: d", "pool g1 2/2 Complete: d"},
      {"but in 1.34 they are slices like any other",
       scene().server("v1.34.0").slice({.name = "a", .devices = "{name: d}", .more = kSet}),
       "pool g1 1/1 Complete: d", "pool g1 1/1 Complete: d"},
      {"and so they are in the stable copy of 1.35",
       scene()
           .server("v1.35.0")
           .gate("DRAAdminAccess", false)
           .gate("DRAPrioritizedList", false)
           .slice({.name = "a", .generation = 1, .devices = "{name: d}"})
           .slice({.name = "b", .generation = 2, .more = kSet}),
       "pool g2 1/1 Complete:", "pool g2 1/1 Complete:"},
      {"without partitions nobody can choose nodes for each device",
       scene().server("v1.35.0").slice({.name = "a",
                                        .where = "perDeviceNodeSelection: true",
                                        .devices = "{name: d0, allNodes: true}"}),
       "", "pool g1 1/1 Complete:"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("pools with binding conditions are tried last") {
  const auto snapshot =
      scene()
          .node("node-1")
          .slice({.name = "a",
                  .driver = "a.com",
                  .devices = "{name: d0, bindingConditions: [x], bindingFailureConditions: [z]}"})
          .slice({.name = "b", .driver = "b.com", .pool = "p2", .devices = "{name: d1}"})
          .slice({.name = "c", .driver = "b.com", .pool = "p1", .devices = "{name: d2}"})
          .build();
  const Pools pools(snapshot, features_of(snapshot.server()));
  const auto seen = pools.seen_from(*snapshot.find<api::Node>("node-1"));
  REQUIRE(seen.ok());
  CHECK(to_lines(seen.value()) ==
        "p1 g1 1/1 Complete: d2; p2 g1 1/1 Complete: d1; pool g1 1/1 Complete: d0");
  CHECK(to_lines(pools.whole()) ==
        "pool g1 1/1 Complete: d0; p1 g1 1/1 Complete: d2; p2 g1 1/1 Complete: d1");
}

TEST_CASE("a slice is stale when a newer one of its pool is there") {
  const auto snapshot = scene()
                            .slice({.name = "a", .generation = 1})
                            .slice({.name = "b", .generation = 2})
                            .slice({.name = "c", .pool = "other", .generation = 1})
                            .build();
  const Pools pools(snapshot, features_of(snapshot.server()));
  CHECK(pools.is_stale(*snapshot.find<api::ResourceSlice>("a")));
  CHECK_FALSE(pools.is_stale(*snapshot.find<api::ResourceSlice>("b")));
  CHECK_FALSE(pools.is_stale(*snapshot.find<api::ResourceSlice>("c")));
}

struct WhereCase {
  const char* name;
  const char* where;
  const char* want;
};

const WhereCase kWhere[] = {
    {"a node by name", "nodeName: node-1", "node-1"},
    {"all nodes", "allNodes: true", "<all>"},
    {"a selector",
     "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: rack, operator: In, values: "
     "[r1]}]}]}",
     "rack=r1"},
    {"each device for itself", "perDeviceNodeSelection: true", "<per device>"},
    {"none that we know", "someDay: true", "<none>"},
};

TEST_CASE("where slices can be used, in a few characters") {
  for (const WhereCase& row : kWhere) {
    CAPTURE(row.name);
    const auto snapshot = scene().slice({.name = "a", .where = row.where}).build();
    CHECK(describe_nodes(snapshot.all<api::ResourceSlice>().front()) == row.want);
  }
}

}  // namespace
}  // namespace dra::engine::pool_test
