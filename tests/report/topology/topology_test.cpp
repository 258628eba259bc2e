// tests/report/topology/topology_test.cpp: whatever drivers publish, every device is in exactly one
// place.

#include "dra/report/topology/topology.h"

#include <doctest/doctest.h>

#include <map>
#include <random>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::report::topology_test {
namespace {

// Clusters of a few nodes on which drivers publish whatever they like.
class AnyCluster {
 public:
  explicit AnyCluster(unsigned seed) : random_(seed) {}

  support::Scene make() {
    support::Scene scene;
    const int nodes = 1 + below(4);
    for (int i = 0; i < nodes; ++i) {
      node_ = base::format("n{}", i);
      scene.node(node_, labels());
      for (const char* driver : {"tpu.google.com", "gpu.nvidia.com", "neuron.aws.com", "dra.net"}) {
        if (below(2) == 0) add_pool(scene, driver);
      }
    }
    if (below(3) == 0)
      scene.slice({.name = "fabric",
                   .driver = "fabric.example.com",
                   .pool = "f",
                   .devices = "{name: f-0}, {name: f-1}"});
    return scene;
  }

 private:
  int below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }

  std::string labels() {
    std::string text = "cloud.google.com/gke-nodepool: pool";
    if (below(2) == 0) text += ", cloud.google.com/gke-tpu-topology: 2x4";
    if (below(3) == 0) text += ", nvidia.com/gpu.clique: c";
    return text;
  }

  std::string attribute(std::string_view name, int bound) {
    return below(2) == 0 ? base::format("{}: {{int: {}}}, ", name, below(bound)) : std::string();
  }

  std::string device(int number, bool counters) {
    std::string text = base::format("{{name: \"{}\", attributes: {{", number);
    text += attribute("resource.kubernetes.io/numaNode", 2) + attribute("topology_x", 3) +
            attribute("topology_y", 3) + attribute("partition2", 2) + attribute("index", 4);
    text += "}";
    if (counters && below(3) > 0)
      text += base::format(
          ", consumesCounters: [{{counterSet: {}, counters: {{slot-{}: {{value: \"1\"}}}}}}]",
          below(2) == 0 ? "a" : "b", below(2));
    if (below(5) == 0) text += ", taints: [{key: k, effect: NoSchedule}]";
    return text + "}";
  }

  void add_pool(support::Scene& scene, const std::string& driver) {
    const bool counters = below(2) == 0;
    const int slices = counters ? 2 : 1;
    const std::string where = base::format("nodeName: {}", node_);
    std::string devices;
    for (int i = 0; i < 1 + below(6); ++i)
      devices += base::format("{}{}", i == 0 ? "" : ", ", device(i, counters));
    scene.slice({.name = base::format("{}-{}", node_, driver),
                 .driver = driver,
                 .pool = node_,
                 .count = slices,
                 .where = where,
                 .devices = devices});
    if (counters && below(4) > 0)  // else the pool is not complete
      scene.slice({.name = base::format("{}-{}-c", node_, driver),
                   .driver = driver,
                   .pool = node_,
                   .count = slices,
                   .where = where,
                   .more = "sharedCounters: [{name: a, counters: {slot-0: {value: \"1\"}, slot-1: "
                           "{value: \"1\"}}}, {name: b, counters: {slot-0: {value: \"1\"}}}]"});
    if (below(2) == 0)
      scene.yaml(base::format(R"(apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: {}-{}, namespace: default}}
spec: {{devices: {{requests: [{{name: r, exactly: {{deviceClassName: gpu}}}}]}}}}
status: {{allocation: {{devices: {{results: [{{request: r, driver: {}, pool: {}, device: "0"}}]}}}}}}
)",
                              node_, driver, driver, node_));
  }

  std::mt19937 random_;
  std::string node_;
};

// The running text of what is drawn, a line for each paragraph.
std::string text_of(const view::Document& document) {
  std::string text;
  for (const view::Block& block : document.blocks) {
    const auto* paragraph = std::get_if<view::Paragraph>(&block);
    if (paragraph == nullptr) continue;
    for (const view::Span& span : paragraph->spans)
      text += span.text;
    text += '\n';
  }
  return text;
}

// `count` devices, each of which a claim NN has as a whole; the last is for `sharers` claims, too.
support::Scene crowded(int count, int sharers) {
  support::Scene scene;
  scene.node("n1");
  std::string devices;
  for (int i = 0; i < count; ++i)
    devices += base::format("{}{{name: gpu-{:02}, allowMultipleAllocations: {}}}",
                            i == 0 ? "" : ", ", i, i + 1 == count ? "true" : "false");
  scene.slice({.name = "s", .pool = "n1", .where = "nodeName: n1", .devices = devices});
  const auto add = [&](const std::string& name, int device, std::string_view more) {
    scene.claim(
        name, support::exactly("gpu", 1),
        support::allocated(base::format("{{device: gpu-{:02}, pool: n1{}}}", device, more)));
  };
  for (int i = 0; i + 1 < count; ++i)
    add(base::format("c{:02}", i), i, "");
  for (int i = 0; i < sharers; ++i)
    add(base::format("s{:02}", i), count - 1,
        base::format(", shareID: 5a1e7c20-0003-4000-8000-0000000000{:02}", i));
  return scene;
}

using Count = std::map<std::string, int>;

// Whatever has an `id` in this part of a report.
void count_ids(const json::Value* devices, Count& count) {
  if (devices == nullptr) return;
  for (const json::Value& device : devices->items()) {
    if (const json::Value* id = device.find("id")) ++count[std::string(id->text())];
  }
}

