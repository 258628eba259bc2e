// include/dra/engine/cluster/pod_requests.h
//
// The resources and host ports that a pod requests of a node. Containers run together and add up;
// an init container runs before them, together with the sidecars listed above it, so of each
// resource the larger need counts. The runtime's overhead comes on top.
//
// For a running pod the largest of three amounts counts: requested, admitted by the kubelet, and
// actual. A resize goes from the first to the last.
//
// Upstream: k8s.io/component-helpers/resource.PodRequests; for units and names
// pkg/scheduler/framework.Resource (Add, SetMaxResource), for ports
// pkg/scheduler/util.GetHostPorts. Manifests that no API server has seen are given its defaults
// (SetDefaults_Pod): a limit is a request where there is none, and with hostNetwork a container's
// port is the host's.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/pod.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// In thousandths of a CPU, bytes, devices or pages.
struct Amount {
  std::string_view resource;
  std::int64_t value = 0;
};

struct PodRequests {
  std::vector<Amount> amounts;  // in the order of messages: cpu, memory, ephemeral-storage, others
  bool readable = true;         // false: some are no quantities, and are left out
};

// Whether the scheduler knows pod-level requests, and resizing of containers and of pods: the gates
// PodLevelResources, InPlacePodVerticalScaling, InPlacePodLevelResourcesVerticalScaling. Defaults:
// k8s.io/kubernetes/pkg/features/kube_features.go of v1.32 to v1.37.
struct RequestRules {
  bool of_pods = true;
  bool resize = true;
  bool resize_of_pods = true;
};
RequestRules request_rules_of(const snapshot::Server& server);

// For a pod that looks for a node, and for one that has a node.
PodRequests requests_to_start(const api::Pod& pod, const RequestRules& rules);
PodRequests requests_on_node(const api::Pod& pod, const RequestRules& rules);

// The number that the scheduler counts: thousandths of "cpu", else the quantity rounded up; never
// negative, and the largest number beyond 64 bits. No value if it is no quantity.
std::optional<std::int64_t> amount_of(std::string_view resource, const api::Quantity& quantity);
// An amount as Kubernetes writes it: "3500m", "16Gi".
std::string amount_text(std::string_view resource, std::int64_t value);

struct HostPort {
  std::string_view ip;  // "0.0.0.0": every address of the node
  std::string_view protocol;
  std::int64_t port = 0;
};
std::vector<HostPort> host_ports_of(const api::Pod& pod);
bool conflict(const HostPort& a, const HostPort& b);

}  // namespace dra::engine
