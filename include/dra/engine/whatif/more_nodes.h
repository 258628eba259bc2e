// include/dra/engine/whatif/more_nodes.h
//
// How many more nodes of a kind give how many waiting pods a node: plans are made with one, two and
// more nodes like one that is there. When these come, the pods that get a node now have theirs.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dra/base/function_ref.h"
#include "dra/engine/whatif/plan.h"

namespace dra::engine {

struct MoreNodes {
  std::string like;       // a node
  std::string pool = {};  // the node pool of that; empty: it has none
  std::int64_t count = 0;
  // That get a node then and do not now, whatever the scheduler chooses: namespace/name, in the
  // order of the queue.
  std::vector<std::string> pods = {};
  bool at_least = false;  // of others it is open
};

struct MoreNodesFound {
  // By kind of node, those first that most pods could use, and of these those that a ComputeClass
  // prefers; of each kind one node, if that helps, and the smallest number that helps most.
  std::vector<MoreNodes> found = {};
  std::size_t kinds = 0;  // that were tried
  bool bounded = false;   // not everything was tried
};

// Nodes are of one kind by their node pool, or else by their devices, labels and size. Pods that do
// not count take part, too. A host of a TPU slice that has all its hosts is not tried, as none
// can be added to the slice.
MoreNodesFound more_nodes_for(const Plan& plan, base::FunctionRef<bool(const api::Pod&)> counts);

}  // namespace dra::engine
