// tests/topology/accelerators_test.cpp

#include "dra/topology/accelerators.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::topology::accelerators_test {
namespace {

using support::allocated;
using support::exactly;
using support::Scene;

// A device that takes these slots of a set.
std::string partition_of(std::string_view name, std::string_view set, std::string_view slots,
                         std::string_view more = "") {
  std::string counters;
  for (const std::string_view slot : base::split(slots, ' '))
    counters += base::format("{}slot-{}: {{value: \"1\"}}", counters.empty() ? "" : ", ", slot);
  return base::format("{{name: {}, consumesCounters: [{{counterSet: {}, counters: {{{}}}}}]{}}}",
                      name, set, counters, more);
}

std::string halves(std::string_view gpu) {
  return base::join(std::vector<std::string>{partition_of(base::format("{}-0", gpu), gpu, "0"),
                                             partition_of(base::format("{}-1", gpu), gpu, "1"),
                                             partition_of(gpu, gpu, "0 1")},
                    ", ");
}

// Two accelerators of two slots, and whatever holds some of them.
Scene two(std::string_view held, std::string_view devices = {}) {
  const std::string counters = R"(counters: {slot-0: {value: "1"}, slot-1: {value: "1"}})";
  Scene scene;
  scene
      .slice({.name = "counters",
              .count = 2,
              .more = base::format("sharedCounters: [{{name: a, {}}}, {{name: b, {}}}]", counters,
                                   counters)})
      .slice(
          {.name = "devices",
           .count = 2,
           .devices = devices.empty() ? halves("a") + ", " + halves("b") : std::string(devices)});
  int number = 0;
  for (const std::string_view device : base::split(held, ' ')) {
    if (!device.empty())
      scene.claim(base::format("c{}", number++), exactly("gpu", 1),
                  allocated(base::format("{{device: {}, pool: pool}}", device)));
  }
  return scene;
}

// "shared 1/2, free 0/2"
std::string text_of(const Scene& scene) {
  const auto snapshot = scene.build();
  const engine::Inventory inventory(snapshot);
  std::vector<std::string> parts;
  for (const Accelerator& one : accelerators_of(inventory).all) {
    const std::string slots =
        one.slots > 0 ? base::format(" {}/{}", one.slots_used, one.slots) : std::string();
    parts.push_back(base::format("{}{}", words_of(one.state), slots));
  }
  return base::join(parts, ", ");
}

TEST_CASE("partitions of one accelerator are one") {
  CHECK(text_of(two("")) == "free 0/2, free 0/2");
  CHECK(text_of(two("a-0")) == "shared 1/2, free 0/2");
  CHECK(text_of(two("a-0 a-1")) == "in use 2/2, free 0/2");
  CHECK(text_of(two("a b-1")) == "in use 2/2, shared 1/2");
}

TEST_CASE("a device without shared counters is one of its own") {
  Scene scene;
  scene.slice("n1", {"d0", "d1"}).held("n1", "d0");
  CHECK(text_of(scene) == "in use, free");
}

TEST_CASE("states that keep claims away") {
  const char* taint = ", taints: [{key: k, effect: NoSchedule}]";
  CHECK(text_of(two("", partition_of("a", "a", "0", taint))) == "tainted 0/2");
  CHECK(text_of(two("", partition_of("a", "a", "0", taint) + ", " + partition_of("b", "a", "1"))) ==
        "free 0/2");
  Scene incomplete;
  incomplete.slice({.name = "s", .count = 2, .devices = "{name: d}"});
  CHECK(text_of(incomplete) == "unusable");
}

TEST_CASE("a partition of several accelerators is a part of each") {
  const std::string both =
      "{name: pair, consumesCounters: [{counterSet: a, counters: {slot-0: {value: \"1\"}, "
      "slot-1: {value: \"1\"}}}, {counterSet: b, counters: {slot-0: {value: \"1\"}, slot-1: "
      "{value: \"1\"}}}]}";
  const std::string devices = halves("a") + ", " + halves("b") + ", " + both;
  CHECK(text_of(two("pair", devices)) == "in use 2/2, in use 2/2");
  CHECK(text_of(two("a-0", devices)) == "shared 1/2, free 0/2");
}

}  // namespace
}  // namespace dra::topology::accelerators_test
