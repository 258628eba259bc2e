// tests/engine/scheduler/ledger_test.cpp: what partitions leave each other of the counters that
// they share.

#include "src/engine/scheduler/ledger.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::ledger_test {
namespace {

using support::allocated;
using support::exactly;
using support::Scene;
using support::scene;

constexpr Ledger::Rules kNew{.groups = true, .shares = true};
constexpr Ledger::Rules kOld{.groups = false, .shares = false};

// A device that takes so much of the counter `memory` of a set.
std::string part(std::string_view name, int memory, std::string_view groups = "",
                 std::string_view set = "set") {
  return base::format(
      "{{name: {}, consumesCounters: [{{counterSet: {}, counters: {{memory: {{value: {}}}}}, "
      "compatibilityGroups: [{}]}}]}}",
      name, set, memory, groups);
}

// One that others may use, too.
std::string shareable(std::string_view name, int memory) {
  std::string device = part(name, memory);
  device.pop_back();
  return device + ", allowMultipleAllocations: true}";
}

// The pool of the node n1 has 10 of the counter `memory` in each of two sets, and these devices;
// another node has device z, which takes 4.
Scene pool(const std::vector<std::string>& devices) {
  return scene()
      .gate("DRADeviceCompatibilityGroups")
      .node("n1")
      .slice({.name = "counters",
              .count = 3,
              .more = "sharedCounters: [{name: set, counters: {memory: {value: 10}}}, {name: "
                      "other, counters: {memory: {value: 10}, slots: {value: 1}}}]"})
      .slice({.name = "devices", .count = 3, .devices = base::join(devices, ", ")})
      .slice({.name = "elsewhere", .count = 3, .where = "nodeName: n2", .devices = part("z", 4)});
}

std::string held(std::string_view device, std::string_view more = "") {
  return allocated(base::format("{{device: {}, pool: pool{}}}", device, more));
}

struct Case {
  std::string name;
  Scene scene;
  const char* script;  // devices to take, and "-" to give the last one back
  std::string want;    // of each: ok, groups, short
  Ledger::Rules rules = kNew;
};

std::string_view ask(Ledger& ledger, const api::Device& device) {
  if (!ledger.admits(device)) return "groups";
  if (!ledger.covers(device)) return "short";
  ledger.take(device);
  return "ok";
}

const api::Device& find(const Pool& pool, std::string_view name) {
  const auto found = std::ranges::find_if(
      pool.devices, [&](const PoolDevice& device) { return device.device->name == name; });
  REQUIRE(found != pool.devices.end());
  return *found->device;
}

// The only pool that n1 sees.
Pool pool_of(const snapshot::Snapshot& snapshot) {
  const Pools pools(snapshot, features_of(snapshot.server()));
  const auto seen = pools.seen_from(*snapshot.find<api::Node>("n1"));
  REQUIRE(seen.ok());
  REQUIRE(seen.value().size() == 1);
  CHECK(seen.value()[0].state == PoolState::Complete);
  return seen.value()[0];
}

std::string play(const Case& row) {
  const auto snapshot = row.scene.build();
  const Pool pool = pool_of(snapshot);
  const Usage usage(snapshot, features_of(snapshot.server()));
  Ledger ledger(pool, usage, row.rules);
  std::vector<std::string> said;
  std::vector<const api::Device*> taken;
  for (const std::string_view step : base::split(row.script, ' ')) {
    if (step == "-") {
      ledger.give_back(*taken.back());
      taken.pop_back();
      continue;
    }
    const api::Device& device = find(pool, step);
    said.emplace_back(ask(ledger, device));
    if (said.back() == "ok") taken.push_back(&device);
  }
  return base::join(said, " ");
}

void check(const Case& row) {
  CAPTURE(row.name);
  CHECK(play(row) == row.want);
}

TEST_CASE("counters") {
  const char* both =
      "{name: b, consumesCounters: [{counterSet: set, counters: {memory: {value: 6}}}, "
      "{counterSet: other, counters: {memory: {value: 6}}}]}";
  const Case rows[] = {
      {"as long as there are some left", pool({part("a", 6), part("b", 4), part("c", 1)}), "a b c",
       "ok ok short"},
      {"who is refused takes nothing", pool({part("a", 6), part("b", 5), part("c", 4)}), "a b c",
       "ok short ok"},
      {"what is given back can be allocated again", pool({part("a", 6), part("b", 6)}), "a b - b",
       "ok short ok"},
      {"in the order of taking", pool({part("a", 4), part("b", 4), part("c", 6)}), "a b - c",
       "ok ok ok"},
      {"each set has its own", pool({part("a", 10), part("b", 10, "", "other")}), "a b", "ok ok"},
      {"a device of several sets needs all of them",
       pool({part("a", 5, "", "other"), both, part("c", 10)}), "a b c", "ok short ok"},
      {"a device that takes none always has enough", pool({part("a", 10), "{name: b}"}), "a b",
       "ok ok"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("devices that are allocated") {
  const Case rows[] = {
      {"have taken theirs",
       pool({part("a", 6), part("b", 4), part("c", 5)}).claim("x", exactly("gpu", 1), held("a")),
       "c b", "short ok"},
      {"wherever they are",
       pool({part("a", 7), part("b", 6)}).claim("x", exactly("gpu", 1), held("z")), "a b",
       "short ok"},
      {"with admin access they take nothing",
       pool({part("a", 6), part("b", 10)})
           .claim("x", exactly("gpu", 1, "adminAccess: true"), held("a", ", adminAccess: true")),
       "b", "ok"},
      {"nor once no slice has them",
       pool({part("b", 10)}).claim("x", exactly("gpu", 1), held("gone")), "b", "ok"},
      {"twice allocated, it counts once",
       pool({part("a", 4), part("b", 6)})
           .claim("x", exactly("gpu", 1), held("a"))
           .claim("x2", exactly("gpu", 1), held("a")),
       "b", "ok"},
      {"a share takes what the whole device would",
       pool({shareable("a", 6), part("b", 5)})
           .claim("x", exactly("gpu", 1), held("a", ", shareID: s1")),
       "b", "short"},
      {"and nothing before 1.36",
       pool({shareable("a", 6), part("b", 5)})
           .claim("x", exactly("gpu", 1), held("a", ", shareID: s1")),
       "b", "ok", kOld},
      {"several shares count once",
       pool({shareable("a", 6), part("b", 4)})
           .claim("x", exactly("gpu", 1), held("a", ", shareID: s1"))
           .claim("x2", exactly("gpu", 1), held("a", ", shareID: s2")),
       "b", "ok"},
      {"a counter that is overdrawn stops every device that consumes any of the pool",
       pool({part("a", 6), part("b", 6), part("c", 1, "", "other"), "{name: d}"})
           .claim("x", exactly("gpu", 1), held("a"))
           .claim("x2", exactly("gpu", 1), held("b")),
       "c d", "short ok"},
      {"a counter that is just exhausted does not",
       pool({part("a", 6), part("b", 4), part("c", 1, "", "other")})
           .claim("x", exactly("gpu", 1), held("a"))
           .claim("x2", exactly("gpu", 1), held("b")),
       "c", "ok"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("compatibility groups") {
  const Case rows[] = {
      {"one in common", pool({part("a", 1, "g1, g2"), part("b", 1, "g2, g3")}), "a b", "ok ok"},
      {"none in common", pool({part("a", 1, "g1"), part("b", 1, "g2")}), "a b", "ok groups"},
      {"all must have one in common, not any two",
       pool({part("a", 1, "g1, g2"), part("b", 1, "g2, g3"), part("c", 1, "g1, g3")}), "a b c",
       "ok ok groups"},
      {"what is given back widens the choice again",
       pool({part("a", 1, "g1, g2"), part("b", 1, "g2, g3"), part("c", 1, "g1, g3")}), "a b - c",
       "ok ok ok"},
      {"the first may have any again", pool({part("a", 1, "g1"), part("b", 1, "g2")}), "a - b",
       "ok ok"},
      {"a device without groups goes with others without", pool({part("a", 1), part("b", 1)}),
       "a b", "ok ok"},
      {"and not with others", pool({part("a", 1, "g1"), part("b", 1)}), "a b", "ok groups"},
      {"nor others with them", pool({part("a", 1), part("b", 1, "g1")}), "a b", "ok groups"},
      {"each set has its own", pool({part("a", 1, "g1"), part("b", 1, "g2", "other")}), "a b",
       "ok ok"},
      {"devices that are allocated bind, too",
       pool({part("a", 1, "g1"), part("b", 1, "g2"), part("c", 1, "g1")})
           .claim("x", exactly("gpu", 1), held("a")),
       "b c", "groups ok"},
      {"so do those of other nodes",
       pool({part("a", 1, "g1"), part("b", 1)}).claim("x", exactly("gpu", 1), held("z")), "a b",
       "groups ok"},
      {"without the rule they do not count", pool({part("a", 1, "g1"), part("b", 1, "g2")}), "a b",
       "ok ok", kOld},
      {"a device that takes no counters has no part in it", pool({part("a", 1, "g1"), "{name: b}"}),
       "a b", "ok ok"},
  };
  for (const Case& row : rows)
    check(row);
}

// "set memory: 4 left, 5 wanted".
std::string to_line(const std::optional<Ledger::Shortage>& shortage) {
  if (!shortage) return "";
  return base::format("{} {}: {} left, {} wanted", shortage->set, shortage->counter,
                      shortage->left.to_string(), shortage->wanted.to_string());
}

TEST_CASE("what is missing") {
  const auto snapshot = pool({part("a", 6), part("b", 5), part("c", 4),
                              "{name: d, consumesCounters: [{counterSet: other, counters: {slots: "
                              "{value: 2}, memory: {value: 11}}}]}"})
                            .build();
  const Pool pool = pool_of(snapshot);
  Ledger ledger(pool, Usage(snapshot, features_of(snapshot.server())), kNew);
  CHECK(to_line(ledger.missing(find(pool, "b"))).empty());
  ledger.take(find(pool, "a"));
  CHECK(to_line(ledger.missing(find(pool, "b"))) == "set memory: 4 left, 5 wanted");
  CHECK(to_line(ledger.missing(find(pool, "c"))).empty());
  CHECK(to_line(ledger.missing(find(pool, "d"))) == "other memory: 10 left, 11 wanted");
}

TEST_CASE("of a counter that is overdrawn nothing is wanted") {
  const auto snapshot = pool({part("a", 6), part("b", 6), part("c", 1)})
                            .claim("x", exactly("gpu", 1), held("a"))
                            .claim("x2", exactly("gpu", 1), held("b"))
                            .build();
  const Pool pool = pool_of(snapshot);
  const Ledger ledger(pool, Usage(snapshot, features_of(snapshot.server())), kNew);
  CHECK(to_line(ledger.missing(find(pool, "c"))) == "set memory: -2 left, 0 wanted");
}

}  // namespace
}  // namespace dra::engine::ledger_test
