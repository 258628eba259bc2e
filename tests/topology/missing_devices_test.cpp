// tests/topology/missing_devices_test.cpp: what is missing in lists is what drawings have as
// missing, and what claims hold of devices that no slice publishes.

#include "dra/topology/missing_devices.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "dra/topology/coordinate_grids.h"
#include "tests/topology/tpu_scene.h"

namespace dra::topology::missing_devices_test {
namespace {

using engine::Inventory;
using engine::MissingDevice;
using support::allocated;
using support::exactly;
using support::Scene;

// "tpu.google.com/h1/2 on h1 (default/c)"; a sign for each name that is not known.
std::string text_of(const std::vector<MissingDevice>& missing) {
  std::vector<std::string> parts;
  for (const MissingDevice& one : missing) {
    std::string text =
        base::format("{}/{} on {}", one.pool.empty() ? "-" : one.pool,
                     one.device.empty() ? "-" : one.device, one.node.empty() ? "-" : one.node);
    if (!one.holders.empty()) text += base::format(" ({})", one.holders.front().claim->meta.name);
    parts.push_back(std::move(text));
  }
  return base::join(parts, ", ");
}

std::string missing_in(const Scene& scene) {
  const auto snapshot = scene.build();
  const Inventory inventory(snapshot);
  return text_of(missing_devices(snapshot, inventory));
}

Scene hosts(const std::vector<Host>& all) {
  Scene scene;
  for (const Host& host : all)
    add(scene, host);
  return scene;
}

const std::string kSlice = labels("np", "2x4", 4);

TEST_CASE("places of chips that are not published") {
  CHECK(missing_in(hosts({{"h0", kSlice, kFour}, {"h1", kSlice, kFour}})).empty());
  // One chip of a host.
  CHECK(missing_in(hosts({{"h0", kSlice, kFour}, {"h1", kSlice, {"0", "1", "3"}}})) ==
        "h1/2 on h1");
  // All of a host that has a node.
  CHECK(missing_in(hosts({{"h0", kSlice, kFour}, {"h1", kSlice, {}, false}})) ==
        "h1/- on h1, h1/- on h1, h1/- on h1, h1/- on h1");
  // A host without a node.
  CHECK(missing_in(hosts({{"h0", kSlice, kFour}})) == "-/- on -, -/- on -, -/- on -, -/- on -");
}

TEST_CASE("devices that claims hold and no slice publishes") {
  Scene one;
  one.slice("n1", {"d0"}).claim("c", exactly("gpu", 1), allocated("{device: d1, pool: n1}"));
  CHECK(missing_in(one) == "n1/d1 on - (c)");
  Scene twice = one;
  twice.claim("d", exactly("gpu", 1), allocated("{device: d1, pool: n1}"));
  CHECK(missing_in(twice) == "n1/d1 on - (c)");
  Scene pool_gone;
  pool_gone.slice("n1", {"d0"})
      .claim("c", exactly("gpu", 1), allocated("{device: d1, pool: n2}", support::on_node("n2")));
  CHECK(missing_in(pool_gone) == "n2/d1 on n2 (c)");
  // The slice of the device may be the one that is still to come.
  Scene incomplete;
  incomplete.slice({.name = "s", .count = 2, .devices = "{name: d0}"})
      .claim("c", exactly("gpu", 1), allocated("{device: d1, pool: pool}"));
  CHECK(missing_in(incomplete).empty());
  Scene unread = one;
  unread.cannot_read(api::Kind::Slice);
  CHECK(missing_in(unread).empty());
}

TEST_CASE("a chip that is held and missing counts once") {
  Scene scene = hosts({{"h0", kSlice, kFour}, {"h1", kSlice, {"0", "1", "3"}}});
  scene.yaml(R"(apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: default, uid: c}
spec: {devices: {requests: [{name: tpu, exactly: {deviceClassName: gpu}}]}}
status:
  allocation:
    devices: {results: [{request: tpu, driver: tpu.google.com, pool: h1, device: "2"}]}
)");
  CHECK(missing_in(scene) == "h1/2 on h1 (c)");
}

TEST_CASE("as many are missing as drawings have places without a device") {
  for (const std::string& file : support::fixtures()) {
    CAPTURE(file);
    const auto snapshot = support::load(file);
    const Inventory inventory(snapshot);
    const auto missing = missing_devices(snapshot, inventory);
    std::int64_t drawn = 0;
    for (const ChipGrid& grid : tpu_grids(snapshot, inventory))
      drawn +=
          std::ranges::count_if(grid.cells, [](const GridCell& cell) { return !cell.device; }) -
          std::ssize(grid.unplaced);
    const auto of_tpus = std::ranges::count_if(missing, [](const MissingDevice& one) {
      return one.driver == "tpu.google.com" && one.holders.empty();
    });
    CHECK(of_tpus == drawn);
    for (const MissingDevice& one : missing)
      CHECK(
          (!one.like || inventory.devices()[*one.like].published.slice->spec.driver == one.driver));
  }
}

}  // namespace
}  // namespace dra::topology::missing_devices_test
