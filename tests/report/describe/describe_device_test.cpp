// tests/report/describe/describe_device_test.cpp: what is said of one device.

#include "tests/report/describe/describe_text.h"

namespace dra::report::describe_device_test {
namespace {

using api::Kind;
using support::allocated;
using support::exactly;
using support::scene;
using support::Scene;

constexpr const char* kShared =
    "{name: d, allowMultipleAllocations: true, capacity: {memory: {value: 10Gi, requestPolicy: "
    "{default: 1Gi, validRange: {min: 1Gi, max: 8Gi, step: 1Gi}}}, cores: {value: '4', "
    "requestPolicy: {validValues: ['1', '2']}}}}";

Scene device(std::string_view text) {
  return scene().slice({.name = "s", .devices = std::string(text)});
}
Scene with_claim(Scene scene, std::string_view name, std::string_view result,
                 std::string_view more = "") {
  scene.claim(name, exactly("gpu", 1),
              allocated("{device: d, pool: pool" + std::string(result) + "}") + std::string(more));
  return scene;
}
Scene partitions() {
  return with_claim(
      scene()
          .slice({.name = "c",
                  .count = 2,
                  .more = "sharedCounters: [{name: one, counters: {m0: "
                          "{value: '1'}, m1: {value: '1'}}}]"})
          .slice({.name = "s",
                  .count = 2,
                  .devices = "{name: d, consumesCounters: [{counterSet: one, counters: {m0: "
                             "{value: '1'}, m1: {value: '1'}}}]}, {name: e, consumesCounters: "
                             "[{counterSet: one, counters: {m1: {value: '1'}}}]}"}),
      "c1", "");
}

TEST_CASE("how a device stands") {
  check_all(
      {
          {"free", device("{name: d}"), "d", "Device gpu.example.com/pool/d: free."},
          {"held", with_claim(device("{name: d}"), "c1", ""), "d", "d: in use by claim default/c1"},
          {"in part", with_claim(device(kShared), "c1", ", shareID: a"), "d",
           "d: shared by 1 claim, with room for more"},
          {"by a claim and no pod", with_claim(device("{name: d}"), "c1", ""), "d",
           "Claim default/c1 holds it, and no pod uses that claim"},
          {"by two claims at once", with_claim(with_claim(device("{name: d}"), "c1", ""), "c2", ""),
           "d", "2 allocations hold the whole of it at once"},
          {"admin access leaves it free",
           with_claim(device("{name: d}"), "c1", ", adminAccess: true"), "d",
           "default/c1 | gpu | <none> | <unknown> | nothing: admin access", "no pod uses"},
          {"tainted by a rule",
           device("{name: d}").taint_rule("r1", "deviceSelector: {}", "key: k, effect: NoExecute"),
           "d", "Taint k:NoExecute (rule r1)"},
          {"in a pool that is not complete",
           scene().slice({.name = "s", .count = 2, .devices = "{name: d}"}), "d",
           "d: unusable, as its pool is incomplete"},
          {"claims that cannot be read", device("{name: d}").cannot_read(Kind::Claim), "d",
           "d: free or not cannot be known", ": free\n"},
          {"counters that are not left", partitions(), "e",
           "e: blocked, as its siblings have taken the counters that it shares with them"},
          {"and who took them", partitions(), "e",
           "Too little is left of what it takes: m1 0 of 1; taken by d"},
          {"what it took itself is not missing", partitions(), "d", "m0,m1 | 1 each | 0 | 1",
           "Too little"},
      },
      text_about_device);
}

TEST_CASE("what a device publishes") {
  check_all(
      {
          {"attributes have types",
           device("{name: d, attributes: {i: {int: 1}, b: {bool: true}, v: {version: 1.0.0}, l: "
                  "{ints: [0, 1]}, s: {string: ''}}}"),
           "d", "\ni | int | 1 | "},
          {"an empty string is there", device("{name: d, attributes: {s: {string: ''}}}"), "d",
           "\ns | string |  | "},
          {"lists are shown whole", device("{name: d, attributes: {l: {ints: [0, 1]}}}"), "d",
           "l | ints | [0 1]"},
          {"what is taken of a capacity and what a claim may take",
           with_claim(with_claim(device(kShared), "c1",
                                 ", shareID: a, consumedCapacity: {memory: "
                                 "3Gi, cores: '1'}"),
                      "c2", ", shareID: b, consumedCapacity: {memory: 2Gi}"),
           "d",
           "memory | 10Gi | 5Gi | 5Gi | from 1Gi to 8Gi in steps of 1Gi, 1Gi if not asked for"},
          {"values to choose from", device(kShared), "d", "cores | 4 | 0 | 4 | one of 1, 2"},
          {"what is left is not known when claims cannot be read",
           device(kShared).cannot_read(Kind::Claim), "d", "cores | 4 | one of 1, 2"},
          {"what each share takes",
           with_claim(device(kShared), "c1", ", shareID: a, consumedCapacity: {memory: 3Gi}"), "d",
           "default/c1 | gpu | <none> | <unknown> | memory 3Gi"},
          {"conditions that a pod waits for",
           device("{name: d, bindingConditions: [Ready], bindingFailureConditions: [Broken]}"), "d",
           "binding a pod waits for Ready; any of Broken is a failure"},
          {"a device may be for a node of its own",
           scene().node("n1").slice({.name = "s",
                                     .where = "perDeviceNodeSelection: true",
                                     .devices = "{name: d, nodeName: n2}"}),
           "d", "nodes n2 (no such node)"},
          {"what its driver says about it",
           with_claim(device("{name: d}"), "c1", "",
                      ", devices: [{driver: gpu.example.com, pool: pool, device: d, conditions: "
                      "[{type: Ready, status: 'False', reason: Lost, message: no answer}]}]"),
           "d", "The driver says that it is not ready for claim default/c1: Lost no answer"},
      },
      text_about_device);
}

}  // namespace
}  // namespace dra::report::describe_device_test
