// include/dra/engine/cluster/nodes.h
//
// The nodes that a verdict is about. A snapshot of manifests may hold no Node at all; then one is
// assumed for every node name that slices, allocations and pods mention, without labels; and when
// nothing mentions one, a node "*" that sees only what is for all nodes.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "dra/snapshot/snapshot.h"

namespace dra::engine {

struct Nodes {
  Nodes() = default;
  Nodes(const Nodes&) = delete;  // the nodes may be its own
  Nodes(Nodes&&) = default;
  Nodes& operator=(const Nodes&) = delete;
  Nodes& operator=(Nodes&&) = default;
  ~Nodes() = default;

  std::span<const api::Node> nodes;  // by name
  bool assumed = false;
  std::vector<api::Node> made_up;  // the nodes, if assumed
};

// The snapshot must outlive them.
Nodes nodes_of(const snapshot::Snapshot& snapshot);

// As its kubelet reports. A node that says nothing, as in manifests, is.
bool is_ready(const api::Node& node);

// The value of a label; empty: there is no such label.
std::string_view label_of(const api::ObjectMeta& meta, std::string_view key);

// The node pool, from the label of whoever manages it (GKE, EKS, AKS, Karpenter); empty without
// one. Nodes of one pool are made from one template.
std::string_view node_pool_of(const api::Node& node);

// Which place nodes like this one have in the order that a ComputeClass of GKE gives to new nodes.
struct NodePriority {
  std::string_view compute_class;
  std::int64_t place = 0;  // from 1
  std::int64_t of = 0;
};
// No value: the node is of no ComputeClass, or that is not known, or none of its rules fits.
std::optional<NodePriority> priority_of(const snapshot::Snapshot& snapshot, const api::Node& node);

}  // namespace dra::engine
