// tests/topology/boards_test.cpp: partitions are drawn by what they take, and what could be placed
// is what the allocator could give.

#include "dra/topology/boards.h"

#include <doctest/doctest.h>

#include <random>
#include <string>

#include "dra/api/device_class.h"
#include "dra/base/text.h"
#include "dra/engine/whatif/max_request.h"
#include "tests/support/builders.h"

namespace dra::topology::boards_test {
namespace {

using support::Scene;

// A board of so many slots, "slice-0" and so on, and engines.
std::string counters(int slots, int engines) {
  std::string text = base::format("engines: {{value: \"{}\"}}", engines);
  for (int i = 0; i < slots; ++i)
    text += base::format(", slice-{}: {{value: \"1\"}}", i);
  return base::format("sharedCounters: [{{name: gpu-0-counter-set, counters: {{{}}}}}]", text);
}

// A device that takes slots from `first` on.
std::string partition(std::string_view name, std::string_view profile, int first, int slots,
                      int engines) {
  std::string text = base::format("engines: {{value: \"{}\"}}", engines);
  for (int i = first; i < first + slots; ++i)
    text += base::format(", slice-{}: {{value: \"1\"}}", i);
  const std::string attribute =
      profile.empty() ? std::string() : base::format("profile: {{string: {}}}", profile);
  return base::format(
      "{{name: {}, attributes: {{{}}}, consumesCounters: [{{counterSet: gpu-0-counter-set, "
      "counters: "
      "{{{}}}}}]}}",
      name, attribute, text);
}

// Since 1.35 counters and devices are in slices of their own.
void add_board(Scene& scene, const std::string& counter_text, const std::string& devices) {
  scene.node("n1");
  scene.slice({.name = "counters",
               .pool = "n1",
               .count = 2,
               .where = "nodeName: n1",
               .more = counter_text});
  scene.slice(
      {.name = "devices", .pool = "n1", .count = 2, .where = "nodeName: n1", .devices = devices});
}

std::string text_of(const Board& board, const engine::Inventory& inventory) {
  std::string text = base::format("{} {}:", board.name, board.slot_name);
  for (const Slot& slot : board.slots)
    text += slot.holder
                ? base::format(" {}", inventory.devices()[*slot.holder].published.device->name)
            : !slot.left ? " ?"
            : *slot.left ? " ."
                         : " #";
  for (const Profile& profile : board.profiles) {
    text += base::format("; {} {}/{}", profile.name,
                         profile.placeable_count ? std::to_string(*profile.placeable_count) : "?",
                         profile.total);
    for (const std::int64_t at : profile.placeable)
      text += base::format(" @{}", at);
    if (!profile.short_of.empty())
      text += base::format(" short of {}", base::join(profile.short_of, "+"));
  }
  return text;
}

struct Drawn {
  explicit Drawn(const Scene& scene)
      : snapshot(scene.build()), inventory(snapshot), boards(boards_of(snapshot, inventory)) {}

