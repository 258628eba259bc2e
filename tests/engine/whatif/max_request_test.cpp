// tests/engine/whatif/max_request_test.cpp: the largest request that still fits on each node.

#include "dra/engine/whatif/max_request.h"

#include <doctest/doctest.h>

#include "dra/api/device_class.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::max_request_test {
namespace {

using support::Scene;

std::string fits(const Scene& scene, std::string_view driver = "gpu.example.com") {
  const snapshot::Snapshot snapshot = scene.build();
  const Inventory inventory(snapshot);
  std::string expression;
  const api::DeviceClass device_class = class_of_driver(driver, expression);
  std::string text;
  for (const auto& [node, fit] :
       max_requests(snapshot, inventory, nodes_of(snapshot), device_class))
    text +=
        base::format("{}{}:{}{}", text.empty() ? "" : " ", node, fit.count, fit.known ? "" : "+?");
  return text;
}

}  // namespace

TEST_CASE("free devices of a node in one request; not those of other nodes, nor what is held") {
  Scene scene;
  scene.node("n1").slice("n1", {"gpu-0", "gpu-1", "gpu-2"});
  scene.node("n2").slice("n2", {"gpu-0", "gpu-1"});
  scene.node("n3");
  scene.held("n1", "gpu-1");
  scene.held("n1", "gpu-2");
  CHECK(fits(scene) == "n1:1 n2:2");
  CHECK(fits(scene, "other.example.com") == "");
  CHECK(fits(scene, "a\"b") == "");
}

TEST_CASE("a claim holds no more than 32 devices") {
  Scene scene;
  std::string devices;
  for (int i = 0; i < 40; ++i)
    devices += base::format("{}{{name: gpu-{}}}", i == 0 ? "" : ", ", i);
  scene.node("n1").slice({.name = "s", .pool = "n1", .where = "nodeName: n1", .devices = devices});
  CHECK(fits(scene) == "n1:32");
}

TEST_CASE("tainted devices and those in incomplete pools do not count") {
  Scene scene;
  scene.node("n1").slice(
      {.name = "s",
       .pool = "n1",
       .where = "nodeName: n1",
       .devices = "{name: gpu-0, taints: [{key: a, effect: NoSchedule}]}, {name: gpu-1}"});
  scene.node("n2").slice(
      {.name = "t", .pool = "n2", .count = 2, .where = "nodeName: n2", .devices = "{name: gpu-0}"});
  CHECK(fits(scene) == "n1:1");
}

TEST_CASE("partitions count as far as their counters go") {
  Scene scene;
  const auto part = [](int number, int amount) {
    return base::format(
        "{{name: p{}, consumesCounters: [{{counterSet: s, counters: {{c: {{value: \"{}\"}}}}}}]}}",
        number, amount);
  };
  scene.node("n1");
  scene.slice({.name = "a",
               .pool = "n1",
               .count = 2,
               .where = "nodeName: n1",
               .more = "sharedCounters: [{name: s, counters: {c: {value: \"4\"}}}]"});
  scene.slice(
      {.name = "b",
       .pool = "n1",
       .count = 2,
       .where = "nodeName: n1",
       .devices = base::format("{}, {}, {}, {}", part(0, 4), part(1, 2), part(2, 1), part(3, 1))});
  CHECK(fits(scene) == "n1:3");
}

TEST_CASE("devices that are withheld take nothing of what they share") {
  Scene scene;
  const auto part = [](int number, int amount) {
    return base::format(
        "{{name: p{}, consumesCounters: [{{counterSet: s, counters: {{c: {{value: \"{}\"}}}}}}]}}",
        number, amount);
  };
  scene.node("n1").node("n2").slice("n2", {"gpu-0"});
  scene.slice({.name = "a",
               .pool = "n1",
               .count = 2,
               .where = "nodeName: n1",
               .more = "sharedCounters: [{name: s, counters: {c: {value: \"2\"}}}]"});
  scene.slice({.name = "b",
               .pool = "n1",
               .count = 2,
               .where = "nodeName: n1",
               .devices = base::format("{}, {}, {}", part(0, 2), part(1, 1), part(2, 1))});
  const snapshot::Snapshot snapshot = scene.build();
  const Inventory inventory(snapshot, {.withheld = {{"gpu.example.com", "n1", "p0"},
                                                    {"gpu.example.com", "n2", "gpu-0"}}});
  std::string expression;
  const auto fits = max_requests(snapshot, inventory, nodes_of(snapshot),
                                 class_of_driver("gpu.example.com", expression));
  REQUIRE(fits.size() == 1);
  CHECK(fits.at("n1").count == 2);
}

TEST_CASE("who holds devices could not be read: nothing is known") {
  Scene scene;
  scene.node("n1").slice("n1", {"gpu-0"});
  scene.cannot_read(api::Kind::Claim);
  CHECK(fits(scene) == "n1:0+?");
}

}  // namespace dra::engine::max_request_test
