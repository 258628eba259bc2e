// tests/report/lists/list_devices_test.cpp

#include "dra/report/lists/list_devices.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "dra/json/write.h"
#include "dra/topology/missing_devices.h"
#include "tests/support/builders.h"
#include "tests/support/document_text.h"

namespace dra::report::list_devices_test {
namespace {

using support::allocated;
using support::exactly;
using support::on_node;
using support::Scene;
using support::scene;

constexpr const char* kShareable =
    "{name: d, allowMultipleAllocations: true, capacity: {memory: {value: 40Gi}}}";

std::string rows_of(const snapshot::Snapshot& snapshot, const DeviceFilter& filter = {}) {
  const engine::Inventory inventory(snapshot);
  return support::rows_of(devices_view(device_rows(inventory, filter), {}));
}

std::string reserved(std::string_view pod) {
  return base::format(", reservedFor: [{{resource: pods, name: {}, uid: {}}}]", pod, pod);
}

struct Case {
  const char* name;
  Scene scene;
  const char* want;  // DRIVER | POOL | DEVICE | NODE | STATE | CLAIM | POD
};

TEST_CASE("rows") {
  const std::string share = "shareID: s1, consumedCapacity: {memory: 1Gi}";
  const Case rows[] = {
      {"a device that nobody has", scene().slice("n1", {"gpu-0"}),
       "gpu.example.com | n1 | gpu-0 | n1 | free | <none> | <none>\n"},
      {"a device and who is using it", scene().slice("n1", {"gpu-0"}).held("n1", "gpu-0"),
       "gpu.example.com | n1 | gpu-0 | n1 | in use | default/n1-gpu-0 | default/user\n"},
      {"a device shared by two claims",
       scene()
           .slice({.name = "s", .devices = kShareable})
           .claim("a1", exactly("gpu", 1),
                  allocated("{device: d, pool: pool, " + share + "}") + reserved("p1"))
           .claim("b1", exactly("gpu", 1),
                  allocated("{device: d, pool: pool, " + share + "}") + reserved("p2")),
       "gpu.example.com | pool | d | <all> | shared | default/a1,default/b1 | "
       "default/p1,default/p2\n"},
      {"a pod that shares it with itself is named once",
       scene()
           .slice({.name = "s", .devices = kShareable})
           .claim("a1", exactly("gpu", 1),
                  allocated("{device: d, pool: pool, " + share + "}") + reserved("p1"))
           .claim("b1", exactly("gpu", 1),
                  allocated("{device: d, pool: pool, " + share + "}") + reserved("p1")),
       "gpu.example.com | pool | d | <all> | shared | default/a1,default/b1 | default/p1\n"},
      {"a watcher is told as such",
       scene()
           .slice({.name = "s", .devices = "{name: d}"})
           .claim("watch", exactly("gpu", 1),
                  allocated("{device: d, pool: pool, adminAccess: true}") + reserved("p1")),
       "gpu.example.com | pool | d | <all> | free | default/watch (admin) | default/p1\n"},
      {"devices that choose for themselves",
       scene().slice({.name = "s",
                      .where = "perDeviceNodeSelection: true",
                      .devices = "{name: d0, nodeName: n1}, {name: d1, allNodes: true}, {name: d2, "
                                 "nodeSelector: {nodeSelectorTerms: []}}"}),
       "gpu.example.com | pool | d0 | n1 | free | <none> | <none>\n"
       "gpu.example.com | pool | d1 | <all> | free | <none> | <none>\n"
       "gpu.example.com | pool | d2 | <selector> | free | <none> | <none>\n"},
      {"a holder of a device that is gone has no row",
       scene().slice("n1", {"gpu-0"}).held("n1", "gpu-9"),
       "gpu.example.com | n1 | gpu-0 | n1 | free | <none> | <none>\n"},
      {"nobody is called free who might be held",
       scene().slice("n1", {"gpu-0"}).cannot_read(api::Kind::Claim),
       "gpu.example.com | n1 | gpu-0 | n1 | unknown | <none> | <none>\n"},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    CHECK(rows_of(row.scene.build()) == row.want);
  }
}

struct FilterCase {
  const char* name;
  DeviceFilter filter;
  const char* want;  // the devices
};

const FilterCase kFilters[] = {
    {"everything", {}, "n1/gpu-0 n1/gpu-1 n2/gpu-0 pool/d "},
    {"a node's", {.node = "n2"}, "n2/gpu-0 "},
    {"of a node by name only, if no more is known of it", {.node = "n3"}, ""},
    {"a pool's", {.pool = "n1"}, "n1/gpu-0 n1/gpu-1 "},
    {"a driver's", {.driver = "nic.com"}, "pool/d "},
    {"those in a state", {.state = "allocated"}, "n1/gpu-1 "},
    {"all of a name", {.names = {"gpu-0"}}, "n1/gpu-0 n2/gpu-0 "},
    {"one by its whole id", {.names = {"gpu.example.com/n2/gpu-0"}}, "n2/gpu-0 "},
    {"several names", {.names = {"gpu-1", "d"}}, "n1/gpu-1 pool/d "},
    {"everything asked for must hold", {.node = "n1", .state = "free"}, "n1/gpu-0 "},
    {"none", {.driver = "other.com"}, ""},
};

TEST_CASE("choosing devices") {
  const auto snapshot = scene()
                            .slice("n1", {"gpu-0", "gpu-1"})
                            .slice("n2", {"gpu-0"})
                            .slice({.name = "s", .driver = "nic.com", .devices = "{name: d}"})
                            .held("n1", "gpu-1")
                            .build();
  const engine::Inventory inventory(snapshot);
  for (const FilterCase& row : kFilters) {
    CAPTURE(row.name);
    std::string got;
    for (const DeviceRow& device : device_rows(inventory, row.filter)) {
      got += base::format("{}/{} ", device.id().pool, device.id().device);
    }
    CHECK(got == row.want);
  }
}

struct AttributeCase {
  const char* name;
  const char* asked;
  const char* want;
};

const AttributeCase kAttributes[] = {
    {"a name as published", "model", "a100\n"},
    {"a name without a domain belongs to the driver", "gpu.example.com/model", "a100\n"},
    {"a name with a domain", "example.org/size", "-3\n"},
    {"another domain is another attribute", "example.org/model", "<none>\n"},
    {"a version", "driver", "1.2.3\n"},
    {"true or false", "ecc", "false\n"},
    {"a list", "links", "[a b]\n"},
    {"none of that name", "nothing", "<none>\n"},
};

TEST_CASE("columns of attributes") {
  const auto snapshot =
      scene()
          .slice({.name = "s",
                  .devices =
                      "{name: d, attributes: {model: {string: a100}, example.org/size: {int: -3}, "
                      "driver: {version: 1.2.3}, ecc: {bool: false}, links: {strings: [a, b]}}}"})
          .build();
  const engine::Inventory inventory(snapshot);
  for (const AttributeCase& row : kAttributes) {
    CAPTURE(row.name);
    const auto document = devices_view(device_rows(inventory, {}), {row.asked});
    CHECK(support::column_of(document, row.asked) == row.want);
  }
}

TEST_CASE("devices as JSON keep the contract") {
  const auto snapshot =
      scene()
          .slice({.name = "s",
                  .where = "nodeName: n1",
                  .devices =
                      "{name: d, attributes: {size: {int: 3}, model: {string: '3'}}, capacity: "
                      "{memory: {value: 40Gi}}, taints: [{key: k, effect: NoSchedule}]}"})
          .taint_rule("rule", "deviceSelector: {}", "key: x, value: v, effect: NoExecute")
          .claim("c", exactly("gpu", 1),
                 allocated("{device: d, pool: pool}", on_node("n1")) + reserved("p1"))
          .claim("watch", exactly("gpu", 1),
                 allocated("{device: d, pool: pool, adminAccess: true, shareID: s1}"))
          .build();
  const engine::Inventory inventory(snapshot);
  const auto report = devices_json(device_rows(inventory, {}));
  CHECK(
      write_json(report, json::Style::Compact) ==
      R"({"apiVersion":"dra.kubectl/v1","kind":"DeviceList","items":[{"driver":"gpu.example.com",)"
      R"("pool":"pool","device":"d","node":"n1","state":"allocated","poolStatus":"Complete","claims":[)"
      R"({"namespace":"default","name":"c","request":"gpu","pods":["default/p1"]},)"
      R"({"namespace":"default","name":"watch","request":"gpu","adminAccess":true,"shareID":"s1",)"
      R"("pods":[]}],"taints":[{"key":"k","effect":"NoSchedule"},)"
      R"({"key":"x","value":"v","effect":"NoExecute","rule":"rule"}],)"
      R"("attributes":{"model":"3","size":3},"capacity":{"memory":"40Gi"}}]})");
}

TEST_CASE("a missing device is a row of its own, behind the others of its pool") {
  const auto snapshot =
      scene().slice("n1", {"gpu-0"}).slice("n2", {"gpu-0"}).held("n1", "gpu-1").build();
  const engine::Inventory inventory(snapshot);
  const auto missing = topology::missing_devices(snapshot, inventory);
  const auto rows = [&](const DeviceFilter& filter) {
    return support::rows_of(devices_view(device_rows(inventory, filter, missing), {}));
  };
  const std::string row =
      "gpu.example.com | n1 | gpu-1 | n1 | missing | default/n1-gpu-1 | default/user\n";
  CHECK(rows({}) == "gpu.example.com | n1 | gpu-0 | n1 | free | <none> | <none>\n" + row +
                        "gpu.example.com | n2 | gpu-0 | n2 | free | <none> | <none>\n");
  CHECK(rows({.state = "missing"}) == row);
  CHECK(rows({.pool = "n2", .state = "missing"}).empty());
  CHECK(rows({.names = {"gpu-1"}}) == row);
  CHECK(write_json(devices_json(device_rows(inventory, {.state = "missing"}, missing)),
                   json::Style::Compact)
            .find(R"("device":"gpu-1","node":"n1","state":"missing","poolStatus":"Complete")") !=
        std::string::npos);
}

TEST_CASE("a name that is not known is null, and so is the status of a pool that is not there") {
  const auto snapshot = scene().build();
  const engine::Inventory inventory(snapshot);
  const std::vector<engine::MissingDevice> missing = {
      {.driver = "tpu.google.com", .pool = "n1", .node = "n1"}};
  const auto rows = device_rows(inventory, {}, missing);
  CHECK(support::rows_of(devices_view(rows, {"x"})) ==
        "tpu.google.com | n1 | <unknown> | n1 | missing | <none> | <none> | <none>\n");
  CHECK(write_json(devices_json(rows), json::Style::Compact)
            .find(R"("pool":"n1","device":null,"node":"n1","state":"missing","poolStatus":null)") !=
        std::string::npos);
}

}  // namespace
}  // namespace dra::report::list_devices_test
