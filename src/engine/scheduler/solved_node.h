// src/engine/scheduler/solved_node.h
//
// The result for one node, to be reused for nodes that differ from it in names only.

#pragma once

#include <cstddef>
#include <vector>

#include "dra/base/function_ref.h"
#include "dra/engine/scheduler/node_result.h"
#include "src/engine/scheduler/seen.h"

namespace dra::engine {

struct SolvedNode {
  // `devices` are all devices that the node sees, in the order of its pools.
  SolvedNode(const NodeResult& result, const std::vector<Seen>& devices);

  // The same result for another node; `device_at` is what it sees at a place.
  NodeResult of(const api::Node& node, base::FunctionRef<Seen(std::size_t)> device_at) const;

 private:
  using Places = std::vector<std::size_t>;  // indices into the devices of a node

  NodeResult result_;
  Places picked_;
  std::vector<Places> examples_;  // places of example devices, by reason
  std::vector<Places> held_;      // places of devices whose holders a reason names, by reason
};

// Adds the holders of the device to the reason, apart from admin access.
void add_holders(diag::Reason& reason, const Seen& seen);

}  // namespace dra::engine
