// tests/report/lists/select_devices_test.cpp

#include "dra/report/lists/select_devices.h"

#include <doctest/doctest.h>

#include "dra/engine/cluster/inventory.h"
#include "tests/support/builders.h"

namespace dra::report::select_devices_test {
namespace {

using support::scene;

struct Row {
  const char* name;
  std::vector<std::string_view> selectors;
  std::vector<bool> chosen;
  std::vector<std::string> warnings;
};

TEST_CASE("what selectors leave of devices, and what must be reported about the rest") {
  const std::string_view fails = "device.attributes['gpu.example.com'].model == 'a'";
  const Row rows[] = {
      {"nothing asked for", {}, {true, true, true}, {}},
      {"some match", {"device.driver == 'gpu.example.com'"}, {true, true, false}, {}},
      {"one fails",
       {fails},
       {true, false, false},
       {"class c fails for 2 devices, which are omitted: no such key: model "
        "(gpu.example.com/pool/b, nic.com/pool/nic)"}},
      {"of several it is said which",
       {"device.driver == 'gpu.example.com'", fails},
       {true, false, false},
       {"class c: selector #1 fails for 1 device, which is omitted: no such key: model "
        "(gpu.example.com/pool/b)"}},
      {"one does not compile",
       {"device.x"},
       {false, false, false},
       {"class c does not compile, so it chooses no device, and the scheduler gives up on every "
        "pod for which it asks it: compilation failed: ERROR: <input>:1:7: undefined field 'x'"}},
  };
  const auto snapshot =
      scene()
          .slice({.name = "s", .devices = "{name: a, attributes: {model: {string: a}}}, {name: b}"})
          .slice({.name = "t", .driver = "nic.com", .devices = "{name: nic}"})
          .build();
  const engine::Inventory inventory(snapshot);
  std::vector<engine::PoolDevice> devices;
  for (const engine::InventoryDevice& device : inventory.devices())
    devices.push_back(device.published);
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const auto selected = select_devices(devices, row.selectors, snapshot.server(), "class c");
    CHECK(selected.chosen == row.chosen);
    CHECK(selected.warnings == row.warnings);
  }
}

TEST_CASE("an expression that does not compile is the user's mistake") {
  CHECK(check_expression("true", {}, "--cel").ok());
  const auto syntax = check_expression("device.x == 1 && y", {}, "--cel");
  REQUIRE_FALSE(syntax.ok());
  CHECK(syntax.error().kind == ErrorKind::BadInput);
  CHECK(syntax.error().message ==
        "--cel: compilation failed: ERROR: <input>:1:7: undefined field 'x'; ERROR: "
        "<input>:1:18: undeclared reference to 'y' (in container '')");
  CHECK(check_expression("1", {}, "--cel").error().message ==
        "--cel: must evaluate to bool or the unknown type, not int");
}

}  // namespace
}  // namespace dra::report::select_devices_test
