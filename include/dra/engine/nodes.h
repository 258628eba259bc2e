// include/dra/engine/nodes.h
//
// The nodes that a verdict is about. A snapshot of manifests may hold no Node at all; then one is
// assumed for every node name that slices, allocations and pods mention, without labels; and when
// nothing mentions one, a node "*" that sees only what is for all nodes.

#pragma once

#include <vector>

#include "dra/snapshot/snapshot.h"

namespace dra::engine {

struct Nodes {
  std::vector<api::Node> nodes;  // by name
  bool assumed = false;
};

Nodes nodes_of(const snapshot::Snapshot& snapshot);

}  // namespace dra::engine
