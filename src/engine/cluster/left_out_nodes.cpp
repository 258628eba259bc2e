// src/engine/cluster/left_out_nodes.cpp: compares, for each driver and node pool, the nodes that
// slices name with all nodes of the pool.

#include "dra/engine/cluster/left_out_nodes.h"

#include <map>
#include <set>

#include "dra/api/cluster_objects.h"
#include "dra/engine/cluster/nodes.h"

namespace dra::engine {
namespace {

using Names = std::set<std::string_view>;

// By driver, the nodes that its slices name.
std::map<std::string_view, Names> served_nodes(const Inventory& inventory) {
  std::map<std::string_view, Names> served;
  for (const Pool& pool : inventory.pools()) {
    for (const api::ResourceSlice* slice : pool.slices) {
      if (!slice->spec.node_name.empty()) served[pool.driver].insert(slice->spec.node_name);
    }
  }
  return served;
}

}  // namespace

std::vector<LeftOutNode> nodes_left_out(const snapshot::Snapshot& snapshot,
                                        const Inventory& inventory) {
  std::vector<LeftOutNode> left_out;
  if (!snapshot.coverage().saw(api::Kind::Slice)) return left_out;
  std::map<std::string_view, std::vector<const api::Node*>> node_pools;
  for (const api::Node& node : snapshot.all<api::Node>())
    node_pools[node_pool_of(node)].push_back(&node);
  node_pools.erase(std::string_view());
  for (const auto& [driver, served] : served_nodes(inventory)) {
    for (const auto& [name, nodes] : node_pools) {
      std::vector<const api::Node*> without;
      for (const api::Node* node : nodes) {
        if (!served.contains(node->meta.name)) without.push_back(node);
      }
      if (without.size() == nodes.size()) continue;
      for (const api::Node* node : without)
        left_out.push_back({node, driver, name, nodes.size() - without.size(), nodes.size() - 1});
    }
  }
  return left_out;
}

}  // namespace dra::engine
