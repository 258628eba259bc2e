// tests/topology/tiles_test.cpp: parts of slices that are free, against trying every place of what
// was put there by hand: the place of a chip is computed here anew.

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "tests/topology/tpu_scene.h"

namespace dra::topology::tiles_test {
namespace {

using support::Scene;

enum class Chip { Free, Held, Tainted, Missing };

// What is on one host; by the numbers of its chips.
struct HostChips {
  std::vector<Chip> chips;
  bool cordoned = false;

  bool free() const {
    return !cordoned && std::ranges::all_of(chips, [](Chip chip) { return chip == Chip::Free; });
  }
};

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}

  bool one_in(int many) { return engine_() % static_cast<unsigned>(many) == 0; }
  std::size_t below(std::size_t end) { return engine_() % end; }
  std::vector<std::size_t> order_of(std::size_t many) {
    std::vector<std::size_t> order(many);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::shuffle(order, engine_);
    return order;
  }

 private:
  std::mt19937 engine_;
};

void add_host(Scene& scene, const std::string& node, const std::string& labels,
              const HostChips& state) {
  Host host{.name = node, .labels = labels, .chips = {}, .cordoned = state.cordoned};
  for (std::size_t i = 0; i < state.chips.size(); ++i) {
    if (state.chips[i] != Chip::Missing) host.chips.push_back(std::to_string(i));
    if (state.chips[i] == Chip::Tainted) host.tainted.insert(std::to_string(i));
  }
  add(scene, host);
}

// Of a pod with that number of the job `j`.
void add_pod(Scene& scene, const std::string& node, std::size_t number) {
  const std::string place = node.empty() ? "" : base::format("nodeName: {}", node);
  scene.yaml(base::format(
      "apiVersion: v1\nkind: Pod\nmetadata: {{name: w{0}, namespace: default, uid: w{0}, labels: "
      "{{job-name: j, batch.kubernetes.io/job-completion-index: \"{0}\"}}}}\nspec: {{{1}}}\n",
      number, place));
}

void add_claim(Scene& scene, const std::string& node, std::size_t number, const HostChips& state) {
  std::vector<std::string> results;
  for (std::size_t i = 0; i < state.chips.size(); ++i) {
    if (state.chips[i] == Chip::Held)
      results.push_back(base::format(
          "{{request: r, driver: tpu.google.com, pool: {}, device: \"{}\"}}", node, i));
  }
  if (results.empty()) return;
  scene.yaml(base::format(R"(apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: c{0}, namespace: default}}
spec: {{devices: {{requests: [{{name: r, exactly: {{deviceClassName: tpu, count: {1}}}}}]}}}}
status:
  allocation: {{devices: {{results: [{2}]}}}}
  reservedFor: [{{resource: pods, name: w{0}, uid: w{0}}}]
)",
                          number, results.size(), base::join(results, ", ")));
}

// So many parts of that shape, aligned, with nothing in them that does not suit.
template <class F>
std::int64_t tried(const Shape& slice, const Shape& part, F suits) {
  std::int64_t found = 0;
  for (std::int64_t x = 0; x + part.x <= slice.x; x += part.x) {
    for (std::int64_t y = 0; y + part.y <= slice.y; y += part.y) {
      for (std::int64_t z = 0; z + part.z <= slice.z; z += part.z) {
        bool all = true;
        for (std::int64_t i = 0; i < part.size(); ++i)
          all = all &&
                suits(Coord{x + i % part.x, y + i / part.x % part.y, z + i / (part.x * part.y)});
        found += all ? 1 : 0;
      }
    }
  }
  return found;
}

// A slice of hosts, each at a place of its own.
struct Slice {
  Shape shape;
  Shape host;
  std::vector<HostChips> hosts;  // by worker

