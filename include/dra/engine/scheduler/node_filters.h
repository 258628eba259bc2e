// include/dra/engine/scheduler/node_filters.h
//
// What the scheduler's filters other than DynamicResources say of a pod: is the node cordoned, are
// its taints tolerated, do its labels match, are the host's ports free, is enough left of what the
// pod requests. They only look at the pod, the node and the pods on the node; claims are no matter.
//
// What is not simulated is named instead, and then no node may be said to fit: affinity between
// pods, spreading, volumes that not every node can have, pod groups, features that nodes declare.
// The scheduler's configuration is taken to be the default. Extended resources that a node lacks
// and a device class serves are DRA's, and no matter here.
//
// Upstream: k8s.io/kubernetes/pkg/scheduler/framework/plugins: nodename, nodeunschedulable,
// tainttoleration, nodeaffinity, nodeports, noderesources (Fit), in this order
// (pkg/scheduler/apis/config/v1/default_plugins.go).

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/diag/reason.h"
#include "dra/engine/cluster/extended_resources.h"
#include "dra/engine/cluster/node_loads.h"

namespace dra::engine {

// An extended resource that a device class serves on nodes that lack it; or may serve, for what is
// known of classes.
struct ResourceFromDra {
  std::string_view resource;
  bool certain = true;
};

// Taints of the node that keep the pod away, its own choice of nodes aside.
std::vector<const api::NodeTaint*> untolerated(const api::Node& node, const api::Pod& pod);

class NodeFilters {
 public:
  // The snapshot, its loads and the pod must outlive it.
  NodeFilters(const snapshot::Snapshot& snapshot, const NodeLoads& loads, const api::Pod& pod);

  // Why the pod cannot go to that node, all that apply, in the order of the scheduler's filters.
  // Empty: it can, as far as simulated. A node that is only assumed (Nodes::assumed) has no
  // labels, taints and room that could be judged, and must not be asked about.
  std::vector<diag::Reason> against(const api::Node& node) const;

  // What the pod uses that is not simulated, in words for a sentence: "inter-pod affinity",
  // "volumes (ephemeral)". Empty: everything is.
  const std::vector<std::string>& not_simulated() const { return not_simulated_; }

 private:
  void check_name(const api::Node& node, std::vector<diag::Reason>& reasons) const;
  void check_taints(const api::Node& node, std::vector<diag::Reason>& reasons) const;
  void check_labels(const api::Node& node, std::vector<diag::Reason>& reasons) const;
  void check_ports(const api::Node& node, std::vector<diag::Reason>& reasons) const;
  void check_pod_count(const api::Node& node, std::vector<diag::Reason>& reasons) const;
  void check_resources(const api::Node& node, std::vector<diag::Reason>& reasons) const;
  bool is_counted_on(const api::Node& node) const;
  bool may_be_served_by_dra(std::string_view resource) const;

  const api::Pod& pod_;
  const NodeLoads& loads_;
  PodRequests wanted_;
  PodRequests own_;  // what the pod itself holds on its node, if it has one
  std::vector<HostPort> ports_;
  std::vector<api::NodeSelector> terms_;  // of the required affinity, each alone
  std::string affinity_text_;
  std::vector<ResourceFromDra> from_dra_;
  std::vector<std::string> not_simulated_;
};

}  // namespace dra::engine
