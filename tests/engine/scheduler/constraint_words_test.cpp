// tests/engine/scheduler/constraint_words_test.cpp: which numbers a constraint fails by.

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"
#include "tests/support/node_result.h"

namespace dra::engine::constraint_words_test {
namespace {

using support::exactly;
using support::Scene;
using support::scene;

// Devices d0, d1, ... with these switches.
Scene with_switches(std::initializer_list<int> switches) {
  std::string devices;
  int number = 0;
  for (const int value : switches)
    devices += base::format("{}{{name: d{}, attributes: {{switch: {{int: {}}}}}}}",
                            devices.empty() ? "" : ", ", number++, value);
  return scene().node("n1").slice(
      {.name = "s", .pool = "n1", .where = "nodeName: n1", .devices = devices});
}

std::string message(const Scene& words) {
  const auto snapshot = words.build();
  const Subject subject = subject_of_claims(snapshot, "default", {"c"});
  const NodeResult result = support::evaluate(snapshot, subject);
  REQUIRE(result.does_not_fit());
  for (const diag::Reason& reason : result.reasons) {
    if (reason.code == diag::Code::ConstraintNotDistinct ||
        reason.code == diag::Code::ConstraintValueDiffers)
      return reason.message;
  }
  return {};
}

TEST_CASE("different values than there are") {
  constexpr const char* distinct = "{distinctAttribute: gpu.example.com/switch}";
  CHECK(message(with_switches({1, 1, 2, 2}).constrained("c", exactly("gpu", 3), distinct)) ==
        "gpu needs 3 devices with different values of gpu.example.com/switch (constraint 0), and "
        "there are 2");
  const std::string two =
      support::request("a", "count: 2") + ", " + support::request("b", "count: 1");
  CHECK(message(with_switches({1, 2, 2, 2}).constrained("c", two, distinct)) ==
        "a and b need 3 devices with different values of gpu.example.com/switch (constraint 0), "
        "and there are 2");
}

// A request of the devices with an even or an odd port.
std::string of_port(std::string_view name, int port) {
  return support::request(name,
                          base::format("selectors: [{{cel: {{expression: "
                                       "\"device.attributes['gpu.example.com'].port == {}\"}}}}]",
                                       port));
}

TEST_CASE("more sets than values have devices for") {
  std::string devices;
  const int switches[] = {1, 1, 2, 2, 3};
  for (int i = 0; i < 5; ++i)
    devices +=
        base::format("{}{{name: d{}, attributes: {{switch: {{int: {}}}, port: {{int: {}}}}}}}",
                     i == 0 ? "" : ", ", i, switches[i], i % 2);
  Scene words = scene().node("n1").slice(
      {.name = "s", .pool = "n1", .where = "nodeName: n1", .devices = devices});
  std::string requests;
  std::string constraints;
  for (const char* const set : {"1", "2", "3"}) {
    requests +=
        base::format("{}{}, {}", requests.empty() ? "" : ", ", of_port(base::format("x{}", set), 0),
                     of_port(base::format("y{}", set), 1));
    constraints +=
        base::format("{}{{requests: [x{}, y{}], matchAttribute: gpu.example.com/switch}}",
                     constraints.empty() ? "" : ", ", set, set);
  }
  CHECK(message(words.constrained("c", requests, constraints)) ==
        "3 sets like 1 free device for x1 and 1 for y1 need one value of gpu.example.com/switch "
        "each, and there are devices for 2");
}

}  // namespace
}  // namespace dra::engine::constraint_words_test
