// tests/engine/cluster/inventory_test.cpp

#include "dra/engine/cluster/inventory.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::inventory_test {
namespace {

using support::allocated;
using support::exactly;
using support::Scene;
using support::scene;

std::string to_line(const Inventory& inventory) {
  std::vector<std::string> parts;
  for (const InventoryDevice& device : inventory.devices()) {
    parts.push_back(base::format("{}:{}", device.published.device->name, name_of(device.state)));
  }
  return base::join(parts, " ");
}

struct Case {
  const char* name;
  Scene scene;
  const char* want;
};

constexpr const char* kTainted = "{name: d, taints: [{key: k, effect: NoSchedule}]}";
constexpr const char* kShareable =
    "{name: d, allowMultipleAllocations: true, capacity: {memory: {value: 40Gi}}}";

Scene one(std::string_view device) {
  return Scene().slice({.name = "s", .devices = std::string(device)});
}
// Partitions of one accelerator with two slots: each half takes one, the whole takes both.
constexpr const char* kTwoSlots =
    "sharedCounters: [{name: gpu, counters: {slot-0: {value: \"1\"}, slot-1: {value: \"1\"}}}]";
std::string partition(std::string_view name, std::string_view slots, std::string_view more = "") {
  return base::format("{{name: {}, consumesCounters: [{{counterSet: gpu, counters: {{{}}}}}]{}}}",
                      name, slots, more);
}
const std::string kLeft = partition("left", R"(slot-0: {value: "1"})");
const std::string kRight = partition("right", R"(slot-1: {value: "1"})");
const std::string kBoth = partition("both", R"(slot-0: {value: "1"}, slot-1: {value: "1"})");
// Since 1.35 counters and devices are in slices of their own. `count`: as the slices say.
Scene partitioned(const std::string& devices, int count = 2) {
  return Scene()
      .slice({.name = "counters", .count = count, .more = kTwoSlots})
      .slice({.name = "devices", .count = count, .devices = devices});
}
std::string holds(std::string_view device) {
  return allocated("{device: " + std::string(device) + ", pool: pool}");
}

Scene incomplete(std::string_view device) {
  return Scene().slice({.name = "s", .count = 2, .devices = std::string(device)});
}
std::string d_held(std::string_view more = "") {
  return allocated("{device: d, pool: pool" + std::string(more) + "}");
}

TEST_CASE("states of devices") {
  const Case rows[] = {
      {"nobody has it", one("{name: d}"), "d:free"},
      {"somebody has it", one("{name: d}").claim("c", exactly("gpu", 1), d_held()), "d:allocated"},
      {"somebody watches it",
       one("{name: d}").claim("c", exactly("gpu", 1), d_held(", adminAccess: true")), "d:free"},
      {"somebody has a share of it",
       one(kShareable)
           .claim("c", exactly("gpu", 1), d_held(", shareID: s1, consumedCapacity: {memory: 1Gi}")),
       "d:shared"},
      {"a taint keeps it", one(kTainted), "d:tainted"},
      {"held and tainted is held", one(kTainted).claim("c", exactly("gpu", 1), d_held()),
       "d:allocated"},
      {"in an incomplete pool", incomplete("{name: d}"), "d:unusable"},
      {"tainted in an incomplete pool", incomplete(kTainted), "d:unusable"},
      {"held in an incomplete pool",
       incomplete("{name: d}").claim("c", exactly("gpu", 1), d_held()), "d:allocated"},
      {"in an invalid pool", one("{name: d}, {name: d}"), "d:unusable d:unusable"},
      {"stale slices have no devices",
       one("{name: old}").slice({.name = "s2", .generation = 2, .devices = "{name: new}"}),
       "new:free"},
      {"a taint of a rule counts",
       one("{name: d}").taint_rule("r", "deviceSelector: {device: d}", "key: k, effect: NoExecute"),
       "d:tainted"},
      {"a share of a tainted device leaves nothing for others",
       one("{name: d, allowMultipleAllocations: true, taints: [{key: k, effect: NoSchedule}]}")
           .claim("c", exactly("gpu", 1), d_held(", shareID: s1")),
       "d:allocated"},
      {"partitions of which nothing is taken are free", partitioned(kLeft + ", " + kBoth),
       "left:free both:free"},
      {"a partition blocks its siblings, and no more",
       partitioned(kLeft + ", " + kRight + ", " + kBoth)
           .claim("c", exactly("gpu", 1), holds("left")),
       "left:allocated right:free both:blocked"},
      {"the whole blocks every part",
       partitioned(kLeft + ", " + kRight + ", " + kBoth)
           .claim("c", exactly("gpu", 1), holds("both")),
       "left:blocked right:blocked both:allocated"},
      {"a blocked device is blocked for claims that tolerate its taint, too",
       partitioned(kLeft + ", " +
                   partition("both", R"(slot-0: {value: "1"}, slot-1: {value: "1"})",
                             ", taints: [{key: k, effect: NoSchedule}]"))
           .claim("c", exactly("gpu", 1), holds("left")),
       "left:allocated both:blocked"},
      {"in an incomplete pool nothing is blocked, as no claim can get any of it",
       partitioned(kLeft + ", " + kBoth, 3).claim("c", exactly("gpu", 1), holds("left")),
       "left:allocated both:unusable"},
      {"admin access blocks nothing",
       partitioned(kLeft + ", " + kBoth)
           .claim("c", exactly("gpu", 1),
                  allocated("{device: left, pool: pool, adminAccess: true}")),
       "left:free both:free"},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    const auto snapshot = row.scene.build();
    CHECK(to_line(Inventory(snapshot)) == row.want);
  }
}

TEST_CASE("no device is called free while claims or taint rules are not visible") {
  for (const api::Kind kind : {api::Kind::Claim, api::Kind::TaintRule}) {
    CAPTURE(std::string(api::info_of(kind).name));
    const auto snapshot =
        scene()
            .slice({.name = "s",
                    .devices =
                        "{name: d0}, {name: d1, taints: [{key: k, effect: NoSchedule}]}, {name: "
                        "d2}, {name: d3, allowMultipleAllocations: true}"})
            .slice({.name = "t", .pool = "other", .count = 2, .devices = "{name: d4}"})
            .claim("c", exactly("gpu", 1),
                   allocated("{device: d2, pool: pool}, {device: d3, pool: pool, shareID: s1}"))
            .cannot_read(kind)
            .build();
    // What was seen is certain, what was not seen is not.
    CHECK(to_line(Inventory(snapshot)) ==
          "d4:unusable d0:unknown d1:tainted d2:allocated d3:allocated");
  }
}

TEST_CASE("what is seen to be blocked is certain") {
  const auto snapshot = partitioned(kLeft + ", " + kRight + ", " + kBoth)
                            .claim("c", exactly("gpu", 1), holds("left"))
                            .cannot_read(api::Kind::Claim)
                            .build();
  CHECK(to_line(Inventory(snapshot)) == "left:allocated right:unknown both:blocked");
}

TEST_CASE("texts call the states by the same names as JSON, but for devices in use") {
  for (const DeviceState state :
       {DeviceState::Free, DeviceState::Shared, DeviceState::Blocked, DeviceState::Tainted,
        DeviceState::Unusable, DeviceState::Missing, DeviceState::Unknown})
    CHECK(words_of(state) == name_of(state));
  CHECK(name_of(DeviceState::Allocated) == "allocated");
  CHECK(words_of(DeviceState::Allocated) == "in use");
}

TEST_CASE("other kinds do not matter to devices") {
  const auto snapshot = scene()
                            .slice({.name = "s", .devices = "{name: d}"})
                            .cannot_read(api::Kind::Pod)
                            .cannot_read(api::Kind::Class)
                            .build();
  CHECK(to_line(Inventory(snapshot)) == "d:free");
}

TEST_CASE("devices stand by driver, pool, slice, and as listed") {
  const auto snapshot =
      scene()
          .slice({.name = "b", .pool = "p1", .count = 2, .devices = "{name: d3}"})
          .slice({.name = "a", .pool = "p1", .count = 2, .devices = "{name: d9}, {name: d1}"})
          .slice({.name = "c", .pool = "p0", .devices = "{name: d5}"})
          .slice({.name = "d", .driver = "a.com", .pool = "z1", .devices = "{name: d7}"})
          .build();
  const Inventory inventory(snapshot);
  CHECK(to_line(inventory) == "d7:free d5:free d9:free d1:free d3:free");
  for (const InventoryDevice& device : inventory.devices()) {
    const Pool& pool = inventory.pools()[device.pool];
    CHECK(pool.name == device.published.slice->spec.pool.name);
    CHECK(inventory.find_pool(pool.driver, pool.name) == &pool);
  }
  CHECK(inventory.find_pool("a.com", "p0") == nullptr);
  CHECK(inventory.find_pool("", "") == nullptr);
  CHECK(inventory.find_pool("zzz", "zzz") == nullptr);
}

}  // namespace
}  // namespace dra::engine::inventory_test