  snapshot::Snapshot snapshot;
  engine::Inventory inventory;
  std::vector<Board> boards;
};

}  // namespace

TEST_CASE("slots are those of allocated partitions, and profiles say where they could still lie") {
  Scene scene;
  add_board(
      scene, counters(4, 3),
      base::join(
          std::vector<std::string>{partition("whole", "", 0, 4, 3), partition("a0", "1g", 0, 1, 1),
                                   partition("a1", "1g", 1, 1, 1), partition("a2", "1g", 2, 1, 1),
                                   partition("a3", "1g", 3, 1, 1), partition("b0", "2g", 0, 2, 1),
                                   partition("b2", "2g", 2, 2, 2)},
          ", "));
  SUBCASE("nothing is allocated") {
    const Drawn drawn(scene);
    REQUIRE(drawn.boards.size() == 1);
    CHECK(text_of(drawn.boards[0], drawn.inventory) ==
          "gpu-0 slice: . . . .; 1g 4/4 @0 @1 @2 @3; 2g 1/1 @0; 2g 1/1 @2; whole 1/1 @0");
  }
  SUBCASE("one is: it takes its slots along, and engines can be short where slots are left") {
    scene.held("n1", "b0");
    scene.held("n1", "a2");
    const Drawn drawn(scene);
    REQUIRE(drawn.boards.size() == 1);
    CHECK(text_of(drawn.boards[0], drawn.inventory) ==
          "gpu-0 slice: b0 b0 a2 .; 1g 1/4 @3; 2g 0/1; 2g 0/1; whole 0/1");
  }
  SUBCASE("engines are short") {
    scene.held("n1", "a0");
    scene.held("n1", "a1");
    const Drawn drawn(scene);
    REQUIRE(drawn.boards.size() == 1);
    CHECK(text_of(drawn.boards[0], drawn.inventory) ==
          "gpu-0 slice: a0 a1 . .; 1g 2/4 @2 @3; 2g 0/1; 2g 0/1 short of engines; whole 0/1");
  }
}

// Somebody may see the claims of one namespace, or a snapshot may have some.
TEST_CASE("without all claims only what is seen to be taken is known") {
  Scene scene;
  add_board(
      scene, counters(3, 3),
      base::join(
          std::vector<std::string>{partition("a0", "1g", 0, 1, 1), partition("a1", "1g", 1, 1, 1),
                                   partition("b0", "2g", 0, 2, 2), partition("c1", "2g", 1, 2, 3)},
          ", "));
  scene.held("n1", "a0");
  scene.cannot_read(api::Kind::Claim);
  const Drawn drawn(scene);
  REQUIRE(drawn.boards.size() == 1);
  CHECK(text_of(drawn.boards[0], drawn.inventory) ==
        "gpu-0 slice: a0 ? ?; 1g ?/2; 2g 0/1; 2g 0/1 short of engines");
  CHECK(!drawn.boards[0].saw_claims);
}

TEST_CASE("without taint rules it is known what is taken, but not what can be allocated") {
  Scene scene;
  add_board(scene, counters(2, 3), partition("a0", "1g", 0, 1, 1));
  scene.cannot_read(api::Kind::TaintRule);
  const Drawn drawn(scene);
  REQUIRE(drawn.boards.size() == 1);
  CHECK(text_of(drawn.boards[0], drawn.inventory) == "gpu-0 slice: . .; 1g ?/1");
}

TEST_CASE("counters that are no places are amounts only") {
  Scene scene;
  add_board(scene,
            "sharedCounters: [{name: s, counters: {memory: {value: 8Gi}, part-1: {value: "
            "\"1\"}, x-0: {value: \"2\"}, x-1: {value: \"2\"}, y-0: {value: \"1\"}, "
            "y-9223372036854775807: {value: \"1\"}}}]",
            "{name: p, consumesCounters: [{counterSet: s, counters: {memory: {value: 5Gi}}}]}, "
            "{name: q, consumesCounters: [{counterSet: s, counters: {memory: {value: 5Gi}}}]}");
  scene.held("n1", "p");
  const Drawn drawn(scene);
  REQUIRE(drawn.boards.size() == 1);
  CHECK(drawn.boards[0].slots.empty());
  CHECK(text_of(drawn.boards[0], drawn.inventory) == "s :; p 0/2 short of memory");
  REQUIRE(drawn.boards[0].counters.size() == 6);
  CHECK(drawn.boards[0].counters[0].left.to_string() == "3Gi");
}

// Somewhere there is room for a partition exactly if the allocator gives one, and it never gives
// more together than there is room for one by one.
TEST_CASE("what can be placed is what the allocator gives") {
  std::mt19937 random(7);
  const auto below = [&random](int bound) {
    return std::uniform_int_distribution<int>(0, bound - 1)(random);
  };
  for (int round = 0; round < 40; ++round) {
    Scene scene;
    const int slots = 2 + below(6);
    std::vector<std::string> devices;
    for (int i = 0; i < 6; ++i) {
      const int width = 1 + below(slots);
      devices.push_back(partition(base::format("p{}", i), base::format("{}g", width),
                                  below(slots - width + 1), width, below(3)));
    }
    add_board(scene, counters(slots, 4), base::join(devices, ", "));
    if (below(2) == 0) scene.held("n1", base::format("p{}", below(6)));
    const Drawn drawn(scene);
    REQUIRE(drawn.boards.size() == 1);
    std::int64_t placeable = 0;
    for (const Profile& profile : drawn.boards[0].profiles)
      placeable += profile.placeable_count.value();
    std::string text;
    const api::DeviceClass any = engine::class_of_driver("gpu.example.com", text);
    const auto fits = engine::max_requests(drawn.snapshot, drawn.inventory,
                                           engine::nodes_of(drawn.snapshot), any);
    const auto found = fits.find("n1");
    CHECK_MESSAGE((placeable > 0) == (found != fits.end() && found->second.count > 0),
                  text_of(drawn.boards[0], drawn.inventory));
    if (found != fits.end()) CHECK(found->second.count <= placeable);
  }
}

}  // namespace dra::topology::boards_test
