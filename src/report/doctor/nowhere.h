// src/report/doctor/nowhere.h
//
// Which published devices are for nodes that are not there: no pod can ever get them.

#pragma once

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/engine/cluster/pool.h"
#include "dra/snapshot/snapshot.h"

namespace dra::report {

class Nowhere {
 public:
  // The snapshot must outlive it, and has some nodes: without any, nothing is known of places.
  explicit Nowhere(const snapshot::Snapshot& snapshot) : snapshot_(snapshot) {}

  // Not of a device whose selector cannot be read: that is no answer. Drivers write a selector of
  // its own for each node, so only nodes that have one of the labels asked for are looked at.
  bool has(const engine::PoolDevice& device);

 private:
  using Nodes = std::vector<const api::Node*>;

  bool is_nowhere(const api::NodeSelector& selector);
  bool any_matches(const api::NodeSelector& selector, const api::NodeSelectorTerm& term);
  const std::map<std::string_view, Nodes>& by_label(std::string_view key);

  const snapshot::Snapshot& snapshot_;
  std::map<const api::NodeSelector*, bool> answers_;
  std::map<std::string_view, std::map<std::string_view, Nodes>> labels_;  // by key and value
};

// Of a slice whose devices choose their nodes, the device's; nullptr: it has none.
const api::NodeSelector* selector_of(const engine::PoolDevice& device);

}  // namespace dra::report
