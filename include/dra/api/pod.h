// include/dra/api/pod.h
//
// Pod: the parts that decide about claims and scheduling.

#pragma once

#include "dra/api/claim.h"

namespace dra::api {

inline constexpr std::string_view kDefaultScheduler = "default-scheduler";

// A pod's reference to a claim: by name, or to a template from which one is made for this pod.
struct PodClaim {
  std::string_view name;
  std::string_view claim_name;
  std::string_view template_name;
};

struct ContainerClaim {
  std::string_view name;     // of a PodClaim
  std::string_view request;  // empty: all requests of the claim
};
struct ContainerResources {
  std::vector<ContainerClaim> claims;
};
struct Container {
  std::string_view name;
  ContainerResources resources;
};

struct SchedulingGate {
  std::string_view name;
};

struct PodSpec {
  std::vector<Container> init_containers;
  std::vector<Container> containers;
  Map<std::string_view> node_selector;
  std::string_view node_name;
  std::string_view scheduler_name;      // empty: the default one
  std::vector<Toleration> tolerations;  // of node taints
  std::vector<SchedulingGate> gates;
  std::vector<PodClaim> claims;
};

// Which claim was made for a reference to a template. No entry: not yet made. An entry without a
// name: no claim is needed.
struct PodClaimStatus {
  std::string_view name;
  std::optional<std::string_view> claim_name;
};

// Which request of the claim that the scheduler made serves an extended resource of a container.
struct ExtendedResourceRequest {
  std::string_view container;
  std::string_view resource;
  std::string_view request;
};
struct ExtendedResourceClaim {
  std::vector<ExtendedResourceRequest> mappings;
  std::string_view claim_name;
};

inline constexpr std::string_view kHealthy = "Healthy";

// Health of what a container got, as the kubelet heard it from the driver.
struct ResourceHealth {
  std::string_view id;
  std::string_view health;  // Healthy, Unhealthy or Unknown
  std::string_view message;
};
struct ResourceStatus {
  std::string_view name;  // "claim:NAME" or "claim:NAME/REQUEST", with the pod's name of the claim
  std::vector<ResourceHealth> resources;
};

struct ContainerWaiting {
  std::string_view reason;
  std::string_view message;
};
struct ContainerRunning {
  Time started;
};
struct ContainerTerminated {
  std::int64_t exit_code = 0;
  std::string_view reason;
  std::string_view message;
  Time finished;
};
// At most one is set; none means waiting.
struct ContainerState {
  std::optional<ContainerWaiting> waiting;
  std::optional<ContainerRunning> running;
  std::optional<ContainerTerminated> terminated;
};
struct ContainerStatus {
  std::string_view name;
  ContainerState state;
  bool ready = false;
  std::int64_t restarts = 0;
  std::vector<ResourceStatus> resources;
};

struct PodStatus {
  std::string_view phase;
  std::vector<Condition> conditions;
  std::string_view message;
  std::string_view reason;
  std::string_view nominated_node;  // where it waits for pods to be preempted
  std::vector<ContainerStatus> init_containers;
  std::vector<ContainerStatus> containers;
  std::vector<PodClaimStatus> claims;
  std::optional<ExtendedResourceClaim> extended_resource_claim;
};

struct Pod {
  ObjectMeta meta;
  PodSpec spec;
  PodStatus status;
  Origin origin;

  // Done: what it held is released by the claim controller.
  bool finished() const { return status.phase == "Succeeded" || status.phase == "Failed"; }
};

}  // namespace dra::api
