// src/engine/whatif/advice_nodes.h
//
// Searches on one node at a time: the smallest set of claims to release there, and whether one more
// node like it serves the subject.

#pragma once

#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "dra/base/function_ref.h"
#include "dra/engine/whatif/simulator.h"

namespace dra::engine {

// A minimal set of claims whose release lets the subject fit on the node. It has pods of the
// subject's own workload only where no set without them helps.
struct ReleaseFound {
  Release release;
  std::vector<Release> parts = {};  // each of pods and claims that go together
  std::int64_t priority = 0;        // the highest of its pods
  bool works = false;               // some pod works with the devices
  bool of_own_workload = false;     // has such pods: their controller makes others, which compete
};
std::optional<ReleaseFound> release_on(const snapshot::Snapshot& whole, const Wanted& wanted,
                                       std::string_view node, SimulationBudget& budget);

// Sets of claims of the node whose release helps, the smallest first, each of at most three parts,
// all of whose pods may go; until one is accepted. Not every set is tried where there are many.
struct ReleaseChoice {
  base::FunctionRef<bool(std::string_view pod)> may_go;  // namespace/name
  base::FunctionRef<bool(const Release&)> accepts;
};
void release_that(const snapshot::Snapshot& whole, const Wanted& wanted, std::string_view node,
                  SimulationBudget& budget, const ReleaseChoice& choice);

// Whether the subject fits on a node like that, as far as pods on other nodes do not decide.
bool fits_on_node_like(const snapshot::Snapshot& whole, const Wanted& wanted, std::string_view node,
                       SimulationBudget& budget);

// The releases that free claims of the subject that are allocated and that only other pods have
// reserved: one for each claim, then one for all. None for a claim whose pods are not all visible.
std::vector<ReleaseFound> releases_of_own_claims(const Simulator& simulator, const Wanted& wanted);

// The part of the cluster that decides what the subject gets on the nodes.
snapshot::Snapshot subset_for(const snapshot::Snapshot& whole, const Wanted& wanted,
                              const std::set<std::string_view>& nodes);

// What pods on other nodes have against the nodes, for simulations on a part of the cluster.
OtherPodsReasons reasons_of_other_pods(std::span<const NodeResult> nodes);

}  // namespace dra::engine
