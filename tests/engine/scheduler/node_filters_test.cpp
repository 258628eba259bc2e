// tests/engine/scheduler/node_filters_test.cpp

#include "dra/engine/scheduler/node_filters.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::node_filters_test {
namespace {

using support::Scene;
using support::scene;

// The node n1 with room for 10 pods, 8 CPUs, 16Gi, 4 of example.com/gpu, and the label disk=hdd,
// unless `spec` or `status` add to it.
std::string node_yaml(std::string_view spec, std::string_view allocatable) {
  return base::format(
      "{{apiVersion: v1, kind: Node, metadata: {{name: n1, labels: {{disk: hdd, zone: a}}}}, spec: "
      "{{{}}}, status: {{allocatable: {{{}}}}}}}",
      spec, allocatable);
}
constexpr const char* kRoom = "pods: 10, cpu: '8', memory: 16Gi, example.com/gpu: 4";

std::string against_n1(const Scene& built) {
  const auto snapshot = built.build();
  const NodeLoads loads(snapshot);
  const api::Pod* pod = snapshot.find<api::Pod>("default", "p");
  REQUIRE(pod != nullptr);
  const NodeFilters filters(snapshot, loads, *pod);
  std::vector<std::string> reasons;
  for (const diag::Reason& reason : filters.against(*snapshot.find<api::Node>("n1")))
    reasons.push_back(base::format("{}: {}", diag::name_of(reason.code), reason.message));
  return base::join(reasons, "\n");
}

struct Case {
  const char* name;
  const char* node;  // its spec
  const char* pod;   // its spec
  const char* want;
};

const Case kPlaces[] = {
    {"nothing stands against a plain pod", "", "", ""},
    {"a node name of its own", "", "nodeName: n1", ""},
    {"another node's name", "", "nodeName: n2", "NodeName: spec.nodeName is n2"},
    {"a cordoned node", "unschedulable: true", "",
     "NodeUnschedulable: the node is cordoned (spec.unschedulable)"},
    {"a cordon is told once, though it is a taint as well",
     "unschedulable: true, taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}, "
     "{key: a, effect: NoExecute}]",
     "",
     "NodeUnschedulable: the node is cordoned (spec.unschedulable)\n"
     "NodeTainted: taint a:NoExecute is not tolerated"},
    {"a cordon can be tolerated", "unschedulable: true",
     "tolerations: [{key: node.kubernetes.io/unschedulable, operator: Exists, effect: NoSchedule}]",
     ""},
    {"not for another effect", "unschedulable: true",
     "tolerations: [{key: node.kubernetes.io/unschedulable, operator: Exists, effect: NoExecute}]",
     "NodeUnschedulable: the node is cordoned (spec.unschedulable)"},
    {"a taint with a value", "taints: [{key: gpu, value: 'yes', effect: NoSchedule}]", "",
     "NodeTainted: taint gpu=yes:NoSchedule is not tolerated"},
    {"several taints",
     "taints: [{key: a, effect: NoSchedule}, {key: b, value: c, effect: NoExecute}]", "",
     "NodeTainted: taints a:NoSchedule, b=c:NoExecute are not tolerated"},
    {"only what is not tolerated is told",
     "taints: [{key: a, effect: NoSchedule}, {key: b, value: c, effect: NoExecute}]",
     "tolerations: [{key: a, operator: Exists}]",
     "NodeTainted: taint b=c:NoExecute is not tolerated"},
    {"a taint that only ranks nodes", "taints: [{key: a, effect: PreferNoSchedule}]", "", ""},
    {"an equal value", "taints: [{key: a, value: b, effect: NoSchedule}]",
     "tolerations: [{key: a, value: b, effect: NoSchedule}]", ""},
    {"another value", "taints: [{key: a, value: b, effect: NoSchedule}]",
     "tolerations: [{key: a, operator: Equal, value: c}]",
     "NodeTainted: taint a=b:NoSchedule is not tolerated"},
    {"every key", "taints: [{key: a, value: b, effect: NoSchedule}]",
     "tolerations: [{operator: Exists}]", ""},
    {"an operator that does not exist", "taints: [{key: a, effect: NoSchedule}]",
     "tolerations: [{key: a, operator: Like}]", "NodeTainted: taint a:NoSchedule is not tolerated"},
    {"a number that is large enough", "taints: [{key: a, value: '5', effect: NoSchedule}]",
     "tolerations: [{key: a, operator: Gt, value: '3'}]", ""},
    {"one that is small enough", "taints: [{key: a, value: '-5', effect: NoSchedule}]",
     "tolerations: [{key: a, operator: Lt, value: '0'}]", ""},
    {"one that is too small", "taints: [{key: a, value: '3', effect: NoSchedule}]",
     "tolerations: [{key: a, operator: Gt, value: '3'}]",
     "NodeTainted: taint a=3:NoSchedule is not tolerated"},
    {"what is no number to Kubernetes", "taints: [{key: a, value: '05', effect: NoSchedule}]",
     "tolerations: [{key: a, operator: Gt, value: '3'}]",
     "NodeTainted: taint a=05:NoSchedule is not tolerated"},
    {"features that the kubelet does not declare", "",
     "hostNetwork: true, hostUsers: false, containers: [{name: c, restartPolicyRules: [{action: "
     "RestartAllContainers}], volumeMounts: [{name: v, bindMountOptions: [noexec]}]}]",
     "NodeFeatures: the kubelet of the node does not declare RestartAllContainersOnContainerExits, "
     "UserNamespacesHostNetworkSupport, VolumeBindMountOptions"},
    {"a comparison with another taint", "taints: [{key: a, value: '5', effect: NoSchedule}]",
     "tolerations: [{key: b, operator: Gt, value: '3'}]",
     "NodeTainted: taint a=5:NoSchedule is not tolerated"},
    {"a label that the node has", "", "nodeSelector: {disk: hdd}", ""},
    {"labels that it does not have", "", "nodeSelector: {disk: ssd, rack: '7', zone: a}",
     "NodeAffinity: nodeSelector disk=ssd,rack=7 does not match"},
    {"an empty value is not an absent label", "", "nodeSelector: {rack: ''}",
     "NodeAffinity: nodeSelector rack= does not match"},
};

const char* const kRequired =
    "affinity: {{nodeAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: "
    "{{nodeSelectorTerms: [{}]}}}}}}";

const Case kTerms[] = {
    {"a term that holds", "", "{matchExpressions: [{key: zone, operator: In, values: [a, b]}]}",
     ""},
    {"one that does not", "", "{matchExpressions: [{key: zone, operator: In, values: [b, c]}]}",
     "NodeAffinity: required node affinity zone in (b,c) does not match"},
    {"one of two is enough", "",
     "{matchExpressions: [{key: x, operator: Exists}]}, {matchExpressions: [{key: zone, operator: "
     "Exists}]}",
     ""},
    {"beside one that cannot be read", "",
     "{matchExpressions: [{key: x, operator: Like}]}, {matchExpressions: [{key: zone, operator: "
     "Exists}]}",
     ""},
    {"which alone matches nothing", "", "{matchExpressions: [{key: zone, operator: Like}]}",
     "NodeAffinity: required node affinity zone does not match"},
    {"the node by its name", "",
     "{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}", ""},
    {"another node by its name", "",
     "{matchFields: [{key: metadata.name, operator: In, values: [n2]}]}",
     "NodeAffinity: required node affinity n2 does not match"},
    {"no terms match nothing", "", "",
     "NodeAffinity: required node affinity without terms does not match"},
};

TEST_CASE("names, taints and labels") {
  for (const Case& row : kPlaces) {
    CAPTURE(row.name);
    CHECK(against_n1(scene().yaml(node_yaml(row.node, kRoom)).pod("p", "", row.pod)) == row.want);
  }
}

TEST_CASE("required node affinity") {
  for (const Case& row : kTerms) {
    CAPTURE(row.name);
    CHECK(against_n1(scene()
                         .yaml(node_yaml(row.node, kRoom))
                         .pod("p", "", base::format(kRequired, row.pod))) == row.want);
  }
}

struct RoomCase {
  const char* name;
  const char* allocatable;
  const char* requests;  // of the pod
  const char* others;    // of two pods on the node each
  const char* want;
};

const RoomCase kRooms[] = {
    {"enough of everything", kRoom, "cpu: '4', memory: 8Gi, example.com/gpu: 2",
     "cpu: '2', memory: 4Gi, example.com/gpu: 1", ""},
    {"too little left", kRoom, "cpu: '8'", "cpu: 2250m",
     "NodeResources: the pod needs 8 cpu, and 3500m of 8 are left (4500m requested by 2 pods)"},
    {"more than the node ever has", kRoom, "memory: 32Gi", "memory: 1Gi",
     "NodeResources: the pod needs 32Gi memory, and the node has 16Gi"},
    {"nothing left", kRoom, "example.com/gpu: 1", "example.com/gpu: 2",
     "ExtendedResource: the pod needs 1 example.com/gpu, and none of 4 is left (4 requested by 2 "
     "pods)"},
    {"less than nothing left", "pods: 10, cpu: '3'", "cpu: '1'", "cpu: '2'",
     "NodeResources: the pod needs 1 cpu, and none of 3 is left (4 requested by 2 pods)"},
    {"a resource that the node does not have", kRoom, "example.com/tpu: 8", "",
     "ExtendedResource: the pod needs 8 example.com/tpu, and the node has none"},
    {"huge pages are the node's own", kRoom, "hugepages-2Mi: 4Mi", "",
     "NodeResources: the pod needs 4Mi hugepages-2Mi, and the node has none"},
    {"zero never fails", "pods: 10", "cpu: '0', example.com/gpu: 0", "cpu: '2'", ""},
    {"several are short", "pods: 10, cpu: '4', memory: 1Gi", "cpu: '3', memory: 2Gi", "cpu: '1'",
     "NodeResources: the pod needs 3 cpu, and 2 of 4 are left (2 requested by 2 pods)\n"
     "NodeResources: the pod needs 2Gi memory, and the node has 1Gi"},
    {"as many pods as the node takes", "pods: 2", "", "",
     "NodeResources: the node takes 2 pods, and 2 are there"},
    {"a node that takes no pods", "pods: 0", "", "",
     "NodeResources: the node takes no pods (status.allocatable)"},
    {"a node that does not say", "", "", "",
     "NodeResources: the node does not say how many pods it takes (status.allocatable), which "
     "means none"},
};

TEST_CASE("what pods on the node leave") {
  for (const RoomCase& row : kRooms) {
    CAPTURE(row.name);
    const auto spec = [](const char* requests, const char* node) {
      return base::format("{}containers: [{{name: c, resources: {{requests: {{{}}}}}}}]", node,
                          requests);
    };
    CHECK(against_n1(scene()
                         .yaml(node_yaml("", row.allocatable))
                         .pod("a", "", spec(row.others, "nodeName: n1, "))
                         .pod("b", "", spec(row.others, "nodeName: n1, "))
                         .pod("p", "", spec(row.requests, ""))) == row.want);
  }
}

TEST_CASE("a pod does not stand in its own way") {
  CHECK(against_n1(scene()
                       .yaml(node_yaml("", "pods: 1, cpu: '1'"))
                       .pod("p", "",
                            "nodeName: n1, containers: [{name: c, ports: [{hostPort: 80}], "
                            "resources: {requests: {cpu: '1'}}}]")) == "");
}

TEST_CASE("ports of the host") {
  const auto with = [](std::string_view ports) {
    return base::format("containers: [{{name: c, ports: [{}]}}]", ports);
  };
  const auto asked = [&with](std::string_view ports) {
    return against_n1(
        scene()
            .yaml(node_yaml("", kRoom))
            .pod("x", "",
                 "nodeName: n1, " + with("{hostPort: 8080}, {hostPort: 53, protocol: UDP, hostIP: "
                                         "'fd00::1'}"))
            .pod("p", "", with(ports)));
  };
  CHECK(asked("{hostPort: 8081}, {containerPort: 8080}") == "");
  CHECK(asked("{hostPort: 8080}") == "NodePorts: port 8080/TCP is taken by pod default/x");
  CHECK(asked("{hostPort: 8080, hostIP: 10.0.0.1}") ==
        "NodePorts: port 10.0.0.1:8080/TCP is taken by pod default/x");
  CHECK(asked("{hostPort: 53, protocol: UDP, hostIP: 'fd00::1'}") ==
        "NodePorts: port [fd00::1]:53/UDP is taken by pod default/x");
  CHECK(asked("{hostPort: 53, protocol: UDP, hostIP: 'fd00::2'}") == "");
}

TEST_CASE("without the pods nothing is reported about ports and resources") {
  CHECK(against_n1(scene()
                       .yaml(node_yaml("unschedulable: true", ""))
                       .pod("p", "", "containers: [{name: c, resources: {requests: {cpu: '9'}}}]")
                       .cannot_read(api::Kind::Pod)) ==
        "NodeUnschedulable: the node is cordoned (spec.unschedulable)");
}

constexpr const char* kClasses =
    "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: tpu}, spec: "
    "{extendedResourceName: example.com/tpu}}";

struct DraCase {
  const char* name;
  const char* version;
  const char* resource;
  const char* want;
};

const DraCase kDra[] = {
    {"what a class serves is not held against a node", "v1.37.1", "example.com/tpu", ""},
    {"nor what has the name of a class", "v1.37.1", "deviceclass.resource.kubernetes.io/tpu", ""},
    {"a class that does not exist serves nothing", "v1.37.1",
     "deviceclass.resource.kubernetes.io/none",
     "ExtendedResource: the pod needs 5 deviceclass.resource.kubernetes.io/none, and the node has "
     "none"},
    {"older releases serve nothing by classes", "v1.35.0", "example.com/tpu",
     "ExtendedResource: the pod needs 5 example.com/tpu, and the node has none"},
};

TEST_CASE("extended resources that DRA may serve") {
  for (const DraCase& row : kDra) {
    CAPTURE(row.name);
    CHECK(against_n1(scene()
                         .yaml(node_yaml("", kRoom))
                         .yaml(kClasses)
                         .server(row.version)
                         .pod("p", "",
                              base::format("containers: [{{name: c, resources: {{limits: {{{}: "
                                           "5}}}}}}]",
                                           row.resource))) == row.want);
  }
}

}  // namespace
}  // namespace dra::engine::node_filters_test
