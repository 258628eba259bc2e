// src/answers/problems/unreachable_devices.h
//
// Finds published devices that no pod can ever get, because they are for nodes that do not exist.

#pragma once

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/engine/cluster/pool.h"
#include "dra/snapshot/snapshot.h"

namespace dra::answers {

class UnreachableDevices {
 public:
  // The snapshot must outlive this object and contain nodes: without any, nothing is known.
  explicit UnreachableDevices(const snapshot::Snapshot& snapshot) : snapshot_(snapshot) {}

  // False for a device whose selector cannot be parsed. Drivers write one selector for each node,
  // so only nodes with one of the wanted labels are matched.
  bool has(const engine::PoolDevice& device);

 private:
  using Nodes = std::vector<const api::Node*>;

  bool is_for_no_node(const api::NodeSelector& selector);
  bool any_matches(const api::NodeSelector& selector, const api::NodeSelectorTerm& term);
  const std::map<std::string_view, Nodes>& by_label(std::string_view key);

  const snapshot::Snapshot& snapshot_;
  std::map<const api::NodeSelector*, bool> answers_;
  std::map<std::string_view, std::map<std::string_view, Nodes>> labels_;  // nodes by key and value
};

// The node selector of the device's slice, or of the device if the slice leaves the choice to it.
// nullptr: there is none.
const api::NodeSelector* selector_of(const engine::PoolDevice& device);

}  // namespace dra::answers
