// tests/engine/whatif/conflicts_test.cpp: what cannot hold together; each row fits nowhere as it
// is.

#include "dra/engine/whatif/conflicts.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/builders.h"
#include "tests/support/changes.h"

namespace dra::engine::conflicts_test {
namespace {

using support::devices_on_n1;
using support::exactly;
using support::request;
using support::Scene;
using support::scene;
using support::select_by;

std::string words(const Conflict& conflict) {
  std::vector<std::string> parts;
  for (const DemandPart& part : conflict) {
    std::string text(name_of(part.kind));
    if (part.of_class) text += " of class";
    if (!part.request.empty()) text += " " + part.request;
    if (part.kind == DemandPart::Kind::Selector || part.kind == DemandPart::Kind::Constraint)
      text += " " + std::to_string(part.index);
    parts.push_back(std::move(text));
  }
  return base::join(parts, ", ");
}

const std::string kNuma =
    "{name: a, attributes: {numa: {int: 0}}}, {name: b, attributes: {numa: {int: 1}}}";
const Wanted kClaim{.namespace_ = "default", .pod = {}, .claims = {"c"}};

struct Row {
  const char* name;
  Scene scene;
  std::vector<std::string> want;
};

std::vector<Row> rows() {
  return {
      {"a request that is too large by itself",
       devices_on_n1(kNuma).claim("c", exactly("gpu", 3)),
       {"request gpu"}},
      {"a selector that nothing meets",
       devices_on_n1(kNuma).claim("c", exactly("gpu", 1, select_by("false"))),
       {"request gpu, selector gpu 0"}},
      {"of two selectors those that exclude each other",
       devices_on_n1(kNuma).claim(
           "c",
           exactly("gpu", 1,
                   "selectors: [{cel: {expression: \"device.attributes['gpu.example.com'].numa == "
                   "0\"}}, "
                   "{cel: {expression: 'true'}}, "
                   "{cel: {expression: \"device.attributes['gpu.example.com'].numa == 1\"}}]")),
       {"request gpu, selector gpu 0, selector gpu 2"}},
      {"requests that each could be met",
       devices_on_n1(kNuma).claim("c", request("x") + ", " + request("w") + ", " + request("z")),
       {"request x, request w, request z"}},
      {"a constraint that no pair meets",
       devices_on_n1(kNuma).constrained("c", exactly("gpu", 2),
                                        "{matchAttribute: gpu.example.com/numa}"),
       {"request gpu, constraint 0"}},
      {"devices held by others",
       devices_on_n1("{name: a}").claim("c", exactly("gpu", 1)).held("n1", "a"),
       {"request gpu, occupancy"}},
      {"a taint",
       devices_on_n1("{name: a, taints: [{key: t, effect: NoSchedule}]}")
           .claim("c", exactly("gpu", 1)),
       {"request gpu, taint"}},
      {"slices that lack",
       devices_on_n1("{name: a}", 2).claim("c", exactly("gpu", 1)),
       {"request gpu, pool"}},
      {"a selector that fails without the one before it",
       devices_on_n1("{name: a}, {name: b, attributes: {numa: {int: 5}}}, "
                     "{name: c, attributes: {numa: {int: 3}}}")
           .claim(
               "c",
               exactly("gpu", 1,
                       "selectors: [{cel: {expression: \"'numa' in "
                       "device.attributes['gpu.example.com']\"}}, "
                       "{cel: {expression: \"device.attributes['gpu.example.com'].numa == 5\"}}]"))
           .held("n1", "b"),
       {"request gpu, selector gpu 1"}},
      {"two reasons, each enough",
       devices_on_n1("{name: a}")
           .claim("c", request("x", "count: 2") + ", " + request("w", select_by("false"))),
       {"request x", "request w, selector w 0"}},
  };
}

TEST_CASE("minimal sets") {
  for (const Row& row : rows()) {
    CAPTURE(row.name);
    const auto snapshot = row.scene.build();
    const Simulator simulator(snapshot);
    const ConflictsFound found =
        conflicts_of(simulator, kClaim, support::stand_everywhere(simulator, kClaim));
    CHECK_FALSE(found.bounded);
    std::vector<std::string> got;
    for (const Conflict& conflict : found.conflicts)
      got.push_back(words(conflict));
    CHECK_MESSAGE(got == row.want, base::join(got, " | "));
  }
}

TEST_CASE("of a set nothing can be omitted") {
  for (const Row& row : rows()) {
    CAPTURE(row.name);
    const auto snapshot = row.scene.build();
    const Simulator simulator(snapshot);
    const auto nodes = support::stand_everywhere(simulator, kClaim);
    for (const Conflict& conflict : conflicts_of(simulator, kClaim, nodes).conflicts) {
      CHECK(simulate_with(simulator, kClaim, conflict).fails());
      for (std::size_t i = 0; i < conflict.size(); ++i) {
        Conflict fewer = conflict;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        CHECK(simulate_with(simulator, kClaim, fewer).works());
      }
    }
  }
}

}  // namespace
}  // namespace dra::engine::conflicts_test
