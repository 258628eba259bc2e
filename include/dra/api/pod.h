// include/dra/api/pod.h
//
// Pod: the fields that decide about claims and scheduling, and the states of containers.

#pragma once

#include "dra/api/claim.h"
#include "dra/api/storage.h"

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
  Map<Quantity> limits;
  Map<Quantity> requests;
  std::vector<ContainerClaim> claims;
};

struct ContainerPort {
  std::int64_t host_port = 0;  // 0: none
  std::int64_t container_port = 0;
  std::string_view protocol;  // empty: TCP
  std::string_view host_ip;   // empty: all
};
struct ContainerRestartRule {
  std::string_view action;
};
struct VolumeMount {
  std::vector<std::string_view> bind_options;
};
struct Container {
  std::string_view name;
  std::vector<ContainerPort> ports;
  ContainerResources resources;
  std::vector<VolumeMount> mounts;
  std::string_view restart_policy;  // of an init container: Always makes it a sidecar
  std::vector<ContainerRestartRule> restart_rules;

  // An init container that runs as long as the pod does.
  bool sidecar() const { return restart_policy == "Always"; }
};

// Pods of these namespaces with these labels, on nodes with one value of the topology key.
struct PodAffinityTerm {
  std::optional<LabelSelector> selector;  // without one no pod is meant
  std::vector<std::string_view> namespaces;
  std::string_view topology_key;  // a label of nodes
  std::optional<LabelSelector> namespace_selector;
  // Labels of which the pods have the values that the term's own pod has, or others.
  std::vector<std::string_view> match_label_keys;
  std::vector<std::string_view> mismatch_label_keys;
};
// Only requirements: preferences rank nodes and exclude none.
struct NodeAffinity {
  std::optional<NodeSelector> required;
};
struct PodAffinity {
  std::vector<PodAffinityTerm> required;
};
struct Affinity {
  NodeAffinity to_nodes;
  PodAffinity to_pods;
  PodAffinity against_pods;
};
struct TopologySpreadConstraint {
  std::int64_t max_skew = 0;
  std::string_view topology_key;            // a label of nodes
  std::string_view when_unsatisfiable;      // DoNotSchedule or ScheduleAnyway
  std::optional<LabelSelector> selector;    // of the pods that are counted
  std::optional<std::int64_t> min_domains;  // absent: 1
  std::string_view node_affinity_policy;    // Honor or Ignore; empty: Honor
  std::string_view node_taints_policy;      // empty: Ignore
  std::vector<std::string_view> match_label_keys;
};

// A field whose content does not matter, only its presence.
struct Present {};
struct HostPath {
  std::string_view path;
};
struct VolumeClaimSource {
  std::string_view claim;  // a PersistentVolumeClaim in the pod's namespace
};
// A claim is made of the template, for the pod alone.
struct VolumeClaimTemplate {
  VolumeClaimSpec spec;
};
struct EphemeralVolume {
  VolumeClaimTemplate claim_template;
};
struct IscsiDisk {
  std::string_view iqn;
  bool read_only = false;
};
struct RbdImage {
  std::vector<std::string_view> monitors;
  std::string_view image;
  std::string_view pool;
  bool read_only = false;
};
// Volume sources that limit the nodes that a pod can run on, and directories of the node, by which
// pods of drivers are found; others are left out.
struct EmptyDir {
  std::string_view medium;  // Memory, or empty: the node's
};
struct VolumeSource {
  std::optional<HostPath> host_path;
  Rare<EmptyDir> empty_dir;
  Rare<GceDisk> gce_disk;
  Rare<AwsDisk> aws_disk;
  Rare<IscsiDisk> iscsi;
  Rare<VolumeClaimSource> claim;
  Rare<RbdImage> rbd;
  Rare<CinderDisk> cinder;
  Rare<AzureDisk> azure_disk;
  Rare<PortworxDisk> portworx;
  Rare<EphemeralVolume> ephemeral;
};
struct Volume {
  std::string_view name;
  VolumeSource source;

  // It counts for a CSI driver, or is bound to nodes or zones.
  bool is_attached() const {
    return source.claim || source.ephemeral || source.gce_disk || source.aws_disk ||
           source.azure_disk || source.cinder || source.portworx;
  }
  // Not every node can have it.
  bool depends_on_node() const { return is_attached() || source.iscsi || source.rbd; }
};

struct SchedulingGroup {
  std::string_view pod_group;
};

struct SchedulingGate {
  std::string_view name;
};

inline constexpr std::string_view kPreemptNever = "Never";

struct PodSpec {
  std::vector<Container> init_containers;
  std::vector<Container> containers;
  std::vector<Volume> volumes;
  Map<std::string_view> node_selector;
  std::string_view node_name;
  bool host_network = false;
  Affinity affinity;
  std::string_view scheduler_name;              // empty: the default one
  std::int64_t priority = 0;                    // of its priority class; the higher goes first
  std::string_view preemption_policy;           // Never: it makes no room for itself
  std::optional<std::int64_t> active_deadline;  // seconds after its start, when it is ended
  std::vector<Toleration> tolerations;          // of node taints
  Map<Quantity> overhead;  // of the runtime, in addition to the containers' requests
  std::vector<TopologySpreadConstraint> spread;
  std::optional<bool> host_users;
  std::vector<SchedulingGate> gates;
  std::vector<PodClaim> claims;
  ContainerResources resources;  // of the whole pod, instead of its containers' sum
  std::optional<SchedulingGroup> group;
};

// The claim that was made for a reference to a template. No entry: not yet made. An entry without a
// name: no claim is needed.
struct PodClaimStatus {
  std::string_view name;
  std::optional<std::string_view> claim_name;
};

// The request, of the claim that the scheduler made, that serves a container's extended resource.
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

// The health of a container's devices, as the driver reports it to the kubelet.
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
  std::int64_t signal = 0;  // that ended it; 0: none
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
  ContainerState last;  // before it was restarted
  bool ready = false;
  bool started = false;  // its startup probe has passed
  std::int64_t restarts = 0;
  Map<Quantity> allocated;      // requests that the kubelet has admitted
  ContainerResources actuated;  // what the container runs with
  std::vector<ResourceStatus> resources;
};

struct PodStatus {
  std::string_view phase;
  std::vector<Condition> conditions;
  std::string_view message;
  std::string_view reason;
  Time started;                     // when the kubelet first saw it
  std::string_view nominated_node;  // where it waits for pods to be preempted
  std::vector<ContainerStatus> init_containers;
  std::vector<ContainerStatus> containers;
  std::vector<PodClaimStatus> claims;
  std::optional<ExtendedResourceClaim> extended_resource_claim;
  Map<Quantity> allocated;  // of the whole pod, as those of a container
  std::optional<ContainerResources> actuated;
};

struct Pod {
  ObjectMeta meta;
  PodSpec spec;
  PodStatus status;
  Origin origin;

  // The claim controller releases the devices of finished pods.
  bool finished() const { return status.phase == "Succeeded" || status.phase == "Failed"; }
};

}  // namespace dra::api
