// src/engine/whatif/plan.cpp: takes the pods in the order of the queue. What fits without regard to
// the others is found once for each kind of pod, over all nodes; what others leave of a node is
// found in a NodeFuture, of those nodes alone on which pods are put.
//
// A pod with one node that no undecided pod may come to is put there: that is certain, and holds
// for all that follows. Any other pod is undecided: it takes what it takes on a node of its choice,
// or, where its verdict is open, perhaps nothing. Less room never makes a pod fit, so what does not
// fit beside the certain ones alone does not fit.
//
// Not so for pods that affinity, topology spread, or a claim that waiting pods share, tie to
// others: of these a verdict is given only as long as nothing has been put anywhere before, and
// later only what keeps one from every node and no other pod can change.
//
// The pods of a gang are placed like others. If the gang is not certainly bound with them, that is
// taken back; if it may be, each of its pods counts as one that may have a node.
//
// A pod that is nominated for a node keeps others of its priority from the room there until it has
// a node, or may have one: then it counts as any other.

#include "dra/engine/whatif/plan.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "dra/api/pod.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/cluster/node_loads.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/scheduling_group.h"
#include "dra/engine/scheduler/verdict.h"
#include "dra/engine/whatif/gang.h"
#include "src/engine/whatif/claim_seats.h"
#include "src/engine/whatif/node_future.h"
#include "src/engine/whatif/node_room.h"
#include "src/engine/whatif/plan_alone.h"

namespace dra::engine {
namespace {

using diag::Code;

constexpr std::size_t kMostBefore = 10;  // pods that are named of those that come before one
// States of nodes that all answers together may look at, beyond what has to be known.
constexpr std::size_t kMostTries = 1500;

// Whether the pods of a gang are bound together, or each by itself.
enum class Gangs : std::uint8_t { Together, OneByOne };

class Planner {
 public:
  Planner(const snapshot::Snapshot& snapshot, std::vector<const api::Pod*> queue, Gangs gangs)
      : snapshot_(snapshot),
        inventory_(snapshot),
        loads_(snapshot),
        nodes_(nodes_of(snapshot)),
        queue_(std::move(queue)),
        gangs_(gangs),
        alone_({snapshot, inventory_, loads_, nodes_}, queue_),
        seats_(std::in_place, snapshot, queue_) {
    for (const api::Pod* pod : queue_)
      ranks_.emplace(pod, ranks_.size());
  }

  std::vector<PlanStep> run() {
    std::vector<PlanStep> steps(queue_.size());
    for (const api::Pod* pod : queue_) {
      PlanStep& own = steps[ranks_.at(pod)];
      if (own.pod != nullptr) continue;  // of a gang that was placed before
      const SchedulingGroup group = gangs_ == Gangs::Together && pod->spec.group
                                        ? scheduling_group_of(snapshot_, *pod)
                                        : SchedulingGroup();
      if (!is_placed_together(group)) {
        own = step(*pod);
        continue;
      }
      for (PlanStep& one : together(group))
        steps[ranks_.at(one.pod)] = std::move(one);
    }
    return steps;
  }

 private:
  // A pod before the current one whose node is not certain.
  struct Undecided {
    KindOfPod pod;
    std::vector<NodePlace> nodes;  // it is on one of these, if on any
    bool placed = false;           // it certainly has a node
    bool local = true;             // a NodeFuture can have it
  };

  // What is placed, to come back to.
  struct Placed {
    std::map<NodePlace, std::vector<KindOfPod>> pods;
    std::vector<Undecided> undecided;
    ClaimSeats seats;
    std::optional<NodeLoads> loads;  // if one of the gang is nominated
    std::vector<const api::Pod*> was_nominated;
    bool anything_placed;
    const api::Pod* reaches_all;
  };

  Placed placed(const SchedulingGroup& group) const;
  void come_back_to(Placed placed);
  std::vector<PlanStep> together(const SchedulingGroup& group);
  std::vector<NodePlace> places_of(const PlanStep& step) const;
  std::vector<PlanStep> not_bound(std::vector<PlanStep> steps,
                                  const std::shared_ptr<const Gang>& gang);

  NodeFuture& future(NodePlace node);
  std::vector<NodePlace> left_for(const KindOfPod& pod, const Alone& alone);

