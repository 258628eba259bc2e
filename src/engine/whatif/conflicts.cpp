// src/engine/whatif/conflicts.cpp: minimal sets of demand parts that cannot hold together. See
// conflicts.h.
//
// The idea: a subject that fits nowhere is an infeasible set of parts: requests, selectors,
// constraints, and what stands in the way (devices in use, taints, incomplete pools, filters).
// "Feasible" means that the simulator places a subject of which only these parts are left; a part
// that is not kept is dropped from the claims, or ignored in the cluster. QuickXplain (Junker 2004,
// base/minimal_set.h) divides the set and finds a minimal infeasible subset in few runs. It prefers
// parts that come first, so requests stand in front and obstacles at the end: a conflict without
// Occupancy holds in an empty cluster, too.
//
// The order:
//   1. The search runs on representative nodes only, at most 12, with a budget of 600 runs for all
//      conflicts; a subject of many parts, or nodes with many devices, have fewer.
//   2. The result is shrunk once more, part by part. QuickXplain needs feasibility to be monotone,
//      and the allocator is not: an error that ends it comes with one part and goes with another,
//      and a selector spares a request for all devices those that are in use.
//   3. One run on all nodes proves it. A node that can serve the set refutes it; that node joins
//      the sample, and the search starts again, at most six times.
//   4. For the next conflict, the last part of each known one is dropped: what is asked for least.
//      At most three are found.
//
// What is left out, and why that is sound:
//   - The parts of the claim for extended resources. They are no fields of a claim that a user can
//     edit, so such subjects have no conflicts here.
//   - Other conflicts that share the dropped parts. Each set that is given is proven by itself.
//   - Undecided runs. One of them, or an empty budget, ends the search without a set, and
//     `bounded` says that there may be more.
// A run that is refused for lack of budget counts as feasible, so that no set is called infeasible
// that was not simulated.

#include "dra/engine/whatif/conflicts.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>

#include "dra/base/minimal_set.h"
#include "src/engine/whatif/advice_nodes.h"
#include "src/engine/whatif/representative_nodes.h"

namespace dra::engine {
namespace {

using Parts = std::vector<DemandPart>;

constexpr std::size_t kMaxConflictSample = 12;
constexpr std::int64_t kMaxSimulations = 600;  // on the sample, for all conflicts
constexpr int kMaxRounds = 6;                  // each with one node more in the sample

class ConflictFinder {
 public:
  ConflictFinder(const Simulator& simulator, const Wanted& wanted,
                 std::span<const NodeResult> nodes)
      : simulator_(simulator),
        wanted_(wanted),
        budget_{.simulations = kMaxSimulations},
        elsewhere_(reasons_of_other_pods(nodes)) {
    for (const std::size_t i : representative_nodes(nodes, kMaxConflictSample))
      names_.insert(nodes[i].name);
    take_sample();
  }

  ConflictsFound find();

 private:
  void take_sample();
  bool feasible(const Parts& kept);
  std::optional<Conflict> on_sample(const Parts& parts);
  std::optional<Conflict> proven(const Parts& parts);
  Conflict without_needless(Conflict conflict);

  const Simulator& simulator_;
  const Wanted& wanted_;
  SimulationBudget budget_;
  bool unknown_ = false;  // some run was not decided
  std::set<std::string_view> names_;
  const OtherPodsReasons elsewhere_;
  std::unique_ptr<const snapshot::Snapshot> part_;
  std::unique_ptr<const Simulator> sample_;
};

void ConflictFinder::take_sample() {
  sample_.reset();
  part_ = std::make_unique<const snapshot::Snapshot>(
      subset_for(simulator_.snapshot(), wanted_, names_));
  sample_ = std::make_unique<const Simulator>(*part_, elsewhere_);
}

bool ConflictFinder::feasible(const Parts& kept) {
  if (!budget_.take()) return true;
  const Simulation simulation = simulate_with(*sample_, wanted_, kept);
  unknown_ = unknown_ || (!simulation.works() && !simulation.fails());
  return simulation.works();
}

std::optional<Conflict> ConflictFinder::on_sample(const Parts& parts) {
  if (parts.empty() || feasible(parts) || !feasible({})) return std::nullopt;
  Conflict conflict =
      base::minimal_set(parts, [this](const Parts& kept) { return !feasible(kept); });
  if (feasible(conflict)) conflict = parts;
  if (budget_.used_up || unknown_) return std::nullopt;
  conflict = without_needless(std::move(conflict));
  if (budget_.used_up || unknown_) return std::nullopt;
  return conflict;
}

// Drops parts of an infeasible set until each that is left is needed.
Conflict ConflictFinder::without_needless(Conflict conflict) {
  for (std::size_t i = conflict.size(); i > 0 && !budget_.used_up;) {
    Parts fewer = conflict;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i - 1));
    if (feasible(fewer)) {
      --i;
    } else {
      conflict = std::move(fewer);
      i = conflict.size();
    }
  }
  return conflict;
}

// A node that serves a set which the sample cannot serve joins the sample.
std::optional<Conflict> ConflictFinder::proven(const Parts& parts) {
  for (int round = 0; round < kMaxRounds; ++round) {
    auto conflict = on_sample(parts);
    if (!conflict) return std::nullopt;
    if (names_.size() == simulator_.nodes().nodes.size()) return conflict;
    const Simulation simulation = simulate_with(simulator_, wanted_, *conflict);
    if (simulation.fails()) return conflict;
    if (!simulation.works()) break;
    names_.insert(simulation.nodes.front());
    take_sample();
  }
  budget_.used_up = true;
  return std::nullopt;
}

ConflictsFound ConflictFinder::find() {
  ConflictsFound found;
  Parts parts = parts_of(simulator_, wanted_);
  budget_.limit(parts.size(), sample_->inventory().devices().size());
  while (found.conflicts.size() < kMaxConflicts) {
    auto conflict = proven(parts);
    if (!conflict) break;
    std::erase(parts, conflict->back());
    found.conflicts.push_back(*std::move(conflict));
  }
  found.bounded = budget_.used_up || unknown_;
  return found;
}

}  // namespace

ConflictsFound conflicts_of(const Simulator& simulator, const Wanted& wanted,
                            std::span<const NodeResult> nodes) {
  const Subject subject = resolve(simulator.snapshot(), wanted);
  const bool special = std::ranges::any_of(
      subject.claims, [](const SubjectClaim& claim) { return claim.extended != nullptr; });
  if (special || nodes.empty()) return {};
  return ConflictFinder(simulator, wanted, nodes).find();
}

}  // namespace dra::engine
