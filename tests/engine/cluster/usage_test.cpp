// tests/engine/cluster/usage_test.cpp: who holds what.

#include "dra/engine/cluster/usage.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::usage_test {
namespace {

using support::allocated;
using support::exactly;
using support::Scene;
using support::scene;

constexpr const char* kWhole = "{name: d}";
constexpr const char* kShareable =
    "{name: d, allowMultipleAllocations: true, capacity: {memory: {value: 40Gi}}}";

// Claims "a", "b", ... with these results for the only device, d of pool.
Scene held_by(std::string_view device, std::initializer_list<const char*> results) {
  Scene scene;
  scene.slice({.name = "s", .devices = std::string(device)});
  char name = 'a';
  for (const char* result : results) {
    scene.claim(std::string(1, name++), exactly("gpu", 1),
                allocated("{device: d, pool: pool" + std::string(result) + "}"));
  }
  return scene;
}

std::string to_line(Occupancy occupancy) {
  switch (occupancy) {
    case Occupancy::None:
      return "none";
    case Occupancy::Shared:
      return "shared";
    case Occupancy::Entirely:
      return "entirely";
  }
  return "";
}

struct Case {
  const char* name;
  Scene scene;
  const char* want;  // occupancy and the names of all holders
};

TEST_CASE("who holds a device") {
  const Case rows[] = {
      {"nobody", held_by(kWhole, {}), "none:"},
      {"a claim without a reservation", held_by(kWhole, {""}), "entirely: a"},
      {"admin access does not take it", held_by(kWhole, {", adminAccess: true"}),
       "none: a (admin)"},
      {"admin access beside a holder", held_by(kWhole, {", adminAccess: true", ""}),
       "entirely: a (admin) b"},
      {"a shareable device that nobody has", held_by(kShareable, {}), "none:"},
      {"a share with room left",
       held_by(kShareable, {", shareID: s1, consumedCapacity: {memory: 10Gi}"}), "shared: a"},
      {"shares that fill it",
       held_by(kShareable, {", shareID: s1, consumedCapacity: {memory: 10Gi}",
                            ", shareID: s2, consumedCapacity: {memory: 30Gi}"}),
       "entirely: a b"},
      {"a share that says nothing of a capacity leaves it", held_by(kShareable, {", shareID: s1"}),
       "shared: a"},
      {"amounts that cannot be read count as everything",
       held_by(kShareable, {", shareID: s1, consumedCapacity: {memory: much}"}), "entirely: a"},
      {"a shareable device held without a share is taken as a whole", held_by(kShareable, {""}),
       "entirely: a"},
      {"a whole holder beside a share",
       held_by(kShareable, {", shareID: s1, consumedCapacity: {memory: 10Gi}", ""}),
       "entirely: a b"},
      {"admin access to a shareable device", held_by(kShareable, {", adminAccess: true"}),
       "none: a (admin)"},
      {"without consumable capacity a share is the whole",
       held_by(kShareable, {", shareID: s1, consumedCapacity: {memory: 10Gi}"}).server("v1.35.0"),
       "entirely: a"},
      {"a claim that is being deleted still holds it",
       held_by(kWhole, {})
           .yaml("{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: a, "
                 "deletionTimestamp: '2026-11-20T08:00:00Z'}, status: {" +
                 allocated("{device: d, pool: pool}") + "}}"),
       "entirely: a"},
      {"a device of that name in another pool is another device",
       held_by(kWhole, {}).claim("a", exactly("gpu", 1), allocated("{device: d, pool: other}")),
       "none:"},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    const auto snapshot = row.scene.build();
    const Usage usage(snapshot, features_of(snapshot.server()));
    const DeviceId id{"gpu.example.com", "pool", "d"};
    const auto& device = snapshot.all<api::ResourceSlice>().front().spec.devices.front();
    std::string got = to_line(occupancy(usage.holders(id), device)) + ":";
    for (const Holding& holding : usage.holders(id)) {
      got += base::format(" {}{}", holding.claim->meta.name, holding.admin() ? " (admin)" : "");
    }
    CHECK(got == row.want);
  }
}

TEST_CASE("who holds a device twice") {
  struct Row {
    const char* name;
    Scene scene;
    bool want;
  };
  const Row rows[] = {
      {"nobody", held_by(kWhole, {}), false},
      {"one claim", held_by(kWhole, {""}), false},
      {"two claims", held_by(kWhole, {"", ""}), true},
      {"one of them for administration", held_by(kWhole, {", adminAccess: true", ""}), false},
      {"administration beside two", held_by(kWhole, {", adminAccess: true", "", ""}), true},
      {"shares", held_by(kShareable, {", shareID: s1", ", shareID: s2"}), false},
      {"a share and the whole", held_by(kShareable, {", shareID: s1", ""}), true},
      {"one claim with two results",
       held_by(kWhole, {})
           .claim("a", exactly("gpu", 2),
                  allocated("{device: d, pool: pool}, {device: d, pool: pool}")),
       false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const auto snapshot = row.scene.build();
    const Usage usage(snapshot, features_of(snapshot.server()));
    CHECK(is_held_twice(usage.holders({"gpu.example.com", "pool", "d"})) == row.want);
  }
}

TEST_CASE("a holder of a device that no slice publishes is still a holder") {
  const auto snapshot =
      scene().claim("c", exactly("gpu", 1), allocated("{device: gone, pool: p/q}")).build();
  const Usage usage(snapshot, features_of(snapshot.server()));
  const auto holders = usage.holders({"gpu.example.com", "p/q", "gone"});
  REQUIRE(holders.size() == 1);
  CHECK(to_string(holders.front().id) == "gpu.example.com/p/q/gone");
}

TEST_CASE("all holders stand by device, then by claim") {
  const auto snapshot =
      scene()
          .claim("z1", exactly("gpu", 1), allocated("{device: d0, pool: p}"))
          .claim("b1", exactly("gpu", 2),
                 allocated("{device: d1, pool: p}, {device: d0, pool: p, adminAccess: "
                           "true}"))
          .claim("pending", exactly("gpu", 1))
          .build();
  const Usage usage(snapshot, features_of(snapshot.server()));
  std::string line;
  for (const Holding& holding : usage.all()) {
    line += base::format("{}:{} ", holding.id.device, holding.claim->meta.name);
  }
  CHECK(line == "d0:b1 d0:z1 d1:b1 ");
}

}  // namespace
}  // namespace dra::engine::usage_test
