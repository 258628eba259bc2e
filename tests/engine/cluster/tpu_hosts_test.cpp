// tests/engine/cluster/tpu_hosts_test.cpp: how many chips a host should have, and which hosts of a
// slice are lost.

#include "dra/engine/cluster/tpu_hosts.h"

#include <doctest/doctest.h>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::tpu_hosts_test {
namespace {

using support::Scene;
using support::scene;

constexpr const char* kDriver = "tpu.google.com";

std::string to_line(const std::optional<TpuHost>& host) {
  if (!host) return "none";
  return base::format("{} of {} [{}]", host->published, host->chips,
                      base::join(host->missing, " "));
}

std::string to_line(const std::optional<TpuSlice>& slice) {
  if (!slice) return "none";
  std::string line = base::format("{} of {}:", slice->name, slice->hosts);
  for (const LostHost& lost : slice->lost)
    line += base::format(" {}{}", lost.node, lost.ready ? " ready" : "");
  for (const TpuHost& host : slice->degraded)
    line += base::format(" {} {}", host.node, to_line(host));
  return slice->absent == 0 ? line : base::format("{} absent {}", line, slice->absent);
}

Scene host(const char* devices, const char* labels = "", const char* driver = kDriver) {
  return scene()
      .node("n1", labels)
      .slice({.name = "s",
              .driver = driver,
              .pool = "n1",
              .where = "nodeName: n1",
              .devices = devices});
}

TEST_CASE("a host has as many chips as somebody says") {
  struct Row {
    const char* name;
    Scene scene;
    const char* host;
  };
  const Row rows[] = {
      {"nobody says: those that are published", host("{name: '0'}, {name: '1'}"), "2 of 2 []"},
      {"the driver says",
       host("{name: '0', attributes: {chipCount: {int: 4}}}, {name: '2'}, {name: '3'}"),
       "3 of 4 [1]"},
      {"the driver says, with its domain",
       host("{name: '0', attributes: {tpu.google.com/chipCount: {int: 2}}}"), "1 of 2 [1]"},
      {"the cloud says", host("{name: accel1}", "cloud.google.com/gke-accelerator-count: '4'"),
       "1 of 4 [accel0 accel2 accel3]"},
      {"less than there are is not believed",
       host("{name: '0'}, {name: '1'}", "cloud.google.com/gke-accelerator-count: '1'"),
       "2 of 2 []"},
      {"a number beyond all hosts is cut",
       host("{name: '0', attributes: {chipCount: {int: 9000000000}}}, {name: x}"), "2 of 64 []"},
      {"what is no number is not read",
       host("{name: '0'}", "cloud.google.com/gke-accelerator-count: 4x"), "1 of 1 []"},
      {"another driver hands out single devices", host("{name: '0'}", "", "gpu.example.com"),
       "none"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const auto snapshot = row.scene.build();
    const Inventory inventory(snapshot);
    CHECK(to_line(tpu_host_of(snapshot, inventory.pools().front())) == row.host);
  }
}

std::string labels(const char* topology, const char* pool = "p") {
  return base::format(
      "cloud.google.com/gke-nodepool: {}, cloud.google.com/gke-tpu-topology: {}, "
      "cloud.google.com/gke-accelerator-count: '4'",
      pool, topology);
}

constexpr const char* kHeld =
    "allocation: {devices: {results: [{request: gpu, driver: tpu.google.com, pool: n2, device: "
    "'0'}]}}";

Scene second_node(const char* ready) {
  return scene()
      .node("n1", labels("2x2x2"))
      .yaml(base::format(R"(apiVersion: v1
kind: Node
metadata: {{name: n2, labels: {{{}}}}}
status: {{conditions: [{{type: Ready, status: "{}"}}]}}
)",
                         labels("2x2x2"), ready));
}

TEST_CASE("a slice of several hosts is as whole as its hosts") {
  const auto chips = [](Scene scene, const char* node, const char* devices) {
    return scene.slice({.name = node,
                        .driver = kDriver,
                        .pool = node,
                        .where = base::format("nodeName: {}", node),
                        .devices = devices});
  };
  constexpr const char* four = "{name: '0'}, {name: '1'}, {name: '2'}, {name: '3'}";
  auto two_hosts = scene().node("n1", labels("2x2x2")).node("n2", labels("2x2x2"));
  struct Row {
    const char* name;
    Scene scene;
    const char* slice;
  };
  const Row rows[] = {
      {"all are there", chips(chips(two_hosts, "n1", four), "n2", four), "p of 2:"},
      {"one publishes nothing, and says nothing of itself", chips(two_hosts, "n1", four),
       "p of 2: n2 ready"},
      {"one has lost a chip",
       chips(chips(two_hosts, "n1", four), "n2", "{name: '0'}, {name: '1'}, {name: '3'}"),
       "p of 2: n2 3 of 4 [2]"},
      {"one is ready", chips(chips(second_node("True"), "n1", four), "n2", four), "p of 2:"},
      {"one is down, and its chips are still published",
       chips(chips(second_node("Unknown"), "n1", four), "n2", four), "p of 2: n2"},
      {"one is down, and somebody holds it",
       chips(chips(second_node("False"), "n1", four), "n2", four)
           .claim("c", support::exactly("gpu", 1), kHeld),
       "p of 2:"},
      {"one has no node", chips(scene().node("n1", labels("2x2x2")), "n1", four),
       "p of 2: absent 1"},
      {"a host of its own is none", chips(scene().node("n1", labels("2x2")), "n1", four), "none"},
      {"a node pool of several slices is not known",
       chips(Scene(two_hosts).node("n3", labels("2x2x2")), "n1", four), "none"},
      {"a shape that is none", chips(scene().node("n1", labels("2xx2")), "n1", four), "none"},
      {"a shape beyond all numbers",
       chips(scene().node("n1", labels("99999999x99999999x99999999")), "n1", four), "none"},
      {"no label", chips(scene().node("n1"), "n1", four), "none"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const auto snapshot = row.scene.build();
    const Inventory inventory(snapshot);
    CHECK(to_line(TpuSlices(snapshot, inventory, kDriver).of("n1")) == row.slice);
  }
}

}  // namespace
}  // namespace dra::engine::tpu_hosts_test
