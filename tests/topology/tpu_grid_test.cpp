// tests/topology/tpu_grid_test.cpp: every device has one place, and what is missing shows.

#include "dra/topology/tpu_grid.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "dra/base/text.h"
#include "tests/topology/tpu_scene.h"

namespace dra::topology::tpu_grid_test {
namespace {

using support::Scene;

// A letter for each place, a line for each row and a blank one between planes.
std::string text_of(const ChipGrid& grid) {
  constexpr std::string_view letters = ".+A%-x#?!*_~";
  std::string text;
  for (std::size_t i = 0; i < grid.cells.size(); ++i) {
    const Coord at = grid.shape.at(static_cast<std::int64_t>(i));
    if (at.x == 0 && i > 0) text += at.y == 0 ? "|" : "/";
    const GridCell& cell = grid.cells[i];
    text += cell.chip.empty() ? std::string(1, letters[static_cast<std::size_t>(cell.state)])
                              : cell.chip.substr(cell.chip.size() - 1);
  }
  return text;
}

std::string tiles_of(const ChipGrid& grid) {
  std::string text;
  const auto number = [](const std::optional<std::int64_t>& count) {
    return count ? std::to_string(*count) : std::string("-");
  };
  for (const Tiles& tiles : grid.tiles)
    text += base::format("{}{}:{},{}/{}", text.empty() ? "" : " ", to_string(tiles.shape),
                         number(tiles.placeable), number(tiles.by_geometry), tiles.total);
  return text;
}

TEST_CASE("one host: chips by their numbers") {
  Scene scene;
  add(scene, {"host", labels("p", "2x4", 8), {"0", "1", "2", "3", "4", "5", "6", "7"}});
  const Drawn drawn(scene);
  REQUIRE(drawn.grids.size() == 1);
  CHECK(drawn.grids.front().name == "host");
  CHECK(text_of(drawn.grids.front()) == "01/23/45/67");
  CHECK(drawn.grids.front().placement == Placement::FromIndex);
  // The driver hands out whole hosts only.
  CHECK(tiles_of(drawn.grids.front()) == "1x1:-,8/8 2x2:-,2/2 2x4:1,1/1");
  check_all_are_there(drawn);
}

TEST_CASE("a chip that is gone leaves its place empty") {
  Scene scene;
  add(scene, {"host", labels("p", "2x2", 4), {"0", "1", "3"}});
  const Drawn drawn(scene);
  CHECK(text_of(drawn.grids.front()) == "01/!3");
  CHECK(drawn.grids.front().hosts.front().state == HostState::Degraded);
  CHECK(drawn.grids.front().hosts.front().why == "3 of 4 chips published");
  CHECK(tiles_of(drawn.grids.front()) == "1x1:-,3/4 2x2:0,0/1");
}

TEST_CASE("chips whose names tell no number are none that are gone") {
  Scene scene;
  add(scene, {"host", labels("p", "2x2", 4), {"a", "b", "c", "d"}});
  add(scene, {"lost", labels("q", "2x2", 4), {"a", "b", "c"}});
  const Drawn drawn(scene);
  for (const ChipGrid& grid : drawn.grids) {
    CHECK(text_of(grid) == "**/**");
    CHECK(grid.unplaced.size() == static_cast<std::size_t>(grid.hosts.front().published));
  }
  CHECK(drawn.grids.at(0).hosts.front().state == HostState::Whole);
  CHECK(drawn.grids.at(1).hosts.front().why == "3 of 4 chips published");
  CHECK(tiles_of(drawn.grids.at(0)) == "1x1:-,-/4 2x2:-,-/1");
}

TEST_CASE("without claims no part is free, nor is it not") {
  Scene scene;
  add(scene, {"host", labels("p", "2x2", 4), kFour});
  add(scene, {"lost", labels("q", "2x2", 4), {"0", "1", "3"}});
  scene.cannot_read(api::Kind::Claim);
  const Drawn drawn(scene);
  CHECK(tiles_of(drawn.grids.at(0)) == "1x1:-,-/4 2x2:-,-/1");
  CHECK(tiles_of(drawn.grids.at(1)) == "1x1:-,-/4 2x2:0,0/1");
}

TEST_CASE("everything wrong with a host is reported") {
  struct Row {
    const char* name;
    Host host;
    std::string_view why;
    bool ready;
  };
  const std::string like = labels("p", "2x2", 4);
  const std::vector<std::string> three = {"0", "1", "3"};
  for (const Row& row : {
           Row{"nothing", {"h", like, kFour}, "", true},
           Row{"cordoned", {"h", like, kFour, true, true}, "the node is cordoned", false},
           Row{"not ready", {"h", like, kFour, false}, "the node is not ready", false},
           Row{"everything",
               {"h", like, three, false, true, 2},
               "the node is not ready and cordoned; 3 of 4 chips published; its pool is incomplete",
               false},
       }) {
    CAPTURE(row.name);
    Scene scene;
    add(scene, row.host);
    const Drawn drawn(scene);
    const GridHost& host = drawn.grids.at(0).hosts.at(0);
    CHECK(host.why == row.why);
    CHECK(host.ready == row.ready);
    const bool whole = drawn.grids.at(0).tiles.back().placeable == 1;
    CHECK(whole == row.ready);
  }
  Scene scene;
  add(scene, {"a", labels("p", "2x4", 4), kFour});
  add(scene, {"b", labels("p", "2x4", 4), {}, true, true});
  CHECK(Drawn(scene).grids.at(0).hosts.at(1).why ==
        "the node is ready but cordoned, and publishes no chips: its driver does not run, or has "
        "none");
}

TEST_CASE("a host without the driver's label, which its neighbours have, is named") {
  Scene scene;
  constexpr const char* labelled = ", cloud.google.com/gke-tpu-dra-driver: \"true\"";
  add(scene, {"a", labels("p", "2x4", 4, labelled), kFour});
  add(scene, {"b", labels("p", "2x4", 4), {}});
  CHECK(Drawn(scene).grids.at(0).hosts.at(1).why ==
        "the node is ready, and publishes no chips: it is missing the label "
        "cloud.google.com/gke-tpu-dra-driver=true that its neighbours have");
}

TEST_CASE("nothing is reported about the links of an unknown generation") {
  Scene scene;
  add(scene, {"known", labels("p", "2x2", 4), kFour});
  add(scene, {"new", "cloud.google.com/gke-tpu-accelerator: tpu-v99-slice", kFour});
  const Drawn drawn(scene);
  REQUIRE(drawn.grids.size() == 2);
  CHECK(drawn.grids[0].wraps == Axes{});
  CHECK_FALSE(drawn.grids[1].wraps);
}

TEST_CASE("numbers of groups that begin anywhere are put into order, unless one is missing") {
  Scene scene;
  add(scene, {"host", labels("p", "2x2", 4), {"9", "12", "10", "11"}});
  CHECK(text_of(Drawn(scene).grids.front()) == "90/12");
  Scene less;
  add(less, {"host", labels("p", "2x2", 4), {"9", "12", "10"}});
  const Drawn drawn(less);
  CHECK(text_of(drawn.grids.front()) == "**/**");
  CHECK(drawn.grids.front().unplaced.size() == 3);
  check_all_are_there(drawn);
}

TEST_CASE("a slice of several hosts: by the order of names, which is said") {
  Scene scene;
  for (const char* name : {"n0", "n1", "n3"})
    add(scene, {name, labels("p", "4x4", 4), kFour});
  add(scene, {"n2", labels("p", "4x4", 4), {}, false});
  const Drawn drawn(scene);
  REQUIRE(drawn.grids.size() == 1);
  const ChipGrid& grid = drawn.grids.front();
  CHECK(grid.name == "p");
  CHECK(grid.placement == Placement::Assumed);
  CHECK(text_of(grid) == "0101/2323/__01/__23");
  CHECK(grid.hosts[2].state == HostState::Lost);
  CHECK(grid.hosts[2].why == "the node is not ready, and publishes no chips");
  // Which pairs of hosts lie beside each other is not known.
  CHECK(tiles_of(grid) == "1x1:-,12/16 2x2:3,3/4 2x4:-,-/2 4x4:0,0/1");
  check_all_are_there(drawn);
}

TEST_CASE("labels of parts say which hosts lie beside each other") {
  Scene scene;
  const auto part = [](const char* id) {
    return labels("p", "4x4", 4, base::format(", cloud.google.com/gke-tpu-slice-2x4-id: {}", id));
  };
  add(scene, {"n0", part("a"), kFour});
  add(scene, {"n1", part("b"), kFour});
  add(scene, {"n2", part("a"), kFour});
  add(scene, {"n3", part("b"), {"0", "1", "2"}});
  CHECK(tiles_of(Drawn(scene).grids.front()) == "1x1:-,15/16 2x2:3,3/4 2x4:1,1/2 4x4:0,0/1");
}

TEST_CASE("a host of which there is no node, and hosts that cannot be told apart") {
  Scene scene;
  add(scene, {"n0", labels("p", "2x4", 4), kFour});
  const Drawn drawn(scene);
  CHECK(text_of(drawn.grids.front()) == "01/23/__/__");
  CHECK(drawn.grids.front().hosts[1].state == HostState::Absent);
  for (const char* name : {"n1", "n2"})
    add(scene, {name, labels("p", "2x4", 4), kFour});
  const Drawn apart(scene);
  CHECK(apart.grids.size() == 3);
  CHECK(apart.grids.front().note == "Which 2 hosts of these 3 form a slice of 2x4 is not known");
  CHECK(text_of(apart.grids.front()) == "01/23");
}

TEST_CASE("without labels as many alike as a slice has are one") {
  Scene scene;
  const std::string like = "tpu.google.com/topology: 2x2x2, tpu.google.com/chip-count: \"4\"";
  add(scene, {"a", like, kFour});
  CHECK(Drawn(scene).grids.front().shape.size() == 4);
  add(scene, {"b", like, kFour});
  const Drawn drawn(scene);
  REQUIRE(drawn.grids.size() == 1);
  CHECK(text_of(drawn.grids.front()) == "01/23|01/23");
}

TEST_CASE("drivers and labels call one generation by different names") {
  Scene scene;
  const auto like = [](const char* more) {
    return base::format(
        "cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: "
        "2x4, cloud.google.com/gke-accelerator-count: \"4\"{}",
        more);
  };
  add(scene, {"a", like(""), {}});
  scene.yaml(R"(apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: a-tpu}
spec:
  driver: tpu.google.com
  nodeName: a
  pool: {name: a, generation: 1, resourceSliceCount: 1}
  devices: [{name: "0", attributes: {tpuGen: {string: v6e}}}, {name: "1"}, {name: "2"}, {name: "3"}]
)");
  add(scene, {"b", like(", cloud.google.com/gke-tpu-dra-driver: \"true\""), {}, false});
  const Drawn drawn(scene);
  REQUIRE(drawn.grids.size() == 1);
  CHECK(text_of(drawn.grids.front()) == "01/23/__/__");
}

// A claim for all chips of the host, which the pod has reserved.
std::string held_by(const char* host, const char* pod, int index) {
  return base::format(R"(apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: {1}, namespace: default}}
spec: {{devices: {{requests: [{{name: r, exactly: {{deviceClassName: gpu, allocationMode: All}}}}]}}}}
status:
  allocation: {{devices: {{results: [{{request: r, driver: tpu.google.com, pool: {0}, device: "0"}}]}}}}
  reservedFor: [{{resource: pods, name: {1}, uid: {1}}}]
---
apiVersion: v1
kind: Pod
metadata: {{name: {1}, namespace: default, uid: {1}, labels: {{job-name: j, batch.kubernetes.io/job-completion-index: "{2}"}}}}
spec: {{nodeName: {0}}}
)",
                      host, pod, index);
}

std::string waiting_pod(int index) {
  return base::format(
      "apiVersion: v1\nkind: Pod\nmetadata: {{name: w{0}, namespace: default, uid: w{0}, labels: "
      "{{job-name: j, batch.kubernetes.io/job-completion-index: \"{0}\"}}}}\n",
      index);
}

TEST_CASE("hosts that no pod numbers are there, and their place is not known") {
  Scene scene;
  for (const char* name : {"n0", "n1", "n2", "n3"})
    add(scene, {name, labels("p", "4x4", 4), kFour});
  scene.yaml(held_by("n1", "a", 0)).yaml(held_by("n0", "b", 1));
  scene.yaml(waiting_pod(2)).yaml(waiting_pod(3));
  const Drawn drawn(scene);
  const ChipGrid& grid = drawn.grids.front();
  CHECK(grid.placement == Placement::FromWorkers);
  CHECK(text_of(grid) == "0101/2323/~~~~/~~~~");
  CHECK(grid.hosts[0].node == "n1");
  CHECK(grid.hosts[2].state == HostState::NotKnown);
  CHECK(grid.hosts[2].why == "no pod tells which node this is");
  CHECK(grid.note == "No pod tells which worker is on n2 n3");
  CHECK(grid.unplaced.size() == 8);
  check_all_are_there(drawn);
}

TEST_CASE("a claim names a pod that is gone, and another one has its name by now") {
  Scene scene;
  for (const char* name : {"n0", "n1"})
    add(scene, {name, labels("p", "2x4", 4), kFour});
  scene.yaml(held_by("n0", "a", 1)).yaml(held_by("n1", "b", 0));
  CHECK(Drawn(scene).grids.front().placement == Placement::FromWorkers);
  Scene renewed;
  for (const char* name : {"n0", "n1"})
    add(renewed, {name, labels("p", "2x4", 4), kFour});
  std::string stale = held_by("n0", "a", 1);
  stale.replace(stale.find("uid: a"), 6, "uid: x");
  renewed.yaml(stale).yaml(held_by("n1", "b", 0));
  const Drawn drawn(renewed);
  // b is worker 0 on n1; what is left is n0, where the other pod of the job runs.
  CHECK(drawn.grids.front().hosts[0].node == "n1");
  check_all_are_there(drawn);
}

TEST_CASE("how broken up a slice is shows where the parts that may be free are known") {
  Scene scene;
  for (const char* name : {"n0", "n1", "n2", "n3"})
    add(scene, {name, labels("p", "2x2x4", 4), kFour});
  scene.yaml(held_by("n1", "a", 0));
  // Which three hosts are free is known, not which lie beside each other.
  CHECK(Drawn(scene).grids.front().placement == Placement::Assumed);
  CHECK_FALSE(Drawn(scene).grids.front().fragmentation);
}

TEST_CASE("chips of a node that is gone cannot be allocated") {
  Scene scene;
  add(scene, {"n0", labels("p", "2x2", 4), kFour});
  scene.slice({.name = "left",
               .driver = "tpu.google.com",
               .pool = "n1",
               .where = "nodeName: n1",
               .devices = "{name: '0'}, {name: '1'}, {name: '2'}, {name: '3'}"});
  const Drawn drawn(scene);
  REQUIRE(drawn.grids.size() == 2);
  CHECK(drawn.grids.back().hosts.front().ready == false);
  CHECK(drawn.grids.back().hosts.front().why == "the node is gone");
  CHECK(tiles_of(drawn.grids.back()) == "2x2x1:0,1/1");
}

TEST_CASE("hosts that cannot lie side by side in the shape stand alone") {
  for (const char* topology : {"1x16", "16x1", "2x8"}) {
    CAPTURE(std::string(topology));
    Scene scene;
    for (const char* name : {"n0", "n1", "n2", "n3"})
      add(scene, {name, labels("p", topology, 4), kFour});
    const Drawn drawn(scene);
    CHECK(drawn.grids.size() == (topology[0] == '2' ? 1 : 4));
    check_all_are_there(drawn);
  }
  Scene scene;
  for (const char* name : {"n0", "n1"})
    add(scene, {name, labels("p", "2x2x4", 8), {"0", "1", "2", "3", "4", "5", "6", "7"}});
  const Drawn drawn(scene);
  CHECK(drawn.grids.size() == 2);
  CHECK(drawn.grids.front().note == "Hosts of 8 chips do not make up a slice of 2x2x4");
  check_all_are_there(drawn);
}

TEST_CASE("a label with more chips than any host has says nothing") {
  Scene scene;
  add(scene, {"host",
              "cloud.google.com/gke-tpu-dra-driver: \"true\", cloud.google.com/gke-tpu-topology: "
              "2x4, cloud.google.com/gke-accelerator-count: \"99999999999\"",
              {}});
  CHECK(Drawn(scene).grids.empty());
}

TEST_CASE("what makes no sense is drawn as what there is") {
  for (const char* topology : {"3x5", "nonsense", "99999x99999", "2x4x4x4"}) {
    Scene scene;
    add(scene, {"host", labels("p", topology, 4), kFour});
    const Drawn drawn(scene);
    CHECK(text_of(drawn.grids.front()) == "01/23");
    check_all_are_there(drawn);
  }
  Scene scene;
  add(scene, {"host", "a: b", {"x", "y", "z"}});
  const Drawn drawn(scene);
  CHECK(drawn.grids.front().placement == Placement::Assumed);
  check_all_are_there(drawn);
}

}  // namespace
}  // namespace dra::topology::tpu_grid_test