Count places_in(const json::Value& report) {
  Count count;
  for (const json::Value& grid : report.find("grids")->items()) {
    count_ids(grid.find("cells"), count);
    count_ids(grid.find("unplaced"), count);
  }
  for (const json::Value& board : report.find("boards")->items())
    count_ids(board.find("devices"), count);
  for (const json::Value& group : report.find("groups")->items()) {
    for (const json::Value& row : group.find("rows")->items())
      count_ids(row.find("devices"), count);
  }
  for (const json::Value& row : report.find("rows")->items())
    count_ids(row.find("devices"), count);
  return count;
}

std::vector<std::string> row_titles(const view::Document& document) {
  std::vector<std::string> titles;
  for (const view::Block& block : document.blocks) {
    if (const auto* row = std::get_if<view::Row>(&block)) titles.push_back(row->title);
  }
  return titles;
}

}  // namespace

TEST_CASE("every device is in exactly one place") {
  for (unsigned seed = 0; seed < 150; ++seed) {
    const support::Scene made = AnyCluster(seed).make();
    const snapshot::Snapshot snapshot = made.build();
    const engine::Inventory inventory(snapshot);
    const Scene scene{snapshot, inventory};
    Count want;
    for (const engine::InventoryDevice& device : inventory.devices())
      want[engine::to_string(device.published.id())] = 1;
    CAPTURE(seed);
    CHECK(places_in(to_json(topology_of(scene, std::nullopt), scene)) == want);
    CHECK(places_in(to_json(grouped(scene, std::nullopt, topology::levels_named("numaNode,pool")),
                            scene)) == want);
    // What is chosen is a part of it: one of its nodes, and the others of a grid.
    const Count chosen =
        places_in(to_json(topology_of(scene, TopologyChoice{.nodes = {"n0"}}), scene));
    for (const auto& [id, count] : chosen)
      CHECK_MESSAGE((count == 1 && want.contains(id)), id);
    for (const auto& [id, count] : want) {
      if (id.find("/n0/") != std::string::npos) CHECK_MESSAGE(chosen.contains(id), id);
    }
  }
}

TEST_CASE("letters are for places first, and who was asked for is always in the legend") {
  const support::Scene made = crowded(41, 20);
  const snapshot::Snapshot snapshot = made.build();
  const engine::Inventory inventory(snapshot);
  const Scene scene{snapshot, inventory};
  const auto legend_for = [&](std::string_view claim, bool wide) {
    const TopologyChoice choice{.nodes = {"n1"},
                                .claims = {snapshot.find<api::ResourceClaim>("default", claim)}};
    return text_of(to_view(topology_of(scene, choice), scene, {.wide = wide}));
  };
  const std::string few = legend_for("c38", false);
  CHECK_MESSAGE(few.find("*  default/c38  not reserved") != std::string::npos, few);
  CHECK_MESSAGE(few.find("h  default/c07") != std::string::npos, few);
  CHECK_MESSAGE(few.find("default/c08") == std::string::npos, few);
  CHECK_MESSAGE(few.find("and 51 more claims") != std::string::npos, few);
  // Of 60 claims 34 have letters, none of them one that is only beside another.
  CHECK_MESSAGE(legend_for("c38", true).find("9  default/c33") != std::string::npos, few);
  CHECK_MESSAGE(legend_for("s19", false).find("*  default/s19") != std::string::npos, few);
  CHECK_MESSAGE(
      few.find("default/s06 default/s07 +12  hold device gpu-40 of gpu.example.com/n1 together") !=
          std::string::npos,
      few);
}

TEST_CASE("devices of one pool may be of several nodes") {
  support::Scene made;
  made.node("n1").node("n2").slice(
      {.name = "s",
       .where = "perDeviceNodeSelection: true",
       .devices = "{name: a, nodeName: n1}, {name: b, nodeName: n2}, {name: c, allNodes: true}"});
  const snapshot::Snapshot snapshot = made.build();
  const engine::Inventory inventory(snapshot);
  const Scene scene{snapshot, inventory};
  const auto titles_for = [&](const std::optional<TopologyChoice>& choice) {
    std::string titles;
    for (const TopologyRow& row : topology_of(scene, choice).rows) {
      for (const std::size_t device : row.devices)
        titles += inventory.devices()[device].published.device->name;
    }
    for (const std::string& title : row_titles(to_view(topology_of(scene, choice), scene, {})))
      titles += " " + title;
    return titles;
  };
  CHECK(titles_for(std::nullopt) == "abc pool (<all>, n1, n2) ");
  CHECK(titles_for(TopologyChoice{.nodes = {"n2"}}) == "b pool (n2) ");
  CHECK(titles_for(TopologyChoice{.nodes = {"n3"}}).empty());
}

TEST_CASE("a row says what is wrong with its node") {
  support::Scene made;
  made.yaml(
      "{apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {unschedulable: true}, status: "
      "{conditions: [{type: Ready, status: 'False'}]}}");
  made.slice("n1", {"gpu-0"}).node("n2").slice("n2", {"gpu-0"});
  const snapshot::Snapshot snapshot = made.build();
  const engine::Inventory inventory(snapshot);
  const Scene scene{snapshot, inventory};
  CHECK(row_titles(to_view(topology_of(scene, std::nullopt), scene, {})) ==
        std::vector<std::string>{"n1 (node not ready and cordoned) ", "n2 "});
}

}  // namespace dra::report::topology_test
