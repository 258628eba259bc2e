// tests/engine/cluster/pod_requests_test.cpp

#include "dra/engine/cluster/pod_requests.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::pod_requests_test {
namespace {

using support::scene;

std::string text_of(const PodRequests& requests) {
  std::vector<std::string> parts;
  for (const Amount& amount : requests.amounts)
    parts.push_back(
        base::format("{} {}", amount_text(amount.resource, amount.value), amount.resource));
  if (!requests.readable) parts.emplace_back("...");
  return base::join(parts, ", ");
}

struct Case {
  const char* name;
  const char* spec;
  const char* want;
};

const Case kToStart[] = {
    {"no requests", "containers: [{name: c}]", ""},
    {"containers add up",
     "containers: [{name: c, resources: {requests: {cpu: 500m, memory: 1Gi}}}, {name: d, "
     "resources: {requests: {cpu: '2', ephemeral-storage: 10Gi}}}]",
     "2500m cpu, 1Gi memory, 10Gi ephemeral-storage"},
    {"an init container needs the larger amount",
     "initContainers: [{name: i, resources: {requests: {cpu: '3', memory: 1Gi}}}], containers: "
     "[{name: c, resources: {requests: {cpu: '1', memory: 2Gi}}}]",
     "3 cpu, 2Gi memory"},
    {"init containers run one after the other",
     "initContainers: [{name: i, resources: {requests: {cpu: '3'}}}, {name: j, resources: "
     "{requests: {cpu: '2'}}}]",
     "3 cpu"},
    {"a sidecar adds to containers",
     "initContainers: [{name: i, restartPolicy: Always, resources: {requests: {cpu: '1'}}}], "
     "containers: [{name: c, resources: {requests: {cpu: '1'}}}]",
     "2 cpu"},
    {"and to the init containers below it, not to those above it",
     "initContainers: [{name: i, resources: {requests: {cpu: '5'}}}, {name: j, restartPolicy: "
     "Always, resources: {requests: {cpu: '2'}}}, {name: k, resources: {requests: {cpu: '4'}}}]",
     "6 cpu"},
    {"overhead comes on top",
     "overhead: {cpu: 250m, memory: 1Mi}, containers: [{name: c, resources: {requests: {cpu: "
     "'1'}}}]",
     "1250m cpu, 1Mi memory"},
    {"a limit is a request where there is none",
     "containers: [{name: c, resources: {limits: {cpu: '2', example.com/gpu: 1}, requests: {cpu: "
     "'1'}}}]",
     "1 cpu, 1 example.com/gpu"},
    {"the pod's own requests take the place of the sum",
     "resources: {requests: {cpu: '4'}}, containers: [{name: c, resources: {requests: {cpu: '1', "
     "memory: 1Gi}}}]",
     "4 cpu, 1Gi memory"},
    {"of cpu, memory and huge pages only",
     "resources: {requests: {cpu: '4', example.com/gpu: 8}}, containers: [{name: c, resources: "
     "{requests: {example.com/gpu: 1}}}]",
     "4 cpu, 1 example.com/gpu"},
    {"the pod's own limit is a request where no container asks",
     "resources: {limits: {cpu: '4', memory: 8Gi}}, containers: [{name: c, resources: {requests: "
     "{cpu: '1'}}}]",
     "1 cpu, 8Gi memory"},
    {"resources of other kinds follow by name",
     "containers: [{name: c, resources: {requests: {hugepages-2Mi: 4Mi, b.io/x: 2, a.io/x: 3, "
     "attachable-volumes-x: 1, kubernetes.io/batch: 7}}}]",
     "3 a.io/x, 1 attachable-volumes-x, 2 b.io/x, 4Mi hugepages-2Mi, 7 kubernetes.io/batch"},
    {"what the scheduler does not know is omitted",
     "containers: [{name: c, resources: {requests: {pods: 3, storage: 1Gi, gpus: 2, "
     "requests.a.io/x: 1}}}]",
     ""},
    {"a CPU is counted in thousandths, rounded up",
     "containers: [{name: c, resources: {requests: {cpu: 100u}}}]", "1m cpu"},
    {"rounding is of the sum",
     "containers: [{name: c, resources: {requests: {cpu: 500u, memory: 500m}}}, {name: d, "
     "resources: {requests: {cpu: 500u, memory: 500m}}}]",
     "1m cpu, 1 memory"},
    {"what fits no number is the largest one",
     "containers: [{name: c, resources: {requests: {memory: 1e30}}}]",
     "9223372036854775807 memory"},
    {"less than nothing is nothing",
     "containers: [{name: c, resources: {requests: {memory: '-1'}}}]", "0 memory"},
    {"what is not a quantity is omitted and reported",
     "containers: [{name: c, resources: {requests: {cpu: much, memory: 1Gi}}}]", "1Gi memory, ..."},
};

TEST_CASE("what a pod that looks for a node requests") {
  for (const Case& row : kToStart) {
    CAPTURE(row.name);
    const auto snapshot = scene().pod("p", "", row.spec).build();
    CHECK(text_of(requests_to_start(snapshot.all<api::Pod>().front(), {})) == row.want);
  }
}

struct NodeCase {
  const char* name;
  const char* spec;
  const char* status;
  const char* want;
};

constexpr const char* kOneCpu = "containers: [{name: c, resources: {requests: {cpu: '1'}}}]";
constexpr const char* kPodOfFour =
    "resources: {requests: {cpu: '4'}}, containers: [{name: c, resources: {requests: {cpu: '1'}}}]";

const NodeCase kOnNode[] = {
    {"without a status, what is asked for", kOneCpu, "", "1 cpu"},
    {"a status that says the same", kOneCpu,
     "containerStatuses: [{name: c, allocatedResources: {cpu: '1'}, resources: {requests: {cpu: "
     "'1'}}}]",
     "1 cpu"},
    {"what was admitted, while it is larger", kOneCpu,
     "containerStatuses: [{name: c, allocatedResources: {cpu: '2'}}]", "2 cpu"},
    {"what it runs with, while that is larger", kOneCpu,
     "containerStatuses: [{name: c, allocatedResources: {cpu: '1'}, resources: {requests: {cpu: "
     "'3'}}}]",
     "3 cpu"},
    {"what is asked for, while it grows", kOneCpu,
     "containerStatuses: [{name: c, allocatedResources: {cpu: 500m}, resources: {requests: {cpu: "
     "500m}}}]",
     "1 cpu"},
    {"but not if that cannot be granted", kOneCpu,
     "conditions: [{type: PodResizePending, status: 'True', reason: Infeasible}], "
     "containerStatuses: [{name: c, allocatedResources: {cpu: 500m}, resources: {requests: {cpu: "
     "500m}}}]",
     "500m cpu"},
    {"nothing is known of a container without status then", kOneCpu,
     "conditions: [{type: PodResizePending, status: 'True', reason: Infeasible}]", ""},
    {"a resize that waits counts", kOneCpu,
     "conditions: [{type: PodResizePending, status: 'True', reason: Deferred}], "
     "containerStatuses: [{name: c, allocatedResources: {cpu: 500m}}]",
     "1 cpu"},
    {"the kubelet's sums stand for those of containers", kOneCpu,
     "containerStatuses: [{name: c, allocatedResources: {cpu: '7'}}], allocatedResources: {cpu: "
     "'2'}, resources: {requests: {cpu: '3'}}",
     "3 cpu"},
    {"a pod's own request, too, may be in change", kPodOfFour,
     "allocatedResources: {cpu: '6'}, resources: {requests: {cpu: '5'}}", "6 cpu"},
    {"and only what was granted of it counts when it cannot be", kPodOfFour,
     "conditions: [{type: PodResizePending, status: 'True', reason: Infeasible}], "
     "allocatedResources: {cpu: '2'}, resources: {requests: {cpu: '3'}}",
     "3 cpu"},
    {"init containers have a status as well",
     "initContainers: [{name: i, restartPolicy: Always, resources: {requests: {cpu: '1'}}}]",
     "initContainerStatuses: [{name: i, allocatedResources: {cpu: '2'}}]", "2 cpu"},
};

TEST_CASE("what a pod that has a node requests") {
  for (const NodeCase& row : kOnNode) {
    CAPTURE(row.name);
    const auto snapshot = scene().pod("p", "", row.spec, row.status).build();
    CHECK(text_of(requests_on_node(snapshot.all<api::Pod>().front(), {})) == row.want);
  }
}

struct ReleaseCase {
  const char* name;
  const char* version;
  const char* want;
};

const ReleaseCase kReleases[] = {
    {"1.32 knows no requests of pods and no resize", "v1.32.0", "1 cpu"},
    {"1.33 resizes containers", "v1.33.0", "2 cpu"},
    {"1.34 knows requests of pods", "v1.34.0", "3 cpu"},
    {"1.36 resizes pods", "v1.36.0", "5 cpu"},
};

TEST_CASE("the rules of a release") {
  const auto snapshot =
      scene()
          .pod("p", "",
               "resources: {requests: {cpu: '3'}}, containers: [{name: c, resources: {requests: "
               "{cpu: '1'}}}]",
               "containerStatuses: [{name: c, allocatedResources: {cpu: '2'}}], "
               "allocatedResources: {cpu: '5'}, resources: {requests: {cpu: '4'}}")
          .build();
  for (const ReleaseCase& row : kReleases) {
    CAPTURE(row.name);
    const RequestRules rules = request_rules_of({row.version, false});
    CHECK(text_of(requests_on_node(snapshot.all<api::Pod>().front(), rules)) == row.want);
  }
}

const Case kPorts[] = {
    {"a port of the container alone is none of the host",
     "containers: [{name: c, ports: [{containerPort: 80}]}]", ""},
    {"protocol and address have defaults",
     "containers: [{name: c, ports: [{containerPort: 80, hostPort: 8080}]}]", "0.0.0.0 8080 TCP"},
    {"they may be given",
     "containers: [{name: c, ports: [{containerPort: 80, hostPort: 53, protocol: UDP, hostIP: "
     "10.0.0.1}]}]",
     "10.0.0.1 53 UDP"},
    {"on the host's network every port is the host's",
     "hostNetwork: true, containers: [{name: c, ports: [{containerPort: 80}]}]", "0.0.0.0 80 TCP"},
    {"sidecars keep theirs, other init containers do not count",
     "initContainers: [{name: i, ports: [{hostPort: 1}]}, {name: j, restartPolicy: Always, ports: "
     "[{hostPort: 2}]}], containers: [{name: c, ports: [{hostPort: 3}]}]",
     "0.0.0.0 2 TCP, 0.0.0.0 3 TCP"},
};

TEST_CASE("the ports of the host that a pod wants") {
  for (const Case& row : kPorts) {
    CAPTURE(row.name);
    const auto snapshot = scene().pod("p", "", row.spec).build();
    std::vector<std::string> ports;
    for (const HostPort& port : host_ports_of(snapshot.all<api::Pod>().front()))
      ports.push_back(base::format("{} {} {}", port.ip, port.port, port.protocol));
    CHECK(base::join(ports, ", ") == row.want);
  }
}

struct ConflictCase {
  const char* name;
  HostPort a;
  HostPort b;
  bool want;
};

const ConflictCase kConflicts[] = {
    {"the same", {"10.0.0.1", "TCP", 80}, {"10.0.0.1", "TCP", 80}, true},
    {"every address is this one, too", {"0.0.0.0", "TCP", 80}, {"10.0.0.1", "TCP", 80}, true},
    {"from both sides", {"10.0.0.1", "TCP", 80}, {"0.0.0.0", "TCP", 80}, true},
    {"another address", {"10.0.0.2", "TCP", 80}, {"10.0.0.1", "TCP", 80}, false},
    {"another protocol", {"0.0.0.0", "UDP", 80}, {"0.0.0.0", "TCP", 80}, false},
    {"another port", {"0.0.0.0", "TCP", 81}, {"0.0.0.0", "TCP", 80}, false},
};

TEST_CASE("two ports of one host") {
  for (const ConflictCase& row : kConflicts) {
    CAPTURE(row.name);
    CHECK(conflict(row.a, row.b) == row.want);
  }
}

TEST_CASE("amounts as Kubernetes writes them") {
  CHECK(amount_text("cpu", 3500) == "3500m");
  CHECK(amount_text("cpu", 8000) == "8");
  CHECK(amount_text("memory", 16LL << 30) == "16Gi");
  CHECK(amount_text("memory", 1500) == "1500");
  CHECK(amount_text("hugepages-2Mi", 4 << 20) == "4Mi");
  CHECK(amount_text("example.com/gpu", 12) == "12");
  CHECK_FALSE(amount_of("cpu", {"much"}));
  CHECK(amount_of("cpu", {"1500m"}) == 1500);
  CHECK(amount_of("example.com/gpu", {"1500m"}) == 2);
}

}  // namespace
}  // namespace dra::engine::pod_requests_test
