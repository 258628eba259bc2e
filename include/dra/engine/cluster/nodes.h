// include/dra/engine/cluster/nodes.h
//
// The nodes that a verdict is about. A snapshot of manifests may hold no Node; then one without
// labels is assumed for every node name in slices, allocations and pods, and if there is none, a
// node "*" that sees only devices for all nodes.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/api/meta.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

struct Nodes {
  Nodes() = default;
  Nodes(const Nodes&) = delete;  // `nodes` may point into it
  Nodes(Nodes&&) = default;
  Nodes& operator=(const Nodes&) = delete;
  Nodes& operator=(Nodes&&) = default;
  ~Nodes() = default;

  std::span<const api::Node> nodes;  // by name
  bool assumed = false;
  std::vector<api::Node> made_up;  // the assumed nodes
};

// The snapshot must outlive the result.
Nodes nodes_of(const snapshot::Snapshot& snapshot);

// As the kubelet reports. A node without the condition, as in manifests, is ready.
bool is_ready(const api::Node& node);

// kubectl's STATUS: "Ready", "NotReady", "NotReady,SchedulingDisabled".
std::string node_status(const api::Node& node);

// The value of a label; empty: there is no such label.
std::string_view label_of(const api::ObjectMeta& meta, std::string_view key);

// The node pool, from the label of GKE, EKS, AKS or Karpenter; empty without one. Nodes of a pool
// are made from one template.
std::string_view node_pool_of(const api::Node& node);

// The rank of a node among the kinds that its ComputeClass (GKE) lists for new nodes.
struct NodePriority {
  std::string_view compute_class;
  std::int64_t place = 0;  // from 1
  std::int64_t of = 0;
};
// No value: the node has no ComputeClass, it is not visible, or none of its rules fits.
std::optional<NodePriority> priority_of(const snapshot::Snapshot& snapshot, const api::Node& node);

}  // namespace dra::engine
