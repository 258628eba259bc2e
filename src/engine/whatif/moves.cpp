// src/engine/whatif/moves.cpp: tries sets of pods whose release helps, the smallest first. What is
// free on other nodes is counted first: where nothing is, no plan is made.
//
// Other waiting pods are left out of the plan of the moved pods. They fit nowhere now, and what
// becomes free is on a node that is cordoned; one that is just about to be scheduled may still come
// before. Once the node is no longer cordoned they can take what the subject needs, which is asked
// at the end.

#include "src/engine/whatif/moves.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/disruption_budgets.h"
#include "dra/engine/cluster/job_attempts.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/cluster/workload_pods.h"
#include "dra/engine/facts/full_name.h"
#include "dra/engine/scheduler/node_filters.h"
#include "dra/engine/whatif/drain.h"
#include "dra/engine/whatif/plan.h"
#include "dra/snapshot/draft.h"
#include "src/engine/whatif/advice_nodes.h"
#include "src/engine/whatif/turn.h"

namespace dra::engine {
namespace {

constexpr std::size_t kMostMoved = 3;
constexpr std::size_t kMostNodes = 4;
constexpr int kMostPlans = 6;          // each looks at the whole cluster
constexpr std::size_t kMostWays = 32;  // in which pods can go to their nodes

class Mover {
 public:
  Mover(const Simulator& simulator, const Wanted& wanted, SimulationBudget& budget)
      : simulator_(simulator), wanted_(wanted), budget_(budget) {
    for (const InventoryDevice& device : simulator.inventory().devices()) {
      if (device.state != DeviceState::Free && device.state != DeviceState::Shared) continue;
      const std::string_view node = only_node_of(device.published);
      if (!node.empty()) ++free_[device.published.slice->spec.driver][node];
    }
  }

  std::optional<Moves> from(const std::string& node) {
    if (free_.empty()) return std::nullopt;
    const std::array<std::string, 1> nodes = {node};
    node_ = node;
    leaving_ = drained_pods(simulator_.snapshot(), nodes);
    const auto may_go = [this](std::string_view name) {
      const DrainedPod* pod = leaving(name);
      return pod != nullptr && may_move(*pod);
    };
    if (std::ranges::none_of(leaving_, [this](const DrainedPod& pod) { return may_move(pod); }))
      return std::nullopt;
    std::optional<Moves> found;
    const auto accepts = [&](const Release& release) {
      found = moves_of(release);
      return found.has_value();
    };
    release_that(simulator_.snapshot(), wanted_, node, budget_, {may_go, accepts});
    return found;
  }

 private:
  const DrainedPod* leaving(std::string_view pod) const;
  bool may_move(const DrainedPod& pod) const;
  bool fits_without(const Release& release) const;
  std::optional<Moves> moves_of(const Release& release);
  std::optional<Moves> planned(const std::vector<const DrainedPod*>& pods) const;
  bool fits_beside(const snapshot::Snapshot& without, const std::vector<const DrainedPod*>& pods,
                   const Moves& moves) const;
  bool comes_first(const snapshot::Snapshot& without) const;

