// include/dra/report/lists/node_pools.h
//
// Which nodes lack devices that their like have. Nodes of one node pool are made from one template:
// when a driver publishes devices for some of them and nothing for another, that one has most
// likely lost its driver, its devices or itself. A reading of labels: Heuristic.

#pragma once

#include <string_view>
#include <vector>

#include "dra/engine/cluster/inventory.h"
#include "dra/snapshot/snapshot.h"

namespace dra::report {

struct LeftOutNode {
  const api::Node* node;
  std::string_view driver;     // that publishes nothing for it by name
  std::string_view node_pool;  // of the node
  std::size_t publishing = 0;  // other nodes of the node pool that it does publish for, at least 1
  std::size_t others = 0;      // all other nodes of the node pool
};

// By driver and node pool, then in the order of the snapshot. None where slices or nodes cannot be
// read.
std::vector<LeftOutNode> nodes_left_out(const snapshot::Snapshot& snapshot,
                                        const engine::Inventory& inventory);

}  // namespace dra::report
