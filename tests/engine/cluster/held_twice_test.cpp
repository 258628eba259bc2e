// tests/engine/cluster/held_twice_test.cpp: devices that are one piece of hardware, and their twins
// that are not.

#include "dra/engine/cluster/held_twice.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::held_twice_test {
namespace {

using support::allocated;
using support::exactly;
using support::Scene;
using support::scene;

// A node with two devices, each held by a claim of its own; fields of the devices as YAML.
std::string pairs_in(std::string_view one, std::string_view other, std::string_view sets = "") {
  Scene words = scene().node("n1").yaml(base::format(
      "{{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {{name: s}}, spec: "
      "{{driver: "
      "gpu.example.com, nodeName: n1, pool: {{name: n1, generation: 1, resourceSliceCount: {}}}, "
      "devices: [{{name: a, {}}}, {{name: b, {}}}]}}}}",
      sets.empty() ? 1 : 2, one, other));
  if (!sets.empty())
    words.yaml(base::format(
        "{{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {{name: t}}, spec: "
        "{{driver: "
        "gpu.example.com, nodeName: n1, pool: {{name: n1, generation: 1, resourceSliceCount: 2}}, "
        "sharedCounters: [{}]}}}}",
        sets));
  words.claim("one", exactly("gpu", 1), allocated("{device: a, pool: n1}"))
      .claim("two", exactly("gpu", 1), allocated("{device: b, pool: n1}"));
  const auto snapshot = words.build();
  const Inventory inventory(snapshot);
  std::vector<std::string> lines;
  for (const HeldTwice& twice : held_twice(inventory))
    lines.push_back(
        base::format("{} {}: {}", twice.one->id.device, twice.other->id.device, twice.why));
  return base::join(lines, "; ");
}

TEST_CASE("by what the devices say of themselves") {
  CHECK(pairs_in("attributes: {uuid: {string: G1}}",
                 "attributes: {parentUUID: {string: G1}, uuid: {string: M1}}") ==
        "a b: b is a part of a");
  CHECK(pairs_in("attributes: {uuid: {string: G1}, type: {string: gpu}}",
                 "attributes: {uuid: {string: G1}, type: {string: vfio}}") ==
        "a b: both have uuid g1");
  CHECK(
      pairs_in(
          "attributes: {type: {string: gpu}, resource.kubernetes.io/pciBusID: {string: '0000:41'}}",
          "attributes: {type: {string: vfio}, resource.kubernetes.io/pciBusID: {string: "
          "'0000:41'}}") == "a b: both have PCI address 0000:41");
}

TEST_CASE("devices that are not the same") {
  CHECK(pairs_in("attributes: {uuid: {string: G1}}", "attributes: {uuid: {string: G2}}").empty());
  CHECK_MESSAGE(pairs_in("attributes: {parentUUID: {string: G1}, uuid: {string: M1}}",
                         "attributes: {parentUUID: {string: G1}, uuid: {string: M2}}")
                    .empty(),
                "two parts of one device");
  CHECK_MESSAGE(
      pairs_in("attributes: {pciBusID: {string: x}}", "attributes: {pciBusID: {string: x}}")
          .empty(),
      "functions of one card");
}

TEST_CASE("counters that are overdrawn") {
  const std::string_view sets = "{name: c, counters: {memory: {value: 40Gi}}}";
  const auto takes = [](const char* amount) {
    return base::format(
        "consumesCounters: [{{counterSet: c, counters: {{memory: {{value: {}}}}}}}]", amount);
  };
  CHECK(pairs_in(takes("20Gi"), takes("20Gi"), sets).empty());
  CHECK(pairs_in(takes("40Gi"), takes("20Gi"), sets) ==
        "a b: counter memory of c has 40Gi, and they take 60Gi");
}

}  // namespace
}  // namespace dra::engine::held_twice_test
