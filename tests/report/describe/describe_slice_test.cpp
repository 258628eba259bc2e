// tests/report/describe/describe_slice_test.cpp: what is said of slices and pools.

#include "tests/report/describe/describe_text.h"

namespace dra::report::describe_slice_test {
namespace {

using api::Kind;
using support::allocated;
using support::exactly;
using support::scene;
using support::Scene;

// The newest generation has one slice of two; one of the older generation is left.
Scene unfinished() {
  return scene()
      .slice({.name = "old", .generation = 1, .devices = "{name: gpu-9}"})
      .slice({.name = "new", .generation = 2, .count = 2, .devices = "{name: gpu-0}"});
}

Scene tainted() {
  return scene().slice({.name = "s",
                        .devices = "{name: gpu-0, taints: [{key: hot, effect: NoSchedule}]}, "
                                   "{name: gpu-1, taints: [{key: warm, effect: None}]}"});
}

Scene with_claim(Scene scene, const char* result) {
  scene.claim("c1", exactly("gpu", 1), allocated(result));
  return scene;
}

std::string slice_text(const Scene& words, std::string_view name) {
  return text_about<api::ResourceSlice>(words, name, describe_slice);
}

TEST_CASE("slices") {
  check_all(
      {
          {"an older generation does not count, and its devices are named", unfinished(), "old",
           "of generation 1, and its pool is at generation 2, published by slice new", "STATE"},
          {"a device that only a stale slice has may still be held",
           with_claim(unfinished(), "{device: gpu-9, pool: pool}"), "old",
           "Device gpu-9 is allocated to claim default/c1, but no current slice"},
          {"what follows from a slice that is missing", unfinished(), "new",
           "is incomplete: 1 of 2 slices of generation 2 is there; its devices are not allocated"},
          {"slices that are too many are no fewer",
           scene()
               .slice({.name = "s1", .count = 1, .devices = "{name: a}"})
               .slice({.name = "s2", .count = 1, .devices = "{name: b}"}),
           "s1", "2 slices of generation 1 are there, though each says 1"},
          {"an invalid pool says why",
           scene().slice({.name = "s", .devices = "{name: twice}, {name: twice}"}), "s",
           "is invalid: duplicate device name twice"},
          {"a feature that is off makes a slice unknown to the scheduler",
           scene().server("v1.34.0").slice({.name = "s",
                                            .where = "perDeviceNodeSelection: true",
                                            .devices = "{name: a, allNodes: true}"}),
           "s", "The scheduler of v1.34.0 ignores it"},
          {"a node that does not exist", scene().node("n2").slice("n1", {"gpu-0"}), "n1-slice",
           "Node n1 does not exist, though 1 device is published for it"},
          {"without any Node nothing is reported about nodes", scene().slice("n1", {"gpu-0"}),
           "n1-slice", "nodes n1", "does not exist"},
          {"tainted devices stand first, and those that only inform do not count", tainted(), "s",
           "1 of 2 devices of gpu.example.com has a taint: hot:NoSchedule"},
          {"what a taint does, and who put it there", tainted(), "s",
           "warm:None | gpu-1 | driver | <unknown> | informs only"},
          {"before taints were there they are ignored", tainted().server("v1.32.0"), "s",
           "hot:NoSchedule | gpu-0 | driver | <unknown> | ignored here"},
          {"claims that cannot be read leave nothing free",
           scene().cannot_read(Kind::Claim).slice("n1", {"gpu-0"}), "n1-slice",
           "devices 1, unknown", "free,"},
          {"rules that cannot be read leave nothing free",
           scene().cannot_read(Kind::TaintRule).slice("n1", {"gpu-0"}), "n1-slice",
           "taints that rules add are not known"},
          {"a slice without anything", scene().slice({.name = "s"}), "s", "current, 0 devices",
           "Devices"},
      },
      slice_text);
}

TEST_CASE("pools") {
  check_all(
      {
          {"slices of an older generation are counted and listed", unfinished(), "pool",
           "1 slice of an older generation is still there and is ignored"},
          {"each slice with its generation", unfinished(), "pool",
           "old | 1 | stale | 1 | 0 | <unknown>"},
          {"the nodes that a selector means",
           scene()
               .node("n1", "rack: r1")
               .node("n2")
               .slice({.name = "s",
                       .where = "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: "
                                "rack, operator: In, values: [r1]}]}]}",
                       .devices = "{name: a}"}),
           "pool", "seen by 1 node: n1"},
          {"nodes that cannot be read are not counted as none",
           scene().cannot_read(Kind::Node).slice({.name = "s", .devices = "{name: a}"}), "pool",
           "nodes all nodes", "seen by"},
          {"a selector that cannot be read says so",
           scene().node("n1").slice({.name = "s",
                                     .where =
                                         "nodeSelector: {nodeSelectorTerms: "
                                         "[{matchExpressions: [{key: rack, operator: Near}]}]}",
                                     .devices = "{name: a}"}),
           "pool", "seen by unknown: "},
          {"several devices of one claim that are gone are one problem",
           scene()
               .slice("n1", {"gpu-9"})
               .claim("c1", exactly("gpu", 2),
                      allocated("{device: gpu-0, pool: n1}, {device: gpu-1, pool: n1}, {device: "
                                "gpu-2, pool: n1}")),
           "n1", "Devices gpu-0…2 are allocated to claim default/c1, but no current slice"},
      },
      text_about_pool);
}

Scene three_kinds() {
  const auto device = [](const std::string& name, const std::string& size, int serial) {
    return "{name: " + name + ", attributes: {size: {string: " + size +
           "}, serial: {int: " + std::to_string(serial) +
           "}, brand: {string: B}}, capacity: {size: {value: 1Gi}}}";
  };
  return scene().slice({.name = "s",
                        .devices = device("gpu-0", "small", 1) + "," + device("gpu-1", "small", 2) +
                                   "," + device("gpu-2", "small", 3) + "," +
                                   device("gpu-3", "large", 4)});
}

TEST_CASE("equal devices share a row, by the attribute that tells kinds apart") {
  const std::string text = slice_text(three_kinds(), "s");
  CHECK(text.find("DEVICE | size | STATE") != std::string::npos);
  CHECK(text.find("gpu-0…2 | small | free") != std::string::npos);
  CHECK(text.find("gpu-3 | large | free") != std::string::npos);
  CHECK(text.find("each has size=1Gi, brand=B") != std::string::npos);
  CHECK(text.find("differ in serial") != std::string::npos);
}

TEST_CASE("a holder with admin access stands behind one that takes the device") {
  const std::string text = slice_text(scene()
                                          .slice("n1", {"gpu-0"})
                                          .claim("a-admin", exactly("gpu", 1),
                                                 allocated("{device: gpu-0, pool: n1, adminAccess: "
                                                           "true}"))
                                          .held("n1", "gpu-0"),
                                      "n1-slice");
  CHECK(text.find("gpu-0 | in use | default/n1-gpu-0 and 1 more | user") != std::string::npos);
}

TEST_CASE("a long table ends with how many rows are left") {
  Scene many = scene();
  std::string devices;
  for (int i = 0; i < 30; ++i)
    devices += (i == 0 ? "" : ", ") + std::string("{name: d") + std::to_string(i * 2) + "}";
  many.slice({.name = "s", .devices = devices});
  for (int i = 0; i < 30; ++i) {
    many.claim("c" + std::to_string(i), exactly("gpu", 1),
               allocated("{device: d" + std::to_string(i * 2) + ", pool: pool}"));
  }
  CHECK(slice_text(many, "s").find("and 6 more") != std::string::npos);
}

}  // namespace
}  // namespace dra::report::describe_slice_test
