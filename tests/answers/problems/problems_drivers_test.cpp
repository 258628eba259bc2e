// tests/answers/problems/problems_drivers_test.cpp: classes of which nobody can have a device,
// nodes on which nobody can prepare one, and kubelets that do not go with the API server.

#include "tests/answers/problems/problems_text.h"

namespace dra::answers::problems_drivers_test {
namespace {

using problems::Case;
using problems::check;
using support::scene;
using Words = support::Scene;

Words with_class(std::string_view expression) {
  return scene().slice("n1", {"d"}).device_class("some", expression);
}

TEST_CASE("classes of which nobody can have a device") {
  const Case rows[] = {
      {"one that has devices", with_class("device.driver == 'gpu.example.com'"), ""},
      {"one that matches nothing", with_class("device.driver == 'gone.example.com'"),
       "hint DriverPublishesNothing: Driver gone.example.com publishes no device, and no "
       "DaemonSet or pod of it was found; gpu.example.com, of the same vendor, publishes some "
       "(class "
       "some). > describe class some\n"},
      {"one whose driver has devices that do not match",
       with_class("device.driver == 'gpu.example.com' && false"),
       "hint ClassMatchesNothing: Class some matches no device. > describe class some\n"},
      {"one that fails", with_class("device.attributes['gpu.example.com'].nosuch == 'x'"),
       "error SelectorError: A selector of class some fails on 1 device: a pod that asks for the "
       "class gets no node that has one of them. > describe class some\n"},
      {"one that does not compile", with_class("device.nosuch"),
       "error SelectorCompile: A selector of class some does not compile: no claim gets a device "
       "of "
       "it. > describe class some\n"},
      {"slices that cannot be read",
       with_class("device.driver == 'gone.example.com'").cannot_read(api::Kind::Slice),
       "warning NotVisible: resourceslices cannot be read (forbidden): what depends on them is "
       "unknown. > rbac\n"},
  };
  for (const Case& row : rows)
    check(row);
}

std::string plugin(std::string_view node, std::string_view ready) {
  return base::format(
      "{{apiVersion: v1, kind: Pod, metadata: {{name: gpu-example-com-{0}, namespace: drivers, "
      "ownerReferences: [{{apiVersion: apps/v1, kind: DaemonSet, name: gpu, uid: u, controller: "
      "true}}]}}, spec: {{nodeName: {0}}}, status: {{phase: Running, conditions: [{{type: Ready, "
      "status: \"{1}\"}}]}}}}",
      node, ready);
}

// Names without a domain get the driver's, so a domain may mean a driver that its class does not
// compare with.
TEST_CASE("a driver that a class means by a domain") {
  const auto by_domain = [](const Words& words) {
    Words all = words;
    return all.device_class("some",
                            "device.capacity['gpu.example.com'].memory.compareTo(quantity('1Gi')) "
                            "> 0");
  };
  const Case rows[] = {
      {"its pod does not come up", by_domain(scene().node("n1").yaml(plugin("n1", "False"))),
       "warning DriverPublishesNothing: Driver gpu.example.com publishes no device: its pod "
       "drivers/gpu-example-com-n1 on node n1 is not ready (Running) (class some). > describe "
       "class "
       "some\n"},
      {"there is no such driver", by_domain(scene().node("n1")),
       "hint ClassMatchesNothing: Class some matches no device. > describe class some\n"},
  };
  for (const Case& row : rows)
    check(row);
}

Words served() {
  return scene()
      .node("n1")
      .node("n2")
      .slice({.name = "s1", .pool = "n1", .where = "nodeName: n1", .devices = "{name: d}"})
      .slice({.name = "s2", .pool = "n2", .where = "nodeName: n2", .devices = "{name: d}"});
}

TEST_CASE("nodes on which nobody can prepare a device") {
  const Case rows[] = {
      {"no plugin is known for what it is", served(), ""},
      {"one on each node", served().yaml(plugin("n1", "True")).yaml(plugin("n2", "True")), ""},
      {"none on a node", served().yaml(plugin("n1", "True")),
       "warning DriverNotRegistered: Node n2 has devices of gpu.example.com, and the driver's "
       "plugin does not run there: they cannot be prepared. > describe node n2\n"},
      {"one that is not ready", served().yaml(plugin("n1", "True")).yaml(plugin("n2", "False")),
       "warning DriverNotRegistered: Node n2 has devices of gpu.example.com, and the driver's "
       "plugin is not ready there: they cannot be prepared. > describe node n2\n"},
      {"one that is not ready, and one that is not there", served().yaml(plugin("n1", "False")),
       "warning DriverNotRegistered: 2 nodes (n1, n2) have devices of gpu.example.com, and the "
       "driver's plugin does not run there or is not ready: they cannot be prepared. > nodes\n"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("a driver and the pods that wait for it are one problem") {
  const Words silent = scene().node("n1").device_class("gone", "device.driver == 'gone.org'");
  const Words waits = Words(silent)
                          .claim("c", "{name: r, exactly: {deviceClassName: gone}}")
                          .pod("p", "{name: a, resourceClaimName: c}");
  const Case rows[] = {
      {"no pod waits", silent,
       "hint DriverPublishesNothing: Driver gone.org publishes no device, and no DaemonSet or pod "
       "of it was found (class gone). > describe class gone\n"},
      {"a pod waits", waits,
       "error DriverPublishesNothing: Pod default/p: Pending. Driver gone.org publishes no device, "
       "and no DaemonSet or pod of it was found. > explain pod p -n default\n"},
      {"a second driver is silent, too",
       Words(waits).device_class("other", "device.driver == 'gone.org.too'"),
       "error DriverPublishesNothing: Pod default/p: Pending. Driver gone.org publishes no device, "
       "and no DaemonSet or pod of it was found. > explain pod p -n default\n"
       "hint DriverPublishesNothing: Driver gone.org.too publishes no device, and no DaemonSet or "
       "pod of it was found (class other). > describe class other\n"},
  };
  for (const Case& row : rows)
    check(row);
}

std::string kubelet(std::string_view node, std::string_view version) {
  return base::format(
      "{{apiVersion: v1, kind: Node, metadata: {{name: {}}}, status: {{nodeInfo: {{kubeletVersion: "
      "\"{}\"}}}}}}",
      node, version);
}

TEST_CASE("kubelets that do not go with the API server") {
  const Case rows[] = {
      {"three releases older",
       scene()
           .server("v1.37.1")
           .yaml(kubelet("n1", "v1.34.9-gke.1"))
           .yaml(kubelet("n2", "v1.37.0")),
       ""},
      {"four releases older",
       scene().server("v1.37.1").yaml(kubelet("n1", "v1.33.1")).yaml(kubelet("n2", "v1.33.1")),
       "warning VersionSkew: The kubelet of 2 nodes (n1, n2) is v1.33.1, more than 3 minor "
       "releases "
       "older than the API server (v1.37.1). > nodes\n"},
      {"newer", scene().server("v1.36.4").yaml(kubelet("n1", "v1.37.0")),
       "warning VersionSkew: The kubelet of node n1 is v1.37.0, newer than the API server "
       "(v1.36.4). > describe node n1\n"},
      {"of a dump, whose server is no older than the newest kubelet",
       scene().yaml(kubelet("n1", "v1.33.1")).yaml(kubelet("n2", "v1.37.0")),
       "warning VersionSkew: The kubelet of node n1 is v1.33.1, more than 3 minor releases older "
       "than the API server (assumed to be v1.37). > describe node n1\n"},
      {"no version", scene().server("v1.37.1").yaml(kubelet("n1", "fake")), ""},
  };
  for (const Case& row : rows)
    check(row);
}

}  // namespace
}  // namespace dra::answers::problems_drivers_test
