// tests/snapshot/inferred_test.cpp: what a snapshot takes from its objects where nothing else says
// it: the time of a dump, and feature gates.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "dra/base/text.h"
#include "dra/base/time.h"
#include "dra/snapshot/builder.h"

namespace dra::snapshot::inferred_test {
namespace {

base::Instant at(std::string_view time) { return base::parse_rfc3339(time).value(); }

Snapshot dump_of(const std::string& text, bool clock = true) {
  Builder builder;
  REQUIRE(builder.add_text(text, "dump.yaml").ok());
  if (clock) builder.set_opened(at("2026-11-20T12:00:00Z"));
  auto built = std::move(builder).build();
  REQUIRE(built.ok());
  return std::move(built).take();
}

struct OfDump {
  const char* name;
  const char* text;
  const char* want;  // the time of the state; empty: not known
};

const OfDump kDumps[] = {
    {"when the newest object was made",
     "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: d, creationTimestamp: "
     "'2026-11-20T09:00:00Z'}, spec: {containers: []}}",
     "2026-11-20T09:00:00Z"},
    {"when an event was seen last",
     "{apiVersion: v1, kind: Event, metadata: {name: e, namespace: d, creationTimestamp: "
     "'2026-11-20T08:00:00Z'}, lastTimestamp: '2026-11-20T09:10:00Z'}",
     "2026-11-20T09:10:00Z"},
    {"when a container ended",
     "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: d, creationTimestamp: "
     "'2026-11-20T09:00:00Z'}, spec: {containers: []}, status: {containerStatuses: [{name: c, "
     "lastState: {terminated: {exitCode: 1, finishedAt: '2026-11-20T09:20:00Z'}}}]}}",
     "2026-11-20T09:20:00Z"},
    {"not when a pod is to be gone",
     "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: d, creationTimestamp: "
     "'2026-11-20T09:00:00Z', deletionTimestamp: '2026-11-20T11:00:00Z'}, spec: {containers: []}}",
     "2026-11-20T09:00:00Z"},
    {"not later than the file was opened",
     "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: d, creationTimestamp: "
     "'2026-11-20T13:00:00Z'}, spec: {containers: []}}",
     "2026-11-20T12:00:00Z"},
    {"objects without a time",
     "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: d}, spec: {containers: []}}", ""},
};

TEST_CASE("a dump is not older than the newest time in it") {
  for (const OfDump& row : kDumps) {
    CAPTURE(row.name);
    const Snapshot snapshot = dump_of(row.text);
    CHECK(snapshot.not_before().has_value() == (*row.want != '\0'));
    if (snapshot.not_before()) CHECK(*snapshot.not_before() == at(row.want));
    CHECK_FALSE(snapshot.time());
    CHECK(*snapshot.now() == at("2026-11-20T12:00:00Z"));
  }
}

TEST_CASE("without a clock nothing has a time") {
  CHECK_FALSE(dump_of(kDumps[0].text, false).not_before());
}

std::string slice_with(std::string_view device, std::string_view kubelet) {
  return base::format(
      "{{apiVersion: v1, kind: Node, metadata: {{name: n1}}, status: {{nodeInfo: {{kubeletVersion: "
      "{}}}}}}}\n---\n{{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {{name: "
      "s}}, "
      "spec: {{driver: d.example.com, pool: {{name: n1, generation: 1, resourceSliceCount: 1}}, "
      "nodeName: n1, devices: [{{name: a, {}}}]}}}}",
      kubelet, device);
}

std::string gates_of(const Snapshot& snapshot) {
  std::vector<std::string> names;
  for (const auto& [name, on] : snapshot.server().gates)
    names.push_back(name);
  return base::join(names, " ");
}

TEST_CASE("a field that is stored shows that its gate is on") {
  const std::string taint = "taints: [{key: k, effect: NoSchedule}]";
  const std::string counters = "consumesCounters: [{counterSet: c, counters: {m: {value: '1'}}}]";
  CHECK(gates_of(dump_of(slice_with(taint, "v1.35.1"))) == "DRADeviceTaints");
  CHECK(gates_of(dump_of(slice_with(counters, "v1.34.0"))) == "DRAPartitionableDevices");
  CHECK(gates_of(dump_of(slice_with("allowMultipleAllocations: true", "v1.34.0"))) ==
        "DRAConsumableCapacity");
  CHECK(gates_of(dump_of(slice_with("bindingConditions: [ready]", "v1.34.0"))) ==
        "DRADeviceBindingConditions");
  CHECK(gates_of(dump_of(slice_with(taint, "v1.36.0"))).empty());  // it is on by default
  CHECK(gates_of(dump_of(slice_with("attributes: {}", "v1.35.1"))).empty());
}

// A pod of kubeadm with these flags.
std::string component(std::string_view program, std::string_view flags) {
  return base::format(
      "\n---\n{{apiVersion: v1, kind: Pod, metadata: {{name: {0}-cp, namespace: kube-system, "
      "labels: "
      "{{component: {0}}}}}, spec: {{containers: [{{name: c, command: [{0}, {1}]}}]}}}}",
      program, flags);
}

std::string gates_with_values(const std::string& text) {
  const Snapshot snapshot = dump_of(text);
  std::vector<std::string> gates;
  for (const auto& [name, on] : snapshot.server().gates)
    gates.push_back(base::format("{}={}", name, on ? "true" : "false"));
  return base::join(gates, " ");
}

TEST_CASE("command lines of the control plane say which gates are on") {
  const std::string server = component("kube-apiserver", "'--feature-gates=A=true,B=true,C=false'");
  const std::string scheduler = component("kube-scheduler", "'--feature-gates=A=true,C=true'");
  CHECK(gates_with_values(server) == "A=true B=true C=false");
  CHECK(gates_with_values(server + scheduler) == "A=true C=false");
  CHECK(gates_with_values(component("kube-apiserver", "-v=2, --feature-gates, 'kube:A=true'")) ==
        "A=true");
  CHECK(gates_with_values(component("kube-controller-manager", "--feature-gates=A=true")).empty());
}

TEST_CASE("a gate that is stored is off where the scheduler does not have it") {
  const std::string taint = slice_with("taints: [{key: k, effect: NoSchedule}]", "v1.35.1");
  const std::string server = component("kube-apiserver", "--feature-gates=DRADeviceTaints=true");
  CHECK(gates_with_values(taint + server) == "DRADeviceTaints=true");
  CHECK(gates_with_values(taint + server + component("kube-scheduler", "-v=2")).empty());
  CHECK(gates_with_values(taint + server +
                          component("kube-scheduler", "--feature-gates=AllBeta=true")) ==
        "DRADeviceTaints=true");
  CHECK(gates_with_values(taint + server +
                          component("kube-scheduler", "--feature-gates=DRADeviceTaints=true")) ==
        "DRADeviceTaints=true");
}

}  // namespace
}  // namespace dra::snapshot::inferred_test