  Coord host_at(const Coord& chip) const {
    return {chip.x / host.x, chip.y / host.y, chip.z / host.z};
  }
  const HostChips& host_of(const Coord& chip) const {
    const Coord at = host_at(chip);
    const std::int64_t columns = shape.x / host.x;
    const std::int64_t rows = shape.y / host.y;
    return hosts[static_cast<std::size_t>(at.x + columns * (at.y + rows * at.z))];
  }
  Chip at(const Coord& chip) const {
    const std::int64_t x = chip.x % host.x;
    const std::int64_t y = chip.y % host.y;
    return host_of(chip).chips[static_cast<std::size_t>(x + host.x * y)];
  }
  std::int64_t free_by_geometry(const Shape& part) const {
    return tried(shape, part, [this](const Coord& chip) { return at(chip) == Chip::Free; });
  }
  std::int64_t placeable(const Shape& part) const {
    return tried(shape, part, [this](const Coord& chip) { return host_of(chip).free(); });
  }
};

HostChips some_host(Random& random, std::size_t chips) {
  HostChips host{.chips = std::vector<Chip>(chips, Chip::Free), .cordoned = random.one_in(8)};
  if (random.one_in(3)) return host;
  const int many = random.one_in(2) ? 2 : 6;
  for (Chip& chip : host.chips) {
    if (random.one_in(many)) chip = static_cast<Chip>(1 + random.below(3));
  }
  // A host that publishes nothing is another matter.
  if (std::ranges::all_of(host.chips, [](Chip chip) { return chip == Chip::Missing; }))
    host.chips.front() = Chip::Free;
  return host;
}

void check_part(const Slice& slice, const Tiles& tiles, bool geometry) {
  CAPTURE(to_string(tiles.shape));
  const bool whole_hosts = divided(tiles.shape, slice.host).has_value();
  CHECK(tiles.total == tried(slice.shape, tiles.shape, [](const Coord&) { return true; }));
  CHECK(tiles.by_geometry.has_value() == geometry);
  CHECK(tiles.placeable.has_value() == (geometry && whole_hosts));
  if (tiles.by_geometry) CHECK(*tiles.by_geometry == slice.free_by_geometry(tiles.shape));
  if (tiles.placeable) CHECK(*tiles.placeable == slice.placeable(tiles.shape));
}

TEST_CASE("free parts of one host are those that trying every place finds") {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    Slice slice{.shape = {2, 4, 1, 2}, .host = {2, 4, 1, 2}, .hosts = {some_host(random, 8)}};
    Scene scene;
    add_host(scene, "n0", labels("p", "2x4", 8), slice.hosts[0]);
    add_claim(scene, "n0", 0, slice.hosts[0]);
    const Drawn drawn(scene);
    REQUIRE(drawn.grids.size() == 1);
    REQUIRE(drawn.grids.front().tiles.size() == 3);
    for (const Tiles& tiles : drawn.grids.front().tiles)
      check_part(slice, tiles, true);
  }
}

// A host of which a pod has something is numbered by the pod; one may be left for the last pod,
// which still waits.
TEST_CASE("free parts of numbered hosts are those that trying every place finds") {
  Random random(2);
  for (int round = 0; round < 300; ++round) {
    const char* topology = std::vector{"4x4", "4x8", "2x2x4", "2x4x4"}[random.below(4)];
    Slice slice{.shape = *parse_shape(topology), .host = {2, 2, 1}, .hosts = {}};
    const auto many = static_cast<std::size_t>(slice.shape.size() / 4);
    const std::vector<std::size_t> order = random.order_of(many);
    const std::size_t last = random.below(many * 2);
    Scene scene;
    for (std::size_t worker = 0; worker < many; ++worker) {
      HostChips host = some_host(random, 4);
      const bool has_pod = worker != last;
      for (Chip& chip : host.chips)
        chip = !has_pod && chip == Chip::Held ? Chip::Free : chip;
      if (has_pod && std::ranges::find(host.chips, Chip::Held) == host.chips.end())
        host.chips[random.below(4)] = Chip::Held;
      const std::string node = base::format("n{}", order[worker]);
      add_host(scene, node, labels("p", topology, 4), host);
      add_pod(scene, has_pod ? node : "", worker);
      add_claim(scene, node, worker, host);
      slice.hosts.push_back(std::move(host));
    }
    const Drawn drawn(scene);
    check_all_are_there(drawn);
    REQUIRE(drawn.grids.size() == 1);
    REQUIRE(drawn.grids.front().placement == Placement::FromWorkers);
    for (const Tiles& tiles : drawn.grids.front().tiles)
      check_part(slice, tiles, true);
  }
}