  PlanStep step(const api::Pod& pod);
  void judge_seats(const api::Pod& pod, PlanStep& step) const;
  std::vector<NodePlace> nodes_if_tied(const Alone& alone, PlanStep& step) const;
  PlanVerdict judge_behind(const KindOfPod& pod, const std::vector<NodePlace>& nodes);
  bool cannot_be_closed(const KindOfPod& pod, const std::vector<NodePlace>& nodes,
                        const std::vector<const Undecided*>& others);
  bool has_no_room(const KindOfPod& pod, const std::vector<NodePlace>& nodes,
                   const std::vector<const Undecided*>& others);
  std::vector<std::size_t> counted_to_close(const KindOfPod& pod,
                                            const std::vector<NodePlace>& nodes,
                                            const std::vector<const Undecided*>& others);
  NodeSpare spare_of(const KindOfPod& pod, const Alone& alone, NodePlace node) const;
  void fill(const std::vector<NodePlace>& nodes, const std::vector<KindOfPod>& alike);
  std::vector<const Undecided*> coming_to(const std::vector<NodePlace>& nodes) const;
  void place(const KindOfPod& pod, const std::vector<NodePlace>& nodes, PlanStep& step);
  std::vector<NodePlace> first_choice(const api::Pod& pod, std::vector<NodePlace> nodes) const;
  void end_nomination(const KindOfPod& pod, PlanVerdict verdict);
  bool only_devices_count(const KindOfPod& pod, const std::vector<KindOfPod>& others);
  void add_before(const KindOfPod& pod, PlanStep& step);

