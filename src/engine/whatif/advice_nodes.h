// src/engine/whatif/advice_nodes.h
//
// What is looked for on one node at a time: the smallest set of claims to be released there, and
// whether one more node of its kind would do.

#pragma once

#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "dra/engine/whatif/simulator.h"

namespace dra::engine {

// A set of claims with whose release the subject fits on the node; leaving out any one, it does
// not. Pods that the subject's own controller has made are in it only where it does not go without.
struct ReleaseFound {
  Release release;
  std::vector<Release> parts = {};  // of it, each of what goes together
  std::int64_t priority = 0;        // the highest of its pods
  bool of_own_workload = false;     // some of its pods would be made anew, and compete
};
std::optional<ReleaseFound> release_on(const snapshot::Snapshot& whole, const Wanted& wanted,
                                       std::string_view node, SimulationBudget& budget);

// Whether the subject fits on a node like that.
bool fits_on_node_like(const snapshot::Snapshot& whole, const Wanted& wanted, std::string_view node,
                       SimulationBudget& budget);

// That part of the cluster which decides what the subject gets on the nodes.
snapshot::Snapshot subset_for(const snapshot::Snapshot& whole, const Wanted& wanted,
                              const std::set<std::string_view>& nodes);

}  // namespace dra::engine
