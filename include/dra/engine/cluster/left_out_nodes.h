// include/dra/engine/cluster/left_out_nodes.h
//
// Finds nodes without devices in node pools with devices. Nodes of one node pool are created from
// one template: if a driver publishes devices for some of them and nothing for another, that node
// has most likely lost its driver or its devices. Node pools are labels, so the result is
// Heuristic.

#pragma once

#include <string_view>
#include <vector>

#include "dra/engine/cluster/inventory.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

struct LeftOutNode {
  const api::Node* node;
  std::string_view driver;     // publishes no devices for the node
  std::string_view node_pool;  // of the node
  std::size_t publishing = 0;  // nodes of the node pool with devices of the driver, at least 1
  std::size_t others = 0;      // all other nodes of the node pool
};

// By driver and node pool, then in the order of the snapshot. Empty if slices or nodes could not be
// read.
std::vector<LeftOutNode> nodes_left_out(const snapshot::Snapshot& snapshot,
                                        const Inventory& inventory);

}  // namespace dra::engine
