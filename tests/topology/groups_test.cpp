// tests/topology/groups_test.cpp: devices together by what they have in common.

#include "dra/topology/groups.h"

#include <doctest/doctest.h>

#include <numeric>
#include <string>

#include "dra/base/text.h"
#include "dra/topology/coordinate_grids.h"
#include "tests/support/builders.h"

namespace dra::topology::groups_test {
namespace {

using support::Scene;

struct Look {
  explicit Look(const Scene& scene) : snapshot(scene.build()), inventory(snapshot) {
    devices.resize(inventory.devices().size());
    std::iota(devices.begin(), devices.end(), 0U);
  }

  std::string names(const std::vector<std::size_t>& numbers) const {
    std::vector<std::string> all;
    for (const std::size_t number : numbers)
      all.emplace_back(inventory.devices()[number].published.device->name);
    return base::join(all, ",");
  }
  // "0 pci0: a,b | - -: c"
  std::string rows(const Box& box) const {
    std::vector<std::string> all;
    for (const GroupRow& row : box.rows) {
      std::vector<std::string> values;
      for (const auto& value : row.values)
        values.push_back(value.value_or("-"));
      all.push_back(base::format("{}: {}", base::join(values, " "), names(row.devices)));
    }
    return base::join(all, " | ");
  }
  std::vector<Box> machines(bool lists = false) const {
    return machine_boxes(snapshot, inventory, devices, lists);
  }

