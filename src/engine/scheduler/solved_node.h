// src/engine/scheduler/solved_node.h
//
// How a node stands towards a subject, to be told of another that differs from it in names only.

#pragma once

#include <cstddef>
#include <vector>

#include "dra/engine/scheduler/standing.h"
#include "src/engine/scheduler/demand_counts.h"

namespace dra::engine {

struct SolvedNode {
  // `devices` are all that the node sees, in the order of its pools.
  SolvedNode(const NodeStanding& standing, const std::vector<Seen>& devices);

  // The same of a node with these devices.
  NodeStanding of(const api::Node& node, const std::vector<Seen>& devices) const;

 private:
  using Places = std::vector<std::size_t>;  // of devices, in that order

  NodeStanding standing_;
  Places picked_;
  std::vector<Places> examples_;  // by reason
  std::vector<Places> held_;      // by reason: devices whose holders it names
};

// Tells who holds the device, admin access left out.
void add_holders(diag::Reason& reason, const Seen& seen);

}  // namespace dra::engine