  const snapshot::Snapshot& snapshot_;
  Inventory inventory_;
  NodeLoads loads_;
  Nodes nodes_;
  std::vector<const api::Pod*> queue_;
  Gangs gangs_;
  AlonePods alone_;
  std::optional<ClaimSeats> seats_;
  std::map<const api::Pod*, std::size_t> ranks_;  // in the queue
  std::map<NodePlace, std::unique_ptr<NodeFuture>> futures_;
  std::vector<Undecided> undecided_;
  std::size_t tries_ = kMostTries;
  std::vector<const api::Pod*> was_nominated_;  // and has a node of the plan, or may have
  bool anything_placed_ = false;                // or perhaps placed
  const api::Pod* reaches_all_ = nullptr;       // undecided, and not about one node only
};

NodeFuture& Planner::future(NodePlace node) {
  std::unique_ptr<NodeFuture>& future = futures_[node];
  if (future == nullptr)
    future = std::make_unique<NodeFuture>(snapshot_, nodes_.nodes[node], was_nominated_, tries_);
  return *future;
}

std::vector<NodePlace> Planner::left_for(const KindOfPod& pod, const Alone& alone) {
  std::vector<NodePlace> left;
  for (const NodePlace node : alone.nodes) {
    const auto future = futures_.find(node);
    const bool touched = future != futures_.end() && !future->second->pods().empty();
    if (!touched || future->second->fits(pod)) left.push_back(node);
  }
  return left;
}

std::vector<const Planner::Undecided*> Planner::coming_to(
    const std::vector<NodePlace>& nodes) const {
  std::vector<const Undecided*> coming;
  for (const Undecided& one : undecided_) {
    const bool meets = std::ranges::any_of(
        one.nodes, [&nodes](NodePlace node) { return std::ranges::binary_search(nodes, node); });
    if (meets) coming.push_back(&one);
  }
  return coming;
}

// Each of the others closes at most the node that it is on, and may need help for that.
bool Planner::cannot_be_closed(const KindOfPod& pod, const std::vector<NodePlace>& nodes,
                               const std::vector<const Undecided*>& others) {
  if (nodes.size() > others.size()) return true;
  const std::vector<std::size_t> counted = counted_to_close(pod, nodes, others);
  std::size_t needed = std::accumulate(counted.begin(), counted.end(), std::size_t());
  if (needed > others.size()) return true;
  for (std::size_t i = 0; i < nodes.size() && tries_ > 0; ++i) {
    std::vector<KindOfPod> here;
    bool local = true;
    for (const Undecided* other : others) {
      if (!std::ranges::binary_search(other->nodes, nodes[i])) continue;
      here.push_back(other->pod);
      local = local && other->local;
    }
    if (!local) continue;
    const std::size_t tried = future(nodes[i]).least_to_close(pod, here, others.size() + 1);
    needed += std::max(tried, counted[i]) - counted[i];
    if (needed > others.size()) return true;
  }
  return false;
}

// By counts of devices and resources: how many of the others at least close each of the nodes.
std::vector<std::size_t> Planner::counted_to_close(const KindOfPod& pod,
                                                   const std::vector<NodePlace>& nodes,
                                                   const std::vector<const Undecided*>& others) {
  std::vector<std::size_t> counted(nodes.size(), 1);
  const Alone& alone = alone_.of(pod);
  if (alone.spare.empty() || !std::ranges::all_of(others, &Undecided::local)) return counted;
  std::vector<const PodTakes*> takes;
  takes.reserve(others.size());
  for (const Undecided* other : others)
    takes.push_back(&alone_.takes(other->pod));
  const Crowd crowd(takes, requests_to_start(*pod.pod, loads_.rules()).amounts);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    counted[i] += crowd.leaving_room(spare_of(pod, alone, nodes[i]));
  return counted;
}

// Beyond what the pod needs, and what those take that are on the node for certain.
NodeSpare Planner::spare_of(const KindOfPod& pod, const Alone& alone, NodePlace node) const {
  const auto place = std::ranges::lower_bound(alone.nodes, node) - alone.nodes.begin();
  NodeSpare spare =
      spare_on(nodes_.nodes[node], loads_, *pod.pod, alone.spare[static_cast<std::size_t>(place)]);
  const auto future = futures_.find(node);
  if (future == futures_.end()) return spare;
  for (const KindOfPod& there : future->second->pods())
    take(spare, alone_.takes(there));
  return spare;
}

// Pods of its own kind, all placed, have all the room that the nodes have for the kind.
bool Planner::has_no_room(const KindOfPod& pod, const std::vector<NodePlace>& nodes,
                          const std::vector<const Undecided*>& others) {
  std::vector<KindOfPod> alike;
  for (const Undecided* other : others) {
    if (other->pod.kind != pod.kind) continue;
    if (!other->placed || !other->local) return false;
    alike.push_back(other->pod);
  }
  if (alike.empty() || tries_ == 0) return false;
  const std::size_t placed = alike.size();
  alike.push_back(pod);
  std::size_t room = 0;
  for (const NodePlace node : nodes) {
    room += future(node).room_for(alike);
    if (room > placed || tries_ == 0) return false;
  }
  // Where no other pods come, it is certain what is left of the nodes.
  if (placed == others.size()) fill(nodes, alike);
  return true;
}

// Which of the pods alike is on which node makes no difference. The last one finds no room.
void Planner::fill(const std::vector<NodePlace>& nodes, const std::vector<KindOfPod>& alike) {
  std::span<const KindOfPod> rest(alike);
  for (const NodePlace node : nodes)
    rest = rest.subspan(future(node).fill(rest));
  std::erase_if(undecided_, [&alike](const Undecided& one) {
    return std::ranges::any_of(alike,
                               [&one](const KindOfPod& pod) { return pod.pod == one.pod.pod; });
  });
}

PlanVerdict Planner::judge_behind(const KindOfPod& pod, const std::vector<NodePlace>& nodes) {
  if (nodes.empty()) return PlanVerdict::DoesNotFit;
  if (reaches_all_ != nullptr) return PlanVerdict::Depends;
  const auto others = coming_to(nodes);
  if (cannot_be_closed(pod, nodes, others)) return PlanVerdict::Fits;
  return has_no_room(pod, nodes, others) ? PlanVerdict::DoesNotFit : PlanVerdict::Depends;
}

// Whether all others together would leave the pod's resources, so that only devices can be short.
bool Planner::only_devices_count(const KindOfPod& pod, const std::vector<KindOfPod>& others) {
  if (alone_.takes(pod).devices == 0) return false;
  std::vector<const PodTakes*> takes;
  takes.reserve(others.size());
  for (const KindOfPod& other : others)
    takes.push_back(&alone_.takes(other));
  const Crowd crowd(takes, requests_to_start(*pod.pod, loads_.rules()).amounts);
  return std::ranges::all_of(alone_.of(pod).nodes, [&](NodePlace node) {
    return crowd.leaves_resources(spare_on(nodes_.nodes[node], loads_, *pod.pod, 0));
  });
}

// Names who takes what it could have: those for certain on its nodes, and those that may come.
void Planner::add_before(const KindOfPod& pod, PlanStep& step) {
  const std::vector<NodePlace>& nodes = alone_.of(pod).nodes;
  std::vector<KindOfPod> others;
  for (const NodePlace node : nodes) {
    const auto future = futures_.find(node);
    if (future == futures_.end()) continue;
    others.insert(others.end(), future->second->pods().begin(), future->second->pods().end());
  }
  for (const Undecided* other : coming_to(nodes))
    others.push_back(other->pod);
  const bool devices = only_devices_count(pod, others);
  std::set<std::size_t> ranks;
  for (const KindOfPod& other : others) {
    if (!devices || alone_.takes(other).devices > 0) ranks.insert(ranks_.at(other.pod));
  }
  if (reaches_all_ != nullptr) ranks.insert(ranks_.at(reaches_all_));
  for (const api::Pod* other : seats_->before(*pod.pod))
    ranks.insert(ranks_.at(other));
  step.all_before = ranks.size();
  for (const std::size_t rank : ranks) {
    if (step.before.size() == kMostBefore) break;
    step.before.push_back(queue_[rank]);
  }
}

// The scheduler looks at the node for which a pod is nominated first, and at others only if it does
// not fit there. Upstream: schedule_one.go, evaluateNominatedNode.
std::vector<NodePlace> Planner::first_choice(const api::Pod& pod,
                                             std::vector<NodePlace> nodes) const {
  for (const NodePlace node : nodes) {
    const bool first = nodes_.nodes[node].meta.name == pod.status.nominated_node;
    if (first && coming_to({node}).empty()) return {node};
  }
  return nodes;
}

// What was found of others while it kept room is not so any more. Where it may have none, it may
// still keep that.
void Planner::end_nomination(const KindOfPod& pod, PlanVerdict verdict) {
  const std::string_view name = pod.pod->status.nominated_node;
  if (name.empty()) return;
  loads_.end_nomination(*pod.pod);
  alone_.forget();
  was_nominated_.push_back(pod.pod);
  const auto found = std::ranges::find_if(
      nodes_.nodes, [name](const api::Node& node) { return node.meta.name == name; });
  if (found == nodes_.nodes.end()) return;
  const auto node = static_cast<NodePlace>(found - nodes_.nodes.begin());
  if (verdict != PlanVerdict::Fits) {
    std::vector<NodePlace>& nodes = undecided_.back().nodes;
    const auto at = std::ranges::lower_bound(nodes, node);
    if (at == nodes.end() || *at != node) nodes.insert(at, node);
  }
  const auto old = futures_.find(node);
  if (old == futures_.end()) return;
  const std::vector<KindOfPod> pods = old->second->pods();
  futures_.erase(old);
  for (const KindOfPod& there : pods)
    future(node).put(there);
}

void Planner::place(const KindOfPod& pod, const std::vector<NodePlace>& nodes, PlanStep& step) {
  const Alone& alone = alone_.of(pod);
  // With anti-affinity it closes nodes around its own.
  const bool reaches =
      alone.shares_devices || !pod.pod->spec.affinity.against_pods.required.empty();
  const bool local = !reaches && !alone.tied;
  const bool certain = step.verdict == PlanVerdict::Fits;
  anything_placed_ = true;
  if (reaches && reaches_all_ == nullptr) reaches_all_ = pod.pod;
  if (certain && local && nodes.size() == 1 && coming_to(nodes).empty()) {
    step.devices = future(nodes.front()).put(pod);
  } else {
    undecided_.push_back({pod, nodes, certain, local});
  }
}

// Of pods that are tied to others: once a pod may be somewhere, only what no pod elsewhere can open
// is certain.
std::vector<NodePlace> Planner::nodes_if_tied(const Alone& alone, PlanStep& step) const {
  if (!anything_placed_) return alone.nodes;
  if (!alone.open.empty() && step.verdict != PlanVerdict::Undetermined)
    step.verdict = PlanVerdict::Depends;
  return alone.open;
}

// What a claim that is allocated already leaves.
void Planner::judge_seats(const api::Pod& pod, PlanStep& step) const {
  const PlanVerdict left = seats_->left_for(pod);
  const bool lasts = step.verdict == PlanVerdict::DoesNotFit || left == PlanVerdict::Fits;
  if (!lasts && (step.verdict != PlanVerdict::Undetermined || left == PlanVerdict::DoesNotFit))
    step.verdict = left;
}

PlanStep Planner::step(const api::Pod& one) {
  const KindOfPod pod = alone_.with_kind(one);
  const Alone& alone = alone_.of(pod);
  PlanStep step{.pod = &one, .kind = pod.kind};
  step.verdict = judge_alone(alone, loads_, step.reasons);
  if (step.verdict == PlanVerdict::Blocked) return step;
  step.fits_alone = step.verdict == PlanVerdict::Fits;
  std::vector<NodePlace> nodes = alone.nodes;
  if (alone.tied || alone.gives_up) {
    nodes = nodes_if_tied(alone, step);
  } else if (step.fits_alone) {
    nodes = first_choice(one, left_for(pod, alone));
    step.verdict = judge_behind(pod, nodes);
  }
  judge_seats(one, step);
  const bool out = step.verdict == PlanVerdict::DoesNotFit;
  if (step.verdict == PlanVerdict::Depends || (out && step.fits_alone)) add_before(pod, step);
  if (out) return step;
  for (const NodePlace node : nodes)
    step.nodes.push_back(nodes_.nodes[node].meta.name);
  seats_->reserve(one, step.verdict == PlanVerdict::Fits);
  place(pod, nodes, step);
  end_nomination(pod, step.verdict);
  return step;
}

Planner::Placed Planner::placed(const SchedulingGroup& group) const {
  Placed now{{}, undecided_, *seats_, {}, was_nominated_, anything_placed_, reaches_all_};
  for (const auto& [node, future] : futures_)
    now.pods.emplace(node, future->pods());
  if (std::ranges::any_of(group.pods,
                          [](const api::Pod* pod) { return !pod->status.nominated_node.empty(); }))
    now.loads = loads_;
  return now;
}

// Nodes are built again: the old ones were asked about pods that are not there.
void Planner::come_back_to(Placed placed) {
  futures_.clear();
  undecided_ = std::move(placed.undecided);
  seats_.emplace(placed.seats);
  if (was_nominated_.size() > placed.was_nominated.size()) {
    loads_ = *std::move(placed.loads);
    alone_.forget();
  }
  was_nominated_ = std::move(placed.was_nominated);
  anything_placed_ = placed.anything_placed;
  reaches_all_ = placed.reaches_all;
  for (const auto& [node, pods] : placed.pods) {
    for (const KindOfPod& pod : pods)
      future(node).put(pod);
  }
}

std::vector<PlanStep> Planner::together(const SchedulingGroup& group) {
  Placed before = placed(group);
  std::vector<PlanStep> steps;
  for (const api::Pod* pod : queue_) {
    if (std::ranges::find(group.pods, pod) != group.pods.end()) steps.push_back(step(*pod));
  }
  const auto gang = gang_of_steps(snapshot_, group, steps);
  if (gang->verdict == GangVerdict::Fits) {
    share_room(steps, gang);
    return steps;
  }
  come_back_to(std::move(before));
  return not_bound(std::move(steps), gang);
}

// The names are in the order of the nodes.
std::vector<NodePlace> Planner::places_of(const PlanStep& step) const {
  std::vector<NodePlace> places;
  places.reserve(step.nodes.size());
  for (NodePlace i = 0; places.size() < step.nodes.size(); ++i) {
    if (nodes_.nodes[i].meta.name == step.nodes[places.size()]) places.push_back(i);
  }
  return places;
}

// Of a gang that may be bound, its pods may be where they then are.
std::vector<PlanStep> Planner::not_bound(std::vector<PlanStep> steps,
                                         const std::shared_ptr<const Gang>& gang) {
  const bool open = gang->verdict == GangVerdict::Undetermined;
  for (PlanStep& step : steps) {
    step.gang = gang;
    step.devices.clear();
    const bool out =
        step.verdict == PlanVerdict::Blocked || step.verdict == PlanVerdict::DoesNotFit;
    if (!open && step.verdict != PlanVerdict::Blocked) step.verdict = PlanVerdict::DoesNotFit;
    if (open && step.verdict == PlanVerdict::Fits) step.verdict = PlanVerdict::Depends;
    if (!open) step.nodes.clear();
    if (!open || out) continue;
    const KindOfPod pod = alone_.with_kind(*step.pod);
    seats_->reserve(*step.pod, false);
    place(pod, places_of(step), step);
    end_nomination(pod, step.verdict);
  }
  return steps;
}

}  // namespace

Plan plan_for(const snapshot::Snapshot& snapshot) {
  Plan plan{.state = with_claims(snapshot)};
  plan.steps = Planner(plan.state, queue_of(plan.state), Gangs::Together).run();
  return plan;
}

std::vector<PlanStep> steps_one_by_one(const snapshot::Snapshot& state,
                                       std::vector<const api::Pod*> order) {
  return Planner(state, std::move(order), Gangs::OneByOne).run();
}

}  // namespace dra::engine