  snapshot::Snapshot snapshot;
  engine::Inventory inventory;
  std::vector<std::size_t> devices;
};

std::string text_of(const Alignment& alignment) {
  std::string text = alignment.attribute;
  for (const AlignedValue& one : alignment.values) {
    text += base::format("; {}:", one.value);
    for (const auto& [driver, count] : one.free)
      text += base::format(" {}={}", driver, count ? std::to_string(*count) : "?");
  }
  if (!alignment.lack.empty())
    text += base::format("; without: {}", base::join(alignment.lack, ","));
  return text;
}

constexpr std::string_view kRoot = "resource.kubernetes.io/pcieRoot: {string: ";

// A machine with two sockets: cards and network cards, and CPUs that are near several roots.
Scene machine() {
  Scene scene;
  scene.node("n1");
  const auto at = [](int numa, std::string_view root) {
    return base::format("attributes: {{resource.kubernetes.io/numaNode: {{int: {}}}, {}{}}}}}",
                        numa, kRoot, root);
  };
  scene.slice({.name = "gpu",
               .pool = "n1",
               .where = "nodeName: n1",
               .devices = base::format("{{name: gpu-0, {}}}, {{name: gpu-1, {}}}", at(0, "a"),
                                       at(10, "b"))});
  scene.slice(
      {.name = "nic",
       .driver = "dra.net",
       .pool = "n1",
       .where = "nodeName: n1",
       .devices = base::format(
           "{{name: nic-0, {}}}, {{name: nic-1, attributes: {{dra.net/numaNode: {{int: 2}}}}}}, "
           "{{name: eth}}",
           at(0, "a"))});
  scene.slice({.name = "cpu",
               .driver = "dra.cpu",
               .pool = "n1",
               .where = "nodeName: n1",
               .devices = "{name: cpus, attributes: {dra.cpu/numaNodeID: {int: 0}, "
                          "resource.kubernetes.io/pcieRoot: {strings: [a, b]}}}"});
  return scene;
}

}  // namespace

TEST_CASE("a machine's devices stand by NUMA node, then root; numbers are numbers") {
  const Look look(machine());
  const auto boxes = look.machines();
  REQUIRE(boxes.size() == 1);
  CHECK(boxes[0].node == "n1");
  CHECK(look.rows(boxes[0]) ==
        "0 [a b]: cpus | 0 a: nic-0,gpu-0 | 2 -: nic-1 | 10 b: gpu-1 | - -: eth");
}

TEST_CASE("of several NUMA nodes that are near the first is where the device is") {
  Scene scene;
  scene.node("n1").slice(
      {.name = "s",
       .pool = "n1",
       .where = "nodeName: n1",
       .devices = "{name: a, attributes: {resource.kubernetes.io/numaNode: {ints: [1, 0]}}}, "
                  "{name: b, attributes: {resource.kubernetes.io/numaNode: {int: 1}}}, "
                  "{name: c, attributes: {resource.kubernetes.io/numaNode: {int: 0}}}"});
  const Look look(scene);
  const auto boxes = machine_boxes(look.snapshot, look.inventory, look.devices, true);
  REQUIRE(boxes.size() == 1);
  CHECK(look.rows(boxes[0]) == "0: c | 1: a,b");
}

TEST_CASE("what matchAttribute finds: free devices by value and driver") {
  Scene scene = machine();
  scene.held("n1", "gpu-0");
  const Look look(scene);
  SUBCASE("without lists") {
    const auto boxes = look.machines();
    REQUIRE(boxes.at(0).alignments.size() == 2);
    CHECK(text_of(boxes[0].alignments[0]) ==
          "resource.kubernetes.io/numaNode; 0: dra.net=1 gpu.example.com=0; 10: gpu.example.com=1; "
          "without: dra.cpu");
    CHECK(text_of(boxes[0].alignments[1]) ==
          "resource.kubernetes.io/pcieRoot; a: dra.net=1 gpu.example.com=0; b: gpu.example.com=1");
  }
  SUBCASE("a list counts with each of its values") {
    CHECK(text_of(look.machines(true).at(0).alignments.at(1)) ==
          "resource.kubernetes.io/pcieRoot; a: dra.cpu=1 dra.net=1 gpu.example.com=0; b: dra.cpu=1 "
          "gpu.example.com=1");
  }
}

TEST_CASE("without all claims it is not known what matchAttribute finds") {
  Scene scene = machine();
  scene.held("n1", "gpu-0");
  scene.cannot_read(api::Kind::Claim);
  CHECK(text_of(Look(scene).machines().at(0).alignments.at(0)) ==
        "resource.kubernetes.io/numaNode; 0: dra.net=? gpu.example.com=0; 10: gpu.example.com=?; "
        "without: dra.cpu");
}

TEST_CASE("a place that all devices of a machine share is drawn, if there are several") {
  const auto machines = [](std::string_view devices) {
    Scene scene;
    scene.node("n1").slice(
        {.name = "s", .pool = "n1", .where = "nodeName: n1", .devices = std::string(devices)});
    return Look(scene).machines().size();
  };
  const std::string root = "attributes: {resource.kubernetes.io/pcieRoot: {string: a}}}";
  CHECK(machines("{name: gpu-0, " + root + ", {name: gpu-1, " + root) == 1);
  CHECK(machines("{name: gpu-0, " + root) == 0);
}

TEST_CASE("machines of which nothing is told have no box") {
  Scene scene;
  scene.node("n1").slice("n1", {"gpu-0", "gpu-1"});
  CHECK(Look(scene).machines().empty());
}

TEST_CASE("nodes of one clique stand together, if there are several") {
  Scene scene;
  for (const char* name : {"n1", "n2", "n3"}) {
    const std::string_view node = name;
    scene.node(node, node == "n3" ? "nvidia.com/gpu.clique: other" : "nvidia.com/gpu.clique: c.1");
    scene.slice({.name = base::format("s-{}", node),
                 .pool = std::string(node),
                 .where = base::format("nodeName: {}", node),
                 .devices = base::format("{{name: gpu-0, attributes: {{{}a}}}}}}", kRoot)});
  }
  const Look look(scene);
  const auto boxes = look.machines();
  REQUIRE(boxes.size() == 1);  // of the other there is nothing to tell apart
  CHECK(boxes[0].clique == "c.1");
  CHECK(look.rows(boxes[0]) == "n1: gpu-0 | n2: gpu-0");
}

TEST_CASE("a ComputeDomain tells cliques, too") {
  Scene scene;
  for (const std::string_view node : {"n1", "n2", "n3"}) {
    scene.node(node);
    scene.slice(node, {"gpu-0"});
  }
  scene.yaml(R"(apiVersion: resource.nvidia.com/v1beta1
kind: ComputeDomain
metadata: {name: d, namespace: default}
status: {nodes: [{name: n1, cliqueID: c.1}, {name: n2, cliqueID: c.1}, {name: n3, cliqueID: ""}, {name: gone, cliqueID: c.1}]}
)");
  // Another one, that does not know them yet, takes nothing back.
  scene.yaml(R"(apiVersion: resource.nvidia.com/v1beta1
kind: ComputeDomain
metadata: {name: later, namespace: default}
status: {nodes: [{name: n1, cliqueID: ""}, {name: n2, cliqueID: ""}]}
)");
  const Look look(scene);
  const auto boxes = look.machines();
  REQUIRE(boxes.size() == 1);
  CHECK(boxes[0].clique == "c.1");
  CHECK(look.rows(boxes[0]) == "n1: gpu-0 | n2: gpu-0");
}

TEST_CASE("rows by attributes that somebody names: of the driver, of the standard, of anybody") {
  const Look look(machine());
  const auto rows = [&look](std::string_view names) {
    return look.rows(box_of(look.inventory, look.devices, levels_named(names)));
  };
  CHECK(rows("numaNode") == "0: nic-0,gpu-0 | 2: nic-1 | 10: gpu-1 | -: cpus,eth");
  CHECK(rows("dra.net/numaNode") == "2: nic-1 | -: cpus,nic-0,eth,gpu-0,gpu-1");
  CHECK(rows("driver,,node") ==
        "dra.cpu n1: cpus | dra.net n1: nic-0,nic-1,eth | gpu.example.com n1: gpu-0,gpu-1");
  CHECK(rows("nothing") == "-: cpus,nic-0,nic-1,eth,gpu-0,gpu-1");
  CHECK(levels_named(" ,").size() == 1);
  CHECK(levels_named(",").empty());
}

TEST_CASE("sets that a driver publishes are free as a whole or not") {
  Scene scene;
  scene.node("n1");
  std::string devices;
  for (int i = 0; i < 4; ++i)
    devices += base::format(
        "{}{{name: gpu-{}, attributes: {{partition1: {{int: {}}}, partition2: {{int: {}}}, "
        "partition4: "
        "{{int: 0}}}}}}",
        i == 0 ? "" : ", ", i, i, i / 2);
  scene.slice({.name = "gpu",
               .driver = "gpu.nvidia.com",
               .pool = "n1",
               .where = "nodeName: n1",
               .devices = devices});
  scene.yaml(R"(apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: default}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
status: {allocation: {devices: {results: [{request: r, driver: gpu.nvidia.com, pool: n1, device: gpu-3}]}}}
)");
  const auto sets_of = [](const Scene& of) {
    std::string text;
    const auto boxes = Look(of).machines();
    for (const DeviceSets& sets : boxes.at(0).sets)
      text += base::format(" {} {}/{} of {}", sets.attribute,
                           sets.free ? std::to_string(*sets.free) : "?", sets.total, sets.size);
    return text;
  };
  CHECK(sets_of(scene) ==
        " gpu.nvidia.com/partition1 3/4 of 1 gpu.nvidia.com/partition2 1/2 of 2 "
        "gpu.nvidia.com/partition4 0/1 of 4");
  // One that is taken in part is not free, whoever has the rest.
  scene.cannot_read(api::Kind::Claim);
  CHECK(sets_of(scene) ==
        " gpu.nvidia.com/partition1 ?/4 of 1 gpu.nvidia.com/partition2 ?/2 of 2 "
        "gpu.nvidia.com/partition4 0/1 of 4");
}

TEST_CASE("a set that is missing a device is not whole; one that is published twice has its size") {
  const auto sets = [](std::initializer_list<const char*> types, int gpus) {
    Scene scene;
    scene.node("n1");
    std::string devices;
    for (const char* type : types) {
      for (int i = 0; i < gpus; ++i)
        devices += base::format(
            "{}{{name: {}-{}, attributes: {{type: {{string: {}}}, partition4: {{int: {}}}}}}}",
            devices.empty() ? "" : ", ", type, i, type, i / 4);
    }
    scene.slice({.name = "s",
                 .driver = "gpu.nvidia.com",
                 .pool = "n1",
                 .where = "nodeName: n1",
                 .devices = devices});
    const Look look(scene);
    std::string text;
    const auto boxes = machine_boxes(look.snapshot, look.inventory, look.devices, true);
    for (const DeviceSets& one : boxes.front().sets)
      text += base::format("{}/{} of {}", *one.free, one.total, one.size);
    return text;
  };
  CHECK(sets({"gpu"}, 8) == "2/2 of 4");
  CHECK(sets({"gpu"}, 7) == "1/2 of 4");
  CHECK(sets({"gpu", "vfio"}, 8) == "2/2 of 4");
}

TEST_CASE("devices that say where they are stand there") {
  Scene scene;
  scene.node("n1");
  std::string devices;
  for (int i = 0; i < 15; ++i)
    devices += base::format(
        "{}{{name: neuron-device-{}, attributes: {{topology_x: {{int: {}}}, topology_y: {{int: "
        "{}}}}}}}",
        i == 0 ? "" : ", ", i, i / 4, i % 4);
  devices += ", {name: twice, attributes: {topology_x: {int: 0}, topology_y: {int: 0}}}";
  devices += ", {name: nowhere, attributes: {topology_x: {int: 100}, topology_y: {int: 0}}}";
  scene.slice({.name = "s",
               .driver = "neuron.aws.com",
               .pool = "n1",
               .where = "nodeName: n1",
               .devices = devices});
  const Look look(scene);
  const auto grids = coordinate_grids(look.snapshot, look.inventory, look.devices);
  REQUIRE(grids.size() == 1);
  const ChipGrid& grid = grids[0];
  CHECK(to_string(grid.shape) == "4x4");
  CHECK(grid.placement == Placement::Exact);
  CHECK(grid.wraps == Axes{true, true, false});
  // topology_x is the row, topology_y the column.
  CHECK(grid.cells[static_cast<std::size_t>(grid.shape.number_of({1, 2, 0}))].chip ==
        "neuron-device-9");
  CHECK(look.names(grid.unplaced) == "twice,nowhere");
  // It may be one of these.
  CHECK(grid.cells.back().state == CellState::ChipNotKnown);
  CHECK(grid.hosts.front().state == HostState::Whole);
}

TEST_CASE(
    "a machine of sixteen is missing those that it does not publish; of another that is not "
    "known") {
  const auto grids_of = [](std::string_view driver, std::string_view type, std::string_view rows) {
    Scene scene;
    scene.node("n1");
    std::string devices;
    for (const char row : rows) {
      for (const char column : {'0', '1', '2', '3'})
        devices += base::format(
            "{}{{name: d{}{}, attributes: {{instanceType: {{string: '{}'}}, topology_x: {{int: "
            "{}}}, "
            "topology_y: {{int: {}}}}}}}",
            devices.empty() ? "" : ", ", row, column, type, row, column);
    }
    scene.slice({.name = "s",
                 .driver = std::string(driver),
                 .pool = "n1",
                 .where = "nodeName: n1",
                 .devices = devices});
    const Look look(scene);
    std::string text;
    for (const ChipGrid& grid : coordinate_grids(look.snapshot, look.inventory, look.devices))
      text +=
          base::format("{} {} {}/{}{}", to_string(grid.shape), name_of(grid.hosts[0].state),
                       grid.hosts[0].published, grid.hosts[0].chips, grid.wraps ? " wraps" : "");
    return text;
  };
  // That machine has twelve, in a ring.
  CHECK(grids_of("neuron.aws.com", "inf2.48xlarge", "012") == "4x3 whole 12/12");
  CHECK(grids_of("neuron.aws.com", "trn2.48xlarge", "012") == "4x4 degraded 12/16 wraps");
  CHECK(grids_of("neuron.aws.com", "trn2.48xlarge", "0123") == "4x4 whole 16/16 wraps");
  CHECK(grids_of("neuron.aws.com", "other.8xlarge", "01") == "4x2 whole 8/8");
  CHECK(grids_of("example.com", "", "0123") == "4x4 whole 16/16");
  CHECK_MESSAGE(grids_of("example.com", "", "13").empty(), "nothing tells what rows 0 and 2 are");
}

TEST_CASE("without coordinates there is no such grid") {
  Scene scene;
  scene.node("n1").slice("n1", {"gpu-0"});
  const Look look(scene);
  CHECK(coordinate_grids(look.snapshot, look.inventory, look.devices).empty());
}

}  // namespace dra::topology::groups_test
