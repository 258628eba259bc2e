// tests/topology/tpu_scene.h
//
// Hosts of TPUs for tests, and what is drawn of them.

#pragma once

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/text.h"
#include "dra/topology/tpu_grid.h"
#include "tests/support/builders.h"

namespace dra::topology {

struct Host {
  std::string name;
  std::string labels;              // flow style, without braces
  std::vector<std::string> chips;  // names; none: nothing is published
  bool ready = true;
  bool cordoned = false;
  int slices = 1;                      // of its pool, of which there is one
  std::set<std::string> tainted = {};  // of the chips
};

inline void add(support::Scene& scene, const Host& host) {
  scene.yaml(base::format(R"(apiVersion: v1
kind: Node
metadata: {{name: {}, labels: {{{}}}}}
spec: {{unschedulable: {}}}
status: {{conditions: [{{type: Ready, status: "{}"}}]}}
)",
                          host.name, host.labels, host.cordoned ? "true" : "false",
                          host.ready ? "True" : "False"));
  if (host.chips.empty()) return;
  std::string devices;
  for (const std::string& chip : host.chips)
    devices += base::format(
        "  - {{name: \"{}\"{}}}\n", chip,
        host.tainted.contains(chip) ? ", taints: [{key: bad, effect: NoSchedule}]" : "");
  scene.yaml(base::format(R"(apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: {}-tpu}}
spec:
  driver: tpu.google.com
  nodeName: {}
  pool: {{name: {}, generation: 1, resourceSliceCount: {}}}
  devices:
{})",
                          host.name, host.name, host.name, host.slices, devices));
}

inline std::string labels(std::string_view node_pool, std::string_view topology, int chips,
                          std::string_view more = "") {
  return base::format(
      "cloud.google.com/gke-nodepool: {}, cloud.google.com/gke-tpu-topology: {}, "
      "cloud.google.com/gke-accelerator-count: \"{}\", cloud.google.com/gke-tpu-accelerator: "
      "tpu-v6e-slice{}",
      node_pool, topology, chips, more);
}

inline const std::vector<std::string> kFour = {"0", "1", "2", "3"};

// What the tests need of a scene; `grids` points into it.
struct Drawn {
  explicit Drawn(const support::Scene& scene)
      : snapshot(scene.build()), inventory(snapshot), grids(tpu_grids(snapshot, inventory)) {}

  snapshot::Snapshot snapshot;
  engine::Inventory inventory;
  std::vector<ChipGrid> grids;
};

// Every device of the driver stands in one place, or among those that have none.
inline void check_all_are_there(const Drawn& drawn) {
  std::multiset<std::size_t> seen;
  for (const ChipGrid& grid : drawn.grids) {
    CHECK(std::ssize(grid.cells) == grid.shape.size());
    CHECK(std::ssize(grid.hosts) * grid.host.size() == grid.shape.size());
    for (const GridCell& cell : grid.cells) {
      REQUIRE(cell.host < grid.hosts.size());
      if (cell.device) seen.insert(*cell.device);
    }
    seen.insert(grid.unplaced.begin(), grid.unplaced.end());
  }
  for (std::size_t i = 0; i < drawn.inventory.devices().size(); ++i)
    CHECK(seen.count(i) == 1);
}

}  // namespace dra::topology