// Nobody numbers hosts: what lies beside what is not known, unless labels tell which hosts form a
// part.
TEST_CASE("free parts by labels are those whose hosts are free") {
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    const bool labelled = !random.one_in(4);
    Slice slice{.shape = {4, 8, 1, 2}, .host = {2, 2, 1}, .hosts = {}};
    const std::vector<std::size_t> order = random.order_of(8);
    Scene scene;
    for (std::size_t worker = 0; worker < 8; ++worker) {
      HostChips host = some_host(random, 4);
      const std::string node = base::format("n{}", order[worker]);
      // 2x4 are two hosts below each other, 4x4 four of them.
      const std::string parts = base::format(
          ", cloud.google.com/gke-tpu-slice-2x4-id: a{}{}"
          ", cloud.google.com/gke-tpu-slice-4x4-id: b{}",
          worker % 2, worker / 4, worker / 4);
      add_host(scene, node, labels("p", "4x8", 4, labelled ? parts : ""), host);
      add_claim(scene, node, worker, host);
      slice.hosts.push_back(std::move(host));
    }
    const Drawn drawn(scene);
    check_all_are_there(drawn);
    const ChipGrid& grid = drawn.grids.front();
    REQUIRE(grid.placement == Placement::Assumed);
    for (const Tiles& tiles : grid.tiles) {
      const bool anywhere = tiles.shape.size() <= 4 || tiles.shape == slice.shape;
      CAPTURE(to_string(tiles.shape));
      if (anywhere) {
        check_part(slice, tiles, true);
      } else if (labelled) {
        CHECK(tiles.placeable == slice.placeable(tiles.shape));
      } else {
        check_part(slice, tiles, false);
      }
    }
  }
}

// v4 to v6e: the largest part that the driver could hand out of what is free.
TEST_CASE("fragmentation is what the largest free part leaves") {
  Random random(4);
  for (int round = 0; round < 200; ++round) {
    Scene scene;
    std::int64_t free = 0;
    std::int64_t largest = 0;
    std::vector<bool> is_free(8);
    const std::vector<std::size_t> order = random.order_of(8);
    for (std::size_t worker = 0; worker < 8; ++worker) {
      HostChips host{.chips = std::vector<Chip>(4, random.one_in(2) ? Chip::Free : Chip::Held)};
      const std::string node = base::format("n{}", order[worker]);
      add_host(scene, node,
               labels("p", "4x8", 4,
                      base::format(", cloud.google.com/gke-tpu-slice-2x4-id: a{}"
                                   ", cloud.google.com/gke-tpu-slice-4x4-id: b{}",
                                   worker / 2, worker / 4)),
               host);
      add_claim(scene, node, worker, host);
      is_free[worker] = host.free();
      free += host.free() ? 4 : 0;
    }
    for (const std::size_t hosts : {1U, 2U, 4U, 8U}) {
      for (std::size_t first = 0; first < 8; first += hosts) {
        const auto begin = is_free.begin() + static_cast<std::ptrdiff_t>(first);
        const bool all = std::all_of(begin, begin + static_cast<std::ptrdiff_t>(hosts),
                                     [](bool one) { return one; });
        if (all) largest = static_cast<std::int64_t>(hosts * 4);
      }
    }
    const auto found = Drawn(scene).grids.front().fragmentation;
    REQUIRE(found.has_value() == (free > 0));
    if (!found) continue;
    CHECK(found->free == free);
    CHECK(found->largest == largest);
  }
}

}  // namespace
}  // namespace dra::topology::tiles_test
