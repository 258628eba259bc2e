// tests/answers/problems/doctor_test.cpp

#include "dra/answers/problems/doctor.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/engine/cluster/pods.h"
#include "tests/support/builders.h"
#include "tests/support/changes.h"

namespace dra::answers::doctor_test {
namespace {

using support::exactly;
using support::scene;
using Words = support::Scene;

Doctor examined(const Words& words, std::string_view ns = {}) {
  const auto snapshot = words.build();
  const engine::Inventory inventory(snapshot);
  return examine({snapshot, inventory}, ns);
}

std::string looked_at(const Doctor& doctor) {
  std::vector<std::string> parts;
  for (const Doctor::Looked& looked : doctor.looked_at)
    parts.push_back(base::plural(looked.count, looked.one, looked.many));
  return base::join(parts, ", ");
}

TEST_CASE("objects of kinds that could be read are counted") {
  const Words words = scene().node("n1").slice("n1", {"d", "e"}).claim("c", exactly("gpu", 1));
  CHECK(looked_at(examined(words)) ==
        "1 pool, 2 devices, 1 class, 1 claim, 0 taint rules, 1 node, 0 pods");
  // Only what has a namespace is counted by it.
  CHECK(looked_at(examined(words, "other")) ==
        "1 pool, 2 devices, 1 class, 0 claims, 0 taint rules, 1 node, 0 pods");
  CHECK(looked_at(examined(scene()
                               .cannot_read(api::Kind::Slice)
                               .cannot_read(api::Kind::Claim)
                               .cannot_read(api::Kind::Node))) == "1 class, 0 taint rules, 0 pods");
}

std::string advice_in(const Explanation& explanation) {
  std::string text;
  for (const engine::Advice& advice : explanation.help->advice.advice)
    text += support::words(advice) + "\n";
  return text;
}

TEST_CASE("what is tried for the pods of every scene is what explain tries") {
  std::size_t compared = 0;
  std::vector<std::string> paths = support::fixtures();
  for (const char* name : {"workloads", "pod-groups", "extended-resources", "fragmented",
                           "preemption", "plan", "volumes"})
    paths.push_back(base::format("tests/golden/scenes/{}.yaml", name));
  for (const std::string& path : paths) {
    const snapshot::Snapshot snapshot = support::load(path);
    const engine::Inventory inventory(snapshot);
    const engine::NodeLoads loads(snapshot);
    for (const api::Pod* pod : engine::waiting_pods(snapshot)) {
      CAPTURE(path);
      CAPTURE(pod->meta.name);
      Explanation brief = explain_pod(snapshot, inventory, loads, *pod);
      add_advice(snapshot, inventory, loads, brief);
      const Explanation full = explain_pod(snapshot, *pod);
      CHECK(brief.outlook.has_value() == full.outlook.has_value());
      CHECK(brief.holders.size() == full.holders.size());
      REQUIRE(brief.help.has_value() == full.help.has_value());
      if (!full.help || full.help->advice.advice.empty()) continue;
      CHECK(advice_in(brief) == advice_in(full));
      ++compared;
    }
  }
  CHECK(compared > 10);
}

TEST_CASE("a hint is no finding") {
  const Doctor hints =
      examined(scene()
                   .device_class("gpu-class", "device.driver == 'gpu.example.com'")
                   .slice({.name = "new", .generation = 2, .devices = "{name: d}"})
                   .slice({.name = "old", .generation = 1, .devices = "{name: d}"}));
  CHECK(counts_of(hints.problems) == "1 hint");
  CHECK_FALSE(hints.found());
  CHECK(examined(scene().slice({.name = "s", .count = 2, .devices = "{name: d}"})).found());
}

TEST_CASE("slices without devices are not slices that could not be read") {
  CHECK(examined(scene()).has_no_devices());
  CHECK_FALSE(examined(scene().slice("n1", {"d"})).has_no_devices());
  CHECK_FALSE(examined(scene().cannot_read(api::Kind::Slice)).has_no_devices());
}

}  // namespace
}  // namespace dra::answers::doctor_test