  const Simulator& simulator_;
  const Wanted& wanted_;
  SimulationBudget& budget_;
  std::map<std::string_view, std::map<std::string_view, std::int64_t>> free_;  // by driver and node
  std::string node_;
  std::vector<DrainedPod> leaving_;  // that node
  int plans_ = 0;
};

const DrainedPod* Mover::leaving(std::string_view pod) const {
  const auto found = std::ranges::find_if(
      leaving_, [pod](const DrainedPod& one) { return full_name(one.pod->meta) == pod; });
  return found == leaving_.end() ? nullptr : &*found;
}

// Its devices are of this node alone, and some other node has as many free ones.
bool Mover::may_move(const DrainedPod& pod) const {
  if (pod.fate != DrainFate::Recreated || pod.pod->meta.deleted || pod.loses.empty() ||
      ends_job(simulator_.snapshot(), *pod.pod, Removal::Deletion))
    return false;
  std::map<std::string_view, std::int64_t> needs;
  for (const DeviceId& id : pod.loses) {
    const PoolDevice* device = simulator_.inventory().find(id);
    if (device == nullptr || only_node_of(*device) != node_) return false;
    ++needs[id.driver];
  }
  return std::ranges::all_of(needs, [this](const auto& need) {
    const auto free = free_.find(need.first);
    return free != free_.end() && std::ranges::any_of(free->second, [&](const auto& node) {
             return node.first != node_ && node.second >= need.second;
           });
  });
}

bool Mover::fits_without(const Release& release) const {
  Hypothesis hypothesis(simulator_.snapshot(), wanted_);
  if (!hypothesis.apply(release).ok()) return false;
  const Simulation simulation = simulator_.run(hypothesis);
  return simulation.starts() &&
         std::ranges::find(simulation.nodes, std::string_view(node_)) != simulation.nodes.end();
}

std::optional<Moves> Mover::moves_of(const Release& release) {
  if (release.pods.empty() || release.pods.size() > kMostMoved || plans_ == kMostPlans)
    return std::nullopt;
  std::vector<const DrainedPod*> pods;
  for (const std::string& name : release.pods)
    pods.push_back(leaving(name));
  if (!fits_without({.claims = {}, .pods = release.pods})) return std::nullopt;
  ++plans_;
  return planned(pods);
}

// The pods are created again while the node is cordoned.
std::optional<Moves> Mover::planned(const std::vector<const DrainedPod*>& pods) const {
  Release release;
  std::vector<api::Pod> again;
  for (const DrainedPod* pod : pods) {
    release.pods.push_back(full_name(pod->pod->meta));
    again.push_back(*pod->pod);
  }
  Hypothesis without(simulator_.snapshot(), wanted_);
  if (!without.apply(release).ok()) return std::nullopt;
  snapshot::Draft draft(without.snapshot());
  draft.remove_if<api::Pod>(waits_for_node);
  const std::array<std::string, 1> nodes = {node_};
  cordon(draft, nodes);
  make_again(draft, std::move(again));
  const snapshot::Snapshot state = std::move(draft).finish();
  const Plan plan = plan_for(state);
  Moves moves{.node = node_, .pods = {}};
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const auto step = std::ranges::find_if(plan.steps, [&](const PlanStep& one) {
      return full_name(one.pod->meta) == release.pods[i];
    });
    if (step == plan.steps.end() || step->verdict != PlanVerdict::Fits) return std::nullopt;
    const WorkloadName maker = workload_of(simulator_.snapshot(), *pods[i]->pod);
    moves.pods.push_back({.pod = release.pods[i],
                          .devices = std::ssize(pods[i]->loses),
                          .to = {step->nodes.begin(), step->nodes.end()},
                          .made_by = base::format("{} {}", maker.kind, maker.name)});
    for (const auto* budget : budgets_against(simulator_.snapshot(), *pods[i]->pod))
      moves.pods.back().budgets.push_back(full_name(budget->meta));
  }
  if (!fits_beside(without.snapshot(), pods, moves) || !comes_first(without.snapshot()))
    return std::nullopt;
  return moves;
}

// Whether the subject's other filters let it onto the node once the pods are where they go,
// whichever of their nodes that is.
bool Mover::fits_beside(const snapshot::Snapshot& without,
                        const std::vector<const DrainedPod*>& pods, const Moves& moves) const {
  const api::Pod* subject = without.find<api::Pod>(wanted_.namespace_, wanted_.pod);
  if (subject == nullptr || !depends_on_other_pods(*subject, NodeLoads(without))) return true;
  std::size_t ways = 1;
  for (const PodMove& move : moves.pods)
    ways *= move.to.size();
  if (ways > kMostWays) return false;
  for (std::size_t way = 0; way < ways; ++way) {
    snapshot::Draft draft(without);
    std::size_t rest = way;
    std::vector<api::Pod> moved;
    for (std::size_t i = 0; i < pods.size(); ++i) {
      moved.push_back(*pods[i]->pod);
      moved.back().spec.node_name = draft.keep(moves.pods[i].to[rest % moves.pods[i].to.size()]);
      rest /= moves.pods[i].to.size();
    }
    draft.add(std::move(moved));
    const snapshot::Snapshot then = std::move(draft).finish();
    const NodeLoads loads(then);
    const NodeFilters filters(then, loads, *then.find<api::Pod>(wanted_.namespace_, wanted_.pod));
    if (!filters.against(*then.find<api::Node>(node_)).empty()) return false;
  }
  return true;
}

bool Mover::comes_first(const snapshot::Snapshot& without) const {
  const auto turn = turn_of(without, wanted_, InFront::AlsoEqual);
  return !turn || std::ranges::find(turn->nodes, node_) != turn->nodes.end();
}

}  // namespace

std::optional<Moves> moves_for(const Simulator& simulator, const Wanted& wanted,
                               std::span<const std::string> nodes, SimulationBudget& budget) {
  if (simulator.nodes().assumed || nodes.empty()) return std::nullopt;
  Mover mover(simulator, wanted, budget);
  std::optional<Moves> least;
  for (const std::string& node : nodes.first(std::min(nodes.size(), kMostNodes))) {
    auto moves = mover.from(node);
    if (moves && (!least || moves->pods.size() < least->pods.size())) least = std::move(moves);
    if (least && least->pods.size() == 1) break;
  }
  return least;
}

}  // namespace dra::engine
