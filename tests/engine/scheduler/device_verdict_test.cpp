// tests/engine/scheduler/device_verdict_test.cpp: of one device, whether it could be what a demand
// gets, and all that is against it, where the allocator stops at the first reason.

#include "dra/engine/scheduler/device_verdict.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"
#include "tests/support/node_result.h"

namespace dra::engine::device_verdict_test {
namespace {

using support::all;
using support::allocated;
using support::exactly;
using support::first_available;
using support::request;
using support::Scene;
using support::scene;

// "gpu: against DeviceInUse SelectorFalse; nic: picked", or "not seen".
std::string line_of(const snapshot::Snapshot& snapshot, std::string_view pool,
                    std::string_view device) {
  const Subject subject = subject_of_claims(snapshot, "default", {"c"});
  const auto verdicts =
      support::verdicts(snapshot, subject, engine::nodes_of(snapshot).nodes.front(),
                        {"gpu.example.com", pool, device});
  if (!verdicts) return "not seen";
  std::vector<std::string> parts;
  for (const DeviceVerdict& verdict : *verdicts) {
    std::string part = base::format("{}: {}", verdict.request, name_of(verdict.outcome));
    for (const diag::Reason& reason : verdict.reasons)
      part += base::format(" {}", diag::name_of(reason.code));
    parts.push_back(std::move(part));
  }
  return base::join(parts, "; ");
}

struct Case {
  const char* name;
  Scene scene;
  const char* device;
  const char* want;
  const char* pool = "pool";
};

void check(const Case& row) {
  CAPTURE(row.name);
  CHECK(line_of(row.scene.build(), row.pool, row.device) == row.want);
}

Scene devices(std::string_view list) {
  return scene().node("n1").slice(
      {.name = "s", .where = "nodeName: n1", .devices = std::string(list)});
}
Scene two() { return scene().node("n1").slice("n1", {"d0", "d1"}); }

constexpr const char* kNotThis = "selectors: [{cel: {expression: \"device.driver == 'x'\"}}]";

TEST_CASE("what the allocator picks, and what it could") {
  const Case rows[] = {
      {"the first", two().claim("c", exactly("gpu", 1)), "d0", "gpu: picked", "n1"},
      {"a later one", two().claim("c", exactly("gpu", 1)), "d1", "gpu: possible", "n1"},
      {"all are needed", two().claim("c", exactly("gpu", 2)), "d1", "gpu: picked", "n1"},
      {"more than there are", two().claim("c", exactly("gpu", 3)), "d1", "gpu: together CountShort",
       "n1"},
      {"each request asks for itself", two().claim("c", request("a") + ", " + request("b")), "d1",
       "a: possible; b: picked", "n1"},
      {"an alternative that is not taken",
       two().claim("c", first_available("r", {"count: 1", "count: 2"})), "d0",
       "r/a: picked; r/b: possible", "n1"},
      {"an alternative that cannot be",
       two().claim("c", first_available("r", {"count: 1", "count: 3"})), "d0",
       "r/a: picked; r/b: together", "n1"},
      {"another node's", two().slice("n2", {"d9"}).claim("c", exactly("gpu", 1)), "d9", "not seen",
       "n2"},
      {"the claim has it", two().claim("c", exactly("gpu", 1), allocated("{device: d0, pool: n1}")),
       "d0", "gpu: held", "n1"},
      {"the claim has another",
       two().claim("c", exactly("gpu", 1), allocated("{device: d0, pool: n1}")), "d1",
       "gpu: allocated", "n1"},
      {"who holds it could not be read",
       two().claim("c", exactly("gpu", 1)).cannot_read(api::Kind::TaintRule), "d1", "gpu: unknown",
       "n1"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("all that is against it") {
  const Case rows[] = {
      {"in use, not chosen, and tainted",
       devices("{name: d0, taints: [{key: k, effect: NoSchedule}, {key: l, effect: NoExecute}]}")
           .claim("held", exactly("gpu", 1), allocated("{device: d0, pool: pool}"))
           .claim("c", exactly("gpu", 1, kNotThis)),
       "d0", "gpu: against DeviceInUse SelectorFalse DeviceTainted DeviceTainted"},
      {"only the taint that is not tolerated",
       devices("{name: d0, taints: [{key: k, effect: NoSchedule}, {key: l, effect: NoExecute}]}")
           .claim("c", exactly("gpu", 1, "tolerations: [{key: k, operator: Exists}]")),
       "d0", "gpu: against DeviceTainted"},
      {"a selector that fails, in use or not",
       devices("{name: d0}")
           .claim("held", exactly("gpu", 1), allocated("{device: d0, pool: pool}"))
           .claim("c", exactly("gpu", 1,
                               "selectors: [{cel: {expression: \"device.attributes['a'].b "
                               "== 1\"}}]")),
       "d0", "gpu: against DeviceInUse SelectorError"},
      {"what is behind a selector that is false does not fail",
       devices("{name: d0}")
           .claim("c", exactly("gpu", 1,
                               "selectors: [{cel: {expression: \"device.driver == 'x'\"}}, {cel: "
                               "{expression: \"device.attributes['a'].b == 1\"}}, {cel: "
                               "{expression: 'false'}}]")),
       "d0", "gpu: against SelectorFalse SelectorFalse"},
      {"capacity that it does not have",
       devices("{name: d0}").claim("c", exactly("gpu", 1, "capacity: {requests: {memory: 1}}")),
       "d0", "gpu: against CapacityMissing"},
      {"its pool is incomplete, and it is in use",
       scene()
           .node("n1")
           .slice({.name = "s", .count = 2, .devices = "{name: d0}"})
           .claim("held", exactly("gpu", 1), allocated("{device: d0, pool: pool}"))
           .claim("c", exactly("gpu", 1)),
       "d0", "gpu: against PoolIncomplete DeviceInUse"},
      {"an incomplete pool is against all devices where all are wanted",
       two().slice({.name = "s", .count = 2, .devices = "{name: d9}"}).claim("c", all("gpu")), "d0",
       "gpu: against AllPoolUnusable", "n1"},
      {"no value of a constraint",
       devices("{name: d0, attributes: {a: {int: 1}}}, {name: d1}")
           .constrained("c", exactly("gpu", 1), "{matchAttribute: gpu.example.com/a}"),
       "d1", "gpu: against ConstraintAttributeMissing"},
      {"another value than any other device has",
       devices("{name: d0, attributes: {a: {int: 1}}}, {name: d1, attributes: {a: {int: 2}}}, "
               "{name: d2, attributes: {a: {int: 1}}}")
           .constrained("c", exactly("gpu", 2), "{matchAttribute: gpu.example.com/a}"),
       "d1", "gpu: together ConstraintValueDiffers"},
      {"a device before it for which the selector fails",
       devices("{name: d0}, {name: d1, attributes: {a: {int: 2}}}")
           .claim("c", exactly("gpu", 1,
                               "selectors: [{cel: {expression: "
                               "\"device.attributes['gpu.example.com'].a == 2\"}}]")),
       "d1", "gpu: against SelectorError"},
      {"a claim has more requests than it may have devices, and it is in use as well",
       two().held("n1", "d0").claim("c", exactly("gpu", 33)), "d0", "gpu: against DeviceInUse",
       "n1"},
      {"a claim has more requests than it may have devices", two().claim("c", exactly("gpu", 33)),
       "d0", "gpu: against CountTooLarge", "n1"},
      {"a class that is not there", two().claim("c", exactly("gpu", 1) + ", " + exactly("typo", 1)),
       "d0", "gpu: against ClassMissing; typo: against ClassMissing", "n1"},
  };
  for (const Case& row : rows)
    check(row);
}

}  // namespace
}  // namespace dra::engine::device_verdict_test
