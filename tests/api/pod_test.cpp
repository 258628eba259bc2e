// tests/api/pod_test.cpp

#include "dra/api/pod.h"

#include <doctest/doctest.h>

#include "tests/support/builders.h"

namespace dra::api::pod_test {
namespace {

using support::scene;

TEST_CASE("a pod's claims, where containers use them, and what became of them") {
  const auto snapshot =
      scene()
          .pod("p", "{name: a, resourceClaimName: x}, {name: b, resourceClaimTemplateName: t}",
               "schedulerName: other, schedulingGates: [{name: g}], nodeName: n1, initContainers: "
               "[{name: i, resources: {claims: [{name: a, request: r}]}}], containers: [{name: c, "
               "resources: {claims: [{name: b}]}}]",
               "phase: Pending, resourceClaimStatuses: [{name: b, resourceClaimName: p-b-1}, "
               "{name: c}], "
               "extendedResourceClaimStatus: {resourceClaimName: p-extended}")
          .build();
  const Pod& pod = snapshot.all<Pod>().front();
  CHECK(pod.spec.claims[0].claim_name == "x");
  CHECK(pod.spec.claims[1].template_name == "t");
  CHECK(pod.spec.scheduler_name == "other");
  CHECK(pod.spec.gates.front().name == "g");
  CHECK(pod.spec.node_name == "n1");
  CHECK(pod.spec.init_containers.front().resources.claims.front().request == "r");
  CHECK(pod.spec.containers.front().resources.claims.front().name == "b");
  CHECK(pod.status.claims[0].claim_name == "p-b-1");
  CHECK_FALSE(pod.status.claims[1].claim_name);
  CHECK(pod.status.extended_resource_claim->claim_name == "p-extended");
}

TEST_CASE("how a pod's containers are, and what the kubelet says about their devices") {
  const auto snapshot =
      scene()
          .pod("p", "{name: a, resourceClaimName: x}",
               "nodeSelector: {zone: z}, tolerations: [{key: k, operator: Exists, effect: "
               "NoSchedule, tolerationSeconds: 5}]",
               "message: m, nominatedNodeName: n2, initContainerStatuses: [{name: i, state: "
               "{terminated: {exitCode: 3, reason: Error, message: why, finishedAt: "
               "'2026-11-20T08:00:00Z'}}}], containerStatuses: [{name: c, ready: true, "
               "restartCount: 2, state: {running: {startedAt: '2026-11-20T08:00:00Z'}}, "
               "allocatedResourcesStatus: [{name: 'claim:a/r', resources: [{resourceID: id, "
               "health: Unhealthy, message: hot}]}]}, {name: w, state: {waiting: {reason: "
               "ContainerCreating, message: soon}}}], extendedResourceClaimStatus: "
               "{requestMappings: [{containerName: c, resourceName: example.com/gpu, requestName: "
               "r0}]}")
          .build();
  const Pod& pod = snapshot.all<Pod>().front();
  CHECK(find(pod.spec.node_selector, "zone") != nullptr);
  CHECK(pod.spec.tolerations.front().seconds == 5);
  CHECK(pod.status.message == "m");
  CHECK(pod.status.nominated_node == "n2");
  const ContainerTerminated& ended = *pod.status.init_containers.front().state.terminated;
  CHECK(ended.exit_code == 3);
  CHECK(ended.reason == "Error");
  CHECK(ended.message == "why");
  CHECK(base::format_rfc3339(*ended.finished) == "2026-11-20T08:00:00Z");
  const ContainerStatus& running = pod.status.containers[0];
  CHECK(running.ready);
  CHECK(running.restarts == 2);
  CHECK(running.state.running->started);
  CHECK(running.resources.front().name == "claim:a/r");
  CHECK(running.resources.front().resources.front().health == "Unhealthy");
  CHECK(running.resources.front().resources.front().message == "hot");
  CHECK(pod.status.containers[1].state.waiting->reason == "ContainerCreating");
  const ExtendedResourceRequest& mapping = pod.status.extended_resource_claim->mappings.front();
  CHECK(mapping.container == "c");
  CHECK(mapping.resource == "example.com/gpu");
  CHECK(mapping.request == "r0");
}

TEST_CASE("what decides where a pod may go, beside its claims") {
  const auto snapshot =
      scene()
          .pod("p", "",
               "hostNetwork: true, hostUsers: false, overhead: {cpu: 250m}, resources: {requests: "
               "{cpu: '3'}}, schedulingGroup: {podGroupName: g}, topologySpreadConstraints: "
               "[{whenUnsatisfiable: DoNotSchedule}], volumes: [{name: a, emptyDir: {}}, {name: b, "
               "persistentVolumeClaim: {claimName: x}}], affinity: {nodeAffinity: "
               "{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
               "[{matchExpressions: [{key: zone, operator: Exists}]}]}}, podAntiAffinity: "
               "{requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {matchLabels: "
               "{app: x}, matchExpressions: [{key: tier, operator: Exists}]}, namespaces: [other], "
               "namespaceSelector: {}}]}}, initContainers: [{name: i, restartPolicy: Always}, "
               "{name: j}], containers: [{name: c, ports: [{hostPort: 80, containerPort: 8080, "
               "protocol: UDP, hostIP: 127.0.0.1}], resources: {limits: {memory: 2Gi}, requests: "
               "{cpu: '1'}}, volumeMounts: [{name: b, bindMountOptions: [noexec]}], "
               "restartPolicyRules: [{action: RestartAllContainers}]}]",
               "containerStatuses: [{name: c, allocatedResources: {cpu: '2'}, resources: "
               "{requests: {cpu: '4'}}}], allocatedResources: {cpu: '5'}, resources: {requests: "
               "{cpu: '6'}}")
          .build();
  const PodSpec& spec = snapshot.all<Pod>().front().spec;
  CHECK(spec.host_network);
  CHECK(spec.host_users == false);
  CHECK(find(spec.overhead, "cpu")->text == "250m");
  CHECK(find(spec.resources.requests, "cpu")->text == "3");
  CHECK(spec.group->pod_group == "g");
  CHECK(spec.spread.front().when_unsatisfiable == "DoNotSchedule");
  CHECK_FALSE(spec.volumes[0].source.claim);
  CHECK(spec.volumes[1].source.claim);
  CHECK(spec.affinity.to_nodes.required->terms.front().expressions.front().key == "zone");
  CHECK(spec.affinity.to_pods.required.empty());
  const PodAffinityTerm& term = spec.affinity.against_pods.required.front();
  CHECK(*find(term.selector->labels, "app") == "x");
  CHECK(term.selector->expressions.front().key == "tier");
  CHECK(term.namespaces.front() == "other");
  CHECK(term.namespace_selector);
  CHECK(spec.init_containers[0].sidecar());
  CHECK_FALSE(spec.init_containers[1].sidecar());
  const Container& container = spec.containers.front();
  CHECK(container.ports.front().host_port == 80);
  CHECK(container.ports.front().container_port == 8080);
  CHECK(container.ports.front().protocol == "UDP");
  CHECK(container.ports.front().host_ip == "127.0.0.1");
  CHECK(find(container.resources.limits, "memory")->text == "2Gi");
  CHECK(find(container.resources.requests, "cpu")->text == "1");
  CHECK(container.mounts.front().bind_options.front() == "noexec");
  CHECK(container.restart_rules.front().action == "RestartAllContainers");
  const PodStatus& status = snapshot.all<Pod>().front().status;
  CHECK(find(status.containers.front().allocated, "cpu")->text == "2");
  CHECK(find(status.containers.front().actuated.requests, "cpu")->text == "4");
  CHECK(find(status.allocated, "cpu")->text == "5");
  CHECK(find(status.actuated->requests, "cpu")->text == "6");
}

struct PhaseCase {
  const char* name;
  const char* phase;
  bool finished;
};

const PhaseCase kPhases[] = {
    {"a pod that succeeded is done", "Succeeded", true},
    {"a pod that failed is done", "Failed", true},
    {"a running pod is not", "Running", false},
    {"a pod nobody heard of is not", "Unknown", false},
    {"a new pod is not", "", false},
};

TEST_CASE("finished pods") {
  for (const PhaseCase& row : kPhases) {
    CAPTURE(row.name);
    Pod pod;
    pod.status.phase = row.phase;
    CHECK(pod.finished() == row.finished);
  }
}

}  // namespace
}  // namespace dra::api::pod_test
