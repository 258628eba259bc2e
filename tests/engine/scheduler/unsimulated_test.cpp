// tests/engine/scheduler/unsimulated_test.cpp: what of a pod is not simulated, as NodeFilters tells
// it.

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "dra/engine/scheduler/node_filters.h"
#include "tests/support/builders.h"

namespace dra::engine::unsimulated_test {
namespace {

using support::Scene;
using support::scene;

std::string not_simulated(const Scene& built) {
  const auto snapshot = built.build();
  const NodeLoads loads(snapshot);
  return base::join(
      NodeFilters(snapshot, loads, *snapshot.find<api::Pod>("default", "p")).not_simulated(), "; ");
}

struct Case {
  const char* name;
  const char* spec;
  const char* want;
};

const Case kCases[] = {
    {"a plain pod", "containers: [{name: c, resources: {requests: {cpu: '1'}}}]", ""},
    {"everything that is simulated",
     "nodeSelector: {a: b}, tolerations: [{operator: Exists}], hostNetwork: true, affinity: "
     "{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
     "[{matchExpressions: [{key: a, operator: Exists}]}]}}}",
     ""},
    {"volumes that every node can have",
     "volumes: [{name: a, configMap: {name: x}}, {name: b, emptyDir: {}}, {name: c, hostPath: "
     "{path: /x}}, {name: d, projected: {}}, {name: e, csi: {driver: x}}, {name: f, nfs: {}}]",
     ""},
    {"volumes that not every node can have",
     "volumes: [{name: a, persistentVolumeClaim: {claimName: x}}, {name: b, ephemeral: {}}, {name: "
     "c, persistentVolumeClaim: {claimName: z}}, {name: d, rbd: {}}]",
     ""},
    {"what is only preferred",
     "affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1}]}}, "
     "topologySpreadConstraints: [{whenUnsatisfiable: ScheduleAnyway}]",
     ""},
    {"a pod group that does not exist", "schedulingGroup: {podGroupName: g}", ""},
    {"requests that are not valid quantities",
     "containers: [{name: c, resources: {requests: {cpu: much}}}]",
     "requests that are not valid quantities"},
    {"an extended resource that no class serves",
     "containers: [{name: c, resources: {limits: {example.com/nic: 1}}}]", ""},
    {"one that a class serves",
     "containers: [{name: c, resources: {limits: {example.com/tpu: 1}}}]", ""},
    {"one with the name of a class that has lost its resource to another",
     "containers: [{name: c, resources: {limits: {deviceclass.resource.kubernetes.io/tpu-twin: "
     "1}}}]",
     "whether a device class serves the resource deviceclass.resource.kubernetes.io/tpu-twin"},
};

// Two nodes with example.com/gpu, one of them with example.com/tpu, and classes that serve both,
// the latter two of them.
Scene two_nodes() {
  Scene built = scene();
  for (const char* node : {"n1, tpu", "n2, none"}) {
    const std::string_view name = std::string_view(node).substr(0, 2);
    built.yaml(
        base::format("{{apiVersion: v1, kind: Node, metadata: {{name: {}}}, status: "
                     "{{allocatable: {{example.com/gpu: 4, example.com/{}: 4}}}}}}",
                     name, std::string_view(node).substr(4)));
  }
  for (const char* kind : {"gpu-plugin", "tpu-plugin", "tpu-twin"}) {
    built.yaml(
        base::format("{{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: "
                     "{{name: {}}}, spec: {{extendedResourceName: example.com/{}}}}}",
                     kind, std::string_view(kind).substr(0, 3)));
  }
  return built;
}

TEST_CASE("what is not simulated of a pod") {
  for (const Case& row : kCases) {
    CAPTURE(row.name);
    CHECK(not_simulated(two_nodes().pod("p", "", row.spec)) == row.want);
  }
}

TEST_CASE("without classes, extended resources may be DRA's") {
  constexpr const char* gpu = "containers: [{name: c, resources: {limits: {example.com/gpu: 1}}}]";
  constexpr const char* nic = "containers: [{name: c, resources: {limits: {example.com/nic: 1}}}]";
  CHECK(not_simulated(two_nodes().pod("p", "", nic).cannot_read(api::Kind::Class)) ==
        "whether a device class serves the resource example.com/nic");
  CHECK(not_simulated(two_nodes().pod("p", "", gpu).cannot_read(api::Kind::Class)) == "");
}

TEST_CASE("a gang is more than filters of nodes tell") {
  constexpr const char* of_gang = "schedulingGroup: {podGroupName: g}";
  Scene words = two_nodes().pod("p", "", of_gang).cannot_read(api::Kind::PodGroup);
  CHECK(not_simulated(words) == "the pod group g (podgroups cannot be read)");
  words = two_nodes().pod("p", "", of_gang);
  words.yaml(
      "{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: g, namespace: "
      "default}, spec: {schedulingPolicy: {gang: {minCount: 1}}}}");
  CHECK(not_simulated(words) == "whether the pods of gang g fit together");
}

TEST_CASE("what cannot be read of pods") {
  CHECK(not_simulated(two_nodes().pod("p", "").cannot_read(api::Kind::Pod)) ==
        "what other pods request (pods cannot be read)");
}

}  // namespace
}  // namespace dra::engine::unsimulated_test
