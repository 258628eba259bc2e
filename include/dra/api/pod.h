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
  std::string_view node_name;
  std::string_view scheduler_name;  // empty: the default one
  std::vector<SchedulingGate> gates;
  std::vector<PodClaim> claims;
};

// Which claim was made for a reference to a template. No entry: not yet made. An entry without a
// name: no claim is needed.
struct PodClaimStatus {
  std::string_view name;
  std::optional<std::string_view> claim_name;
};

struct ExtendedResourceClaim {
  std::string_view claim_name;
};

struct PodStatus {
  std::string_view phase;
  std::string_view reason;
  std::vector<Condition> conditions;
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
