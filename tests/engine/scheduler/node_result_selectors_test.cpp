// tests/engine/scheduler/node_result_selectors_test.cpp: how nodes stand where selectors choose
// among their devices.

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "dra/engine/scheduler/node_result.h"
#include "tests/support/builders.h"
#include "tests/support/node_result.h"

namespace dra::engine::node_result_selectors_test {
namespace {

using support::all;
using support::exactly;
using support::first_available;
using support::Scene;
using support::scene;

// One device has x, the other has not. Classes: those with x, those of a driver that nobody has,
// and one whose selector fails for what has no x.
Scene two_kinds() {
  return scene()
      .node("n1")
      .slice({.name = "s",
              .pool = "n1",
              .where = "nodeName: n1",
              .devices = "{name: with, attributes: {x: {int: 1}}}, {name: without}"})
      .device_class("x", "'x' in device.attributes['gpu.example.com']")
      .device_class("none", "device.driver == 'nobody'")
      .device_class("fails", "device.attributes['gpu.example.com'].x == 1");
}

std::string own(const char* expression) {
  return base::format("selectors: [{{cel: {{expression: \"{}\"}}}}]", expression);
}

struct Case {
  const char* name;
  Scene scene;
  const char* want;  // of the node, for the claim c
};

std::string to_line(const NodeResult& result) {
  std::string line = result.aborts() ? "aborts:" : result.is_ruled_out() ? "out:" : "open:";
  for (const diag::Reason& reason : result.reasons)
    line += base::format(" {}", diag::name_of(reason.code));
  return line;
}

NodeResult evaluate_node(const snapshot::Snapshot& snapshot) {
  return support::evaluate(snapshot, subject_of_claims(snapshot, "default", {"c"}));
}

void check(const Case& row) {
  CAPTURE(row.name);
  const auto snapshot = row.scene.build();
  CHECK(to_line(evaluate_node(snapshot)) == std::string(row.want));
}

TEST_CASE("what selectors choose is all there is") {
  const Case rows[] = {
      {"enough that match", two_kinds().claim("c", exactly("x", 1)), "open: ClassSelectorFalse"},
      {"too few that match", two_kinds().claim("c", exactly("x", 2)),
       "out: CountShort ClassSelectorFalse"},
      {"none that matches", two_kinds().claim("c", exactly("none", 1)),
       "out: NoMatch ClassSelectorFalse"},
      {"none by the request's own selector",
       two_kinds().claim("c", exactly("gpu", 1, own("device.driver == 'nobody'"))),
       "out: NoMatch SelectorFalse"},
      {"the one that matches is held", two_kinds().held("n1", "with").claim("c", exactly("x", 1)),
       "out: CountShort DeviceInUse ClassSelectorFalse"},
      {"the other one is held", two_kinds().held("n1", "without").claim("c", exactly("x", 1)),
       "open: ClassSelectorFalse"},
      {"an alternative that matches keeps it open",
       two_kinds().claim("c", first_available("r", {own("device.driver == 'nobody'"), "count: 1"})),
       "open: SelectorFalse"},
      {"all that match, and none does", two_kinds().claim("c", all("none")),
       "out: AllNone ClassSelectorFalse"},
      {"all that match, and what is held does not",
       two_kinds().held("n1", "without").claim("c", all("x")), "open: ClassSelectorFalse"},
      {"all that match, and what is held does", two_kinds().held("n1", "with").claim("c", all("x")),
       "out: AllUnusable DeviceInUse ClassSelectorFalse"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("a selector that fails ends the attempt where the allocator comes to it") {
  const Case rows[] = {
      {"it may be content before that", two_kinds().claim("c", exactly("fails", 1)),
       "open: SelectorError"},
      {"it needs more", two_kinds().claim("c", exactly("fails", 2)),
       "aborts: SelectorError CountShort"},
      {"it looks at all", two_kinds().claim("c", all("fails")), "aborts: SelectorError"},
      {"it passes over what is held",
       two_kinds().held("n1", "without").claim("c", exactly("fails", 2)),
       "out: CountShort DeviceInUse"},
      {"but not for administrators",
       two_kinds().held("n1", "without").claim("c", exactly("fails", 2, "adminAccess: true")),
       "aborts: SelectorError CountShort DeviceInUse"},
      {"nor if all are wanted", two_kinds().held("n1", "without").claim("c", all("fails")),
       "aborts: SelectorError DeviceInUse"},
      {"a request before it may not be met",
       two_kinds().claim("c", exactly("none", 1) + ", " + exactly("fails", 2)),
       "out: NoMatch CountShort ClassSelectorFalse SelectorError"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("a reason names the selector, and counts what it keeps away") {
  const auto snapshot = two_kinds().claim("c", exactly("x", 2)).build();
  const NodeResult result = evaluate_node(snapshot);
  REQUIRE(result.demands.size() == 1);
  CHECK(result.demands[0].known);
  CHECK(result.demands[0].matching == 1);
  CHECK(result.demands[0].usable == 1);
  CHECK(result.reasons[0].message == "request x needs 2 devices, and only 1 of 2 here match");
  const diag::Reason& reason = result.reasons[1];
  CHECK(reason.source == "class");
  CHECK(reason.selector == 0);
  CHECK(reason.expression == "'x' in device.attributes['gpu.example.com']");
  CHECK(reason.devices == 1);
  CHECK(reason.examples == std::vector<std::string>{"gpu.example.com/n1/without"});
}

}  // namespace
}  // namespace dra::engine::node_result_selectors_test
