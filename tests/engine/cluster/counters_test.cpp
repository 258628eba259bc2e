// tests/engine/cluster/counters_test.cpp: what is left of shared counters.

#include "dra/engine/cluster/counters.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "dra/engine/cluster/inventory.h"
#include "tests/support/builders.h"

namespace dra::engine::counters_test {
namespace {

using support::allocated;
using support::exactly;
using support::Scene;
using support::scene;

// Two sets of one pool; devices a and b take from the first, c from both, d from none.
Scene partitioned(std::string_view more_devices = "") {
  return scene()
      .slice({.name = "counters",
              .count = 2,
              .more = "sharedCounters: [{name: one, counters: {memory: {value: 4Gi}, engines: "
                      "{value: '2'}}}, {name: two, counters: {memory: {value: 1Gi}}}]"})
      .slice(
          {.name = "devices",
           .count = 2,
           .devices =
               "{name: a, consumesCounters: [{counterSet: one, counters: {memory: {value: 3Gi}}}]},"
               "{name: b, consumesCounters: [{counterSet: one, counters: {memory: {value: 2Gi}}}]},"
               "{name: c, consumesCounters: [{counterSet: one, counters: {engines: {value: '2'}}},"
               "{counterSet: two, counters: {memory: {value: 1Gi}}}]},"
               "{name: d}" +
               std::string(more_devices)});
}

// With an allocation of the named device, or "NAME, adminAccess: true".
Scene with(Scene scene, const std::string& device) {
  const std::string claim = "has-" + device.substr(0, 1);
  scene.claim(claim, exactly("gpu", 1), allocated("{device: " + device + ", pool: pool}"));
  return scene;
}

// "one/memory 1Gi of 4Gi (a); ...; short: b one/memory"
std::string to_line(const Scene& words) {
  const auto snapshot = words.build();
  const Inventory inventory(snapshot);
  const Pool& pool = inventory.pools().front();
  const Counters counters(pool, inventory.usage());
  std::vector<std::string> parts;
  for (const CounterState& state : counters.all()) {
    std::string by;
    for (const PoolDevice* device : state.consumers)
      by += " " + std::string(device->device->name);
    parts.push_back(base::format("{}/{} {}/{}{}", state.set, state.name, state.left.to_string(),
                                 state.total.to_string(), by));
  }
  for (const PoolDevice& device : pool.devices) {
    for (const CounterState* missing : counters.short_for(*device.device))
      parts.push_back(
          base::format("{} is missing {}/{}", device.device->name, missing->set, missing->name));
  }
  return base::join(parts, "; ");
}

struct Case {
  std::string name;
  Scene scene;
  std::string want;
};

TEST_CASE("shared counters") {
  const Case rows[] = {
      {"all is left while nobody holds a device", partitioned(),
       "one/engines 2/2; one/memory 4Gi/4Gi; two/memory 1Gi/1Gi"},
      {"an allocated device takes its part, and others then do not have it",
       with(partitioned(), "a"),
       "one/engines 2/2; one/memory 1Gi/4Gi a; two/memory 1Gi/1Gi; a is missing one/memory; b is "
       "missing one/memory"},
      {"a device may take from two sets", with(partitioned(), "c"),
       "one/engines 0/2 c; one/memory 4Gi/4Gi; two/memory 0/1Gi c; c is missing one/engines; c is "
       "missing two/memory"},
      {"admin access takes nothing", with(partitioned(), "a, adminAccess: true"),
       "one/engines 2/2; one/memory 4Gi/4Gi; two/memory 1Gi/1Gi"},
      {"a device without a part is never short of one", with(partitioned(), "d"),
       "one/engines 2/2; one/memory 4Gi/4Gi; two/memory 1Gi/1Gi"},
      {"an overdrawn counter stops all that consume, of whichever set",
       with(with(partitioned(), "a"), "b"),
       "one/engines 2/2; one/memory -1Gi/4Gi a b; two/memory 1Gi/1Gi; a is missing one/memory; b "
       "is missing one/memory; c is missing one/memory"},
      {"an amount that cannot be read counts as everything",
       with(partitioned(", {name: e, consumesCounters: [{counterSet: one, counters: {memory: "
                        "{value: much}}}]}"),
            "e"),
       "one/engines 2/2; one/memory 0/4Gi e; two/memory 1Gi/1Gi; a is missing one/memory; b is "
       "missing one/memory; e is missing one/memory"},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    CHECK(to_line(row.scene) == row.want);
  }
}

}  // namespace
}  // namespace dra::engine::counters_test
