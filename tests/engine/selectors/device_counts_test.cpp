// tests/engine/selectors/device_counts_test.cpp

#include "dra/engine/selectors/device_counts.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::device_counts_test {
namespace {

using support::allocated;
using support::exactly;
using support::Scene;
using support::scene;

constexpr const char* kTainted = "{name: d, taints: [{key: k, effect: NoSchedule}]}";
constexpr const char* kShared =
    "{name: d, allowMultipleAllocations: true, taints: [{key: k, effect: NoSchedule}]}";

constexpr const char* kCounters =
    "sharedCounters: [{name: gpu, counters: {slots: {value: \"1\"}}}]";
constexpr const char* kPartitions =
    "{name: d0, consumesCounters: [{counterSet: gpu, counters: {slots: {value: \"1\"}}}]}, "
    "{name: d1, consumesCounters: [{counterSet: gpu, counters: {slots: {value: \"1\"}}}]}";

std::string number(const std::optional<std::int64_t>& value) {
  return value ? std::to_string(*value) : "?";
}

struct Case {
  const char* name;
  Scene scene;
  // devices: allocated (of these shared) free blocked tainted unusable unknown, then what is known
  const char* want;
};

TEST_CASE("each device counts once") {
  const Case rows[] = {
      {"free", scene().slice("n1", {"d"}), "1: 0(0) 1 0 0 0 0, 1 free, 0 allocated"},
      {"held", scene().slice("n1", {"d"}).held("n1", "d"),
       "1: 1(0) 0 0 0 0 0, 0 free, 1 allocated"},
      {"held for administration only is free",
       scene()
           .slice("n1", {"d"})
           .claim("c", exactly("gpu", 1), allocated("{device: d, pool: n1, adminAccess: true}")),
       "1: 0(0) 1 0 0 0 0, 1 free, 0 allocated"},
      {"tainted", scene().slice({.name = "s", .devices = kTainted}),
       "1: 0(0) 0 0 1 0 0, 0 free, 0 allocated"},
      {"shared and tainted is allocated",
       scene()
           .slice({.name = "s", .devices = kShared})
           .claim("c", exactly("gpu", 1), allocated("{device: d, pool: pool, shareID: s1}")),
       "1: 1(0) 0 0 0 0 0, 0 free, 1 allocated"},
      {"shared",
       scene()
           .slice({.name = "s", .devices = "{name: d, allowMultipleAllocations: true}"})
           .claim("c", exactly("gpu", 1), allocated("{device: d, pool: pool, shareID: s1}")),
       "1: 1(1) 0 0 0 0 0, 0 free, 1 allocated"},
      {"blocked is not free",
       scene()
           .slice({.name = "c", .count = 2, .more = kCounters})
           .slice({.name = "s", .count = 2, .devices = kPartitions})
           .claim("c", exactly("gpu", 1), allocated("{device: d0, pool: pool}")),
       "2: 1(0) 0 1 0 0 0, 0 free, 1 allocated"},
      {"in an incomplete pool", scene().slice({.name = "s", .count = 2, .devices = "{name: d}"}),
       "1: 0(0) 0 0 0 1 0, 0 free, 0 allocated"},
      {"without claims neither is known", scene().slice("n1", {"d"}).cannot_read(api::Kind::Claim),
       "1: 0(0) 0 0 0 0 1, ? free, ? allocated"},
      {"without taint rules free is not known",
       scene().slice("n1", {"d"}).cannot_read(api::Kind::TaintRule),
       "1: 0(0) 0 0 0 0 1, ? free, 0 allocated"},
      {"no device at all is no secret", scene().cannot_read(api::Kind::Claim),
       "0: 0(0) 0 0 0 0 0, 0 free, 0 allocated"},
  };
  for (const Case& row : rows) {
    CAPTURE(std::string(row.name));
    const auto snapshot = row.scene.build();
    const Inventory inventory(snapshot);
    DeviceCounts counts;
    for (const InventoryDevice& device : inventory.devices())
      counts.add(device);
    CHECK(counts.devices == counts.allocated + counts.free + counts.blocked + counts.tainted +
                                counts.unusable + counts.unknown);
    CHECK(base::format("{}: {}({}) {} {} {} {} {}, {} free, {} allocated", counts.devices,
                       counts.allocated, counts.shared, counts.free, counts.blocked, counts.tainted,
                       counts.unusable, counts.unknown, number(counts.known_free()),
                       number(counts.known_allocated(snapshot.coverage()))) == row.want);
  }
}

TEST_CASE("a missing device is not among the devices") {
  DeviceCounts counts;
  counts.add(DeviceState::Missing);
  CHECK(counts.missing == 1);
  CHECK(counts.devices == 0);
}

}  // namespace
}  // namespace dra::engine::device_counts_test
