// include/dra/engine/scheduler/node_filters.h
//
// The scheduler's filters other than DynamicResources: is the node cordoned, are its taints
// tolerated, do its labels match, are the host ports free, are the requested resources left, can it
// have the volumes, does it have the features, are pods spread evenly, does affinity between pods
// hold. They look at the pod, the node, its volumes and the pods on nodes, not at claims of
// devices.
//
// What is not simulated is named, and then no node may be said to fit: gangs, and volumes that
// were made before CSI. The scheduler's default configuration is assumed. Extended resources that
// DRA serves on a node are not counted.
//
// Upstream: k8s.io/kubernetes/pkg/scheduler/framework/plugins: nodename, nodeunschedulable,
// tainttoleration, nodeaffinity, nodeports, noderesources (Fit), volumerestrictions,
// nodevolumelimits, volumebinding, volumezone, nodedeclaredfeatures, podtopologyspread,
// interpodaffinity, about in this order (pkg/scheduler/apis/config/v1/default_plugins.go).

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/diag/reason.h"
#include "dra/engine/cluster/extended_resources.h"
#include "dra/engine/cluster/node_loads.h"
#include "dra/engine/facts/node_match.h"

namespace dra::engine {

// An extended resource that a device class serves on nodes without it; `certain` is false where it
// only may, as classes could not be read.
struct ResourceFromDra {
  std::string_view resource;
  bool certain = true;
};

// Whether the scheduler knows the operators Lt and Gt of tolerations.
bool tolerations_compare(const snapshot::Server& server);
// Taints of the node that the pod does not tolerate.
std::vector<const api::NodeTaint*> untolerated(const api::Node& node, const api::Pod& pod,
                                               bool compares);

class NominatedPods;
class PodAffinityFilter;
class TopologySpreadFilter;
class VolumeFilter;

// What pods on other nodes have against a node, by its name: a part of a cluster does not have
// them, so that is taken over from the whole.
using OtherPodsReasons = std::map<std::string, std::vector<diag::Reason>, std::less<>>;

// Whether filters say so that look at pods on other nodes, too.
bool is_of_other_pods(diag::Code code);
// Whether such a filter has something to look at for the pod.
bool depends_on_other_pods(const api::Pod& pod, const NodeLoads& loads);
// Whether where other waiting pods go decides about the pod on other nodes, too: by affinity, by
// topology spread, or by volumes that are still to be bound or that one pod may use at a time. What
// pods have against it that are on nodes now is not meant.
bool is_tied_to_waiting_pods(const snapshot::Snapshot& snapshot, const api::Pod& pod);
// Whether pods on other nodes may have a say about the node that the pod is on: by its own
// affinity, spread or volumes, or by their anti-affinity.
bool depends_on_far_pods(const snapshot::Snapshot& snapshot, const api::Pod& pod,
                         const NodeLoads& loads);
// Whether the pod's required affinity may mean pods like itself: where the first of them goes then
// decides about the others.
bool has_affinity_to_its_like(const snapshot::Snapshot& snapshot, const api::Pod& pod);

class NodeFilters {
 public:
  // The snapshot, its loads and the pod must outlive it, and so must `elsewhere`, which is for a
  // snapshot of a part of a cluster.
  NodeFilters(const snapshot::Snapshot& snapshot, const NodeLoads& loads, const api::Pod& pod,
              const OtherPodsReasons* elsewhere = nullptr);
  NodeFilters(NodeFilters&&) noexcept;
  ~NodeFilters();

  // Every reason why the pod cannot go to the node, in the order of the scheduler's filters, also
  // those that pods add which are nominated for the node. Empty: it can, as far as simulated. Not
  // for an assumed node (Nodes::assumed), which has no labels, taints and resources to judge.
  std::vector<diag::Reason> against(const api::Node& node) const;

  // Whether affinity between pods is looked at: the pod has terms, or a pod on a node keeps it
  // away. Upstream: interpodaffinity, PreFilter. Not with `elsewhere`.
  bool run_pod_affinity() const;

  // What the pod uses and is not simulated, as parts of a sentence: "the pod group a", "volumes
  // (persistentvolumes cannot be read)". Empty: everything is simulated.
  const std::vector<std::string>& not_simulated() const { return not_simulated_; }

 private:
  void add_filters_of_other_pods(const snapshot::Snapshot& snapshot);
  void add_not_simulated(const std::vector<std::string>& parts);
  std::vector<diag::Reason> against_now(const api::Node& node) const;
  void check_name(const api::Node& node, std::vector<diag::Reason>& reasons) const;
  void check_taints(const api::Node& node, std::vector<diag::Reason>& reasons) const;
  void check_labels(const api::Node& node, std::vector<diag::Reason>& reasons) const;
  bool affinity_selects(const api::Node& node) const;
  bool is_selected(const api::Node& node) const;
  void check_ports(const api::Node& node, std::vector<diag::Reason>& reasons) const;
  void check_pod_count(const api::Node& node, std::vector<diag::Reason>& reasons) const;
  void check_resources(const api::Node& node, std::vector<diag::Reason>& reasons) const;
  void check_features(const api::Node& node, std::vector<diag::Reason>& reasons) const;
  void check_other_pods(const api::Node& node, std::vector<diag::Reason>& reasons) const;
  bool is_counted_on(const api::Node& node) const;
  bool may_be_served_by_dra(std::string_view resource) const;

  const api::Pod& pod_;
  const NodeLoads& loads_;
  const snapshot::Server& server_;
  bool compares_;  // tolerations with numbers
  PodRequests wanted_;
  PodRequests own_;  // the pod's own load on its node, if it has one
  std::vector<HostPort> ports_;
  std::vector<NodeMatcher> terms_;  // the terms of the required affinity, one each
  std::string affinity_text_;
  std::vector<ResourceFromDra> from_dra_;
  std::vector<std::string_view> features_;  // that the pod needs
  std::vector<std::string> not_simulated_;
  const OtherPodsReasons* elsewhere_;
  std::unique_ptr<const VolumeFilter> volumes_;  // nullptr: the pod has none that matter
  // nullptr: taken from `elsewhere_`.
  std::unique_ptr<const TopologySpreadFilter> spread_;
  std::unique_ptr<const PodAffinityFilter> pod_affinity_;
  std::unique_ptr<const NominatedPods> nominated_;  // nullptr: none is
};

}  // namespace dra::engine
