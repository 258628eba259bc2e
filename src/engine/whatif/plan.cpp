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
// others: of these a verdict is given only as long as nothing has been put anywhere before.

#include "dra/engine/whatif/plan.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/cluster/node_loads.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/scheduling_group.h"
#include "dra/engine/scheduler/node_result.h"
#include "dra/engine/scheduler/pod_kind.h"
#include "dra/engine/scheduler/verdict.h"
#include "dra/engine/whatif/post_filter.h"
#include "dra/snapshot/template_pods.h"
#include "src/engine/whatif/node_future.h"

namespace dra::engine {
namespace {

using diag::Code;
using diag::Reason;

using NodePlace = std::size_t;  // among the nodes

constexpr std::size_t kMostBefore = 10;  // pods that are named of those that come before one

// What a kind of pod comes to if it were the first.
struct Alone {
  Decision decision = {};
  std::string not_simulated = {};
  std::vector<NodePlace> nodes = {};  // on which it may fit
  bool gives_up = false;
  bool shares_devices = false;     // some device that it may get is of more nodes than the one
  bool depends_on_others = false;  // on pods, by affinity or topology spread
  bool tied = false;               // what other waiting pods do elsewhere decides about it, too
};

bool waits_for_node(const api::Pod& pod) {
  return pod.spec.node_name.empty() && !pod.finished() && !pod.meta.deleted;
}

class Planner {
 public:
  // All pods of the queue are of `gang`, unless it is empty.
  Planner(const snapshot::Snapshot& snapshot, std::vector<const api::Pod*> queue,
          std::string_view gang)
      : snapshot_(snapshot),
        inventory_(snapshot),
        loads_(snapshot),
        nodes_(nodes_of(snapshot)),
        queue_(std::move(queue)),
        gang_(gang) {
    for (const api::ResourceSlice& slice : snapshot.all<api::ResourceSlice>()) {
      if (slice.spec.node_name.empty()) shared_slices_.push_back(&slice);
    }
    for (const api::Pod* pod : queue_) {
      ranks_.emplace(pod, ranks_.size());
      note_claims(*pod);
    }
  }

  std::vector<PlanStep> run() {
    std::vector<PlanStep> steps;
    steps.reserve(queue_.size());
    for (const api::Pod* pod : queue_)
      steps.push_back(step(*pod));
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

  void note_claims(const api::Pod& pod);
  std::vector<std::string> not_simulated(const NodeFilters& filters, const api::Pod& pod) const;
  Alone look(const api::Pod& pod) const;
  bool may_share_devices(const Subject& subject, const Demands& demands) const;
  bool uses_shared_claim(const Subject& subject) const;
  const Alone& alone(const KindOfPod& pod);
  std::size_t kind_of(const api::Pod& pod);
  NodeFuture& future(NodePlace node);
  std::vector<NodePlace> left_for(const KindOfPod& pod, const Alone& alone);

  PlanStep step(const api::Pod& pod);
  std::vector<NodePlace> nodes_if_tied(const Alone& alone, PlanStep& step) const;
  PlanVerdict judge_alone(const Alone& alone, PlanStep& step) const;
  PlanVerdict judge_behind(const KindOfPod& pod, const std::vector<NodePlace>& nodes);
  bool cannot_be_closed(const KindOfPod& pod, const std::vector<NodePlace>& nodes,
                        const std::vector<const Undecided*>& others);
  bool has_no_room(const KindOfPod& pod, const std::vector<NodePlace>& nodes,
                   const std::vector<const Undecided*>& others);
  void fill(const std::vector<NodePlace>& nodes, const std::vector<KindOfPod>& alike);
  std::vector<const Undecided*> coming_to(const std::vector<NodePlace>& nodes) const;
  void place(const KindOfPod& pod, const Alone& alone, const std::vector<NodePlace>& nodes,
             PlanStep& step);
  void add_before(const Alone& alone, PlanStep& step) const;

  const snapshot::Snapshot& snapshot_;
  Inventory inventory_;
  NodeLoads loads_;
  Nodes nodes_;
  std::vector<const api::Pod*> queue_;
  std::string_view gang_;
  std::map<const api::Pod*, std::size_t> ranks_;  // in the queue
  std::map<std::string, std::size_t> kinds_;
  std::map<std::size_t, Alone> alone_;  // by kind
  std::map<NodePlace, std::unique_ptr<NodeFuture>> futures_;
  std::vector<Undecided> undecided_;
  std::vector<const api::ResourceSlice*> shared_slices_;  // of more nodes than one
  std::map<std::string, int> users_;  // waiting pods, by the claim that is still to be allocated
  bool anything_placed_ = false;      // or perhaps placed
  const api::Pod* reaches_all_ = nullptr;  // undecided, and not about one node only
};

void Planner::note_claims(const api::Pod& pod) {
  std::set<std::string> labels;
  for (const SubjectClaim& claim : subject_of_pod(snapshot_, pod).claims) {
    if (claim.claim != nullptr && !claim.allocated()) labels.insert(claim.label());
  }
  for (const std::string& label : labels)
    ++users_[label];
}

std::size_t Planner::kind_of(const api::Pod& pod) {
  const Subject subject = subject_of_pod(snapshot_, pod);
  const bool alone = depends_on_other_pods(pod, loads_) || uses_shared_claim(subject);
  return kinds_.try_emplace(pod_kind(snapshot_, loads_, subject, alone), kinds_.size())
      .first->second;
}

// A plan of a gang shows itself whether its pods fit together.
std::vector<std::string> Planner::not_simulated(const NodeFilters& filters,
                                                const api::Pod& pod) const {
  std::vector<std::string> parts = filters.not_simulated();
  if (!gang_.empty()) std::erase(parts, not_filtered(scheduling_group_of(snapshot_, pod)));
  return parts;
}

Alone Planner::look(const api::Pod& pod) const {
  const Subject subject = subject_of_pod(snapshot_, pod);
  const Demands demands(snapshot_, inventory_, subject);
  std::optional<NodeFilters> filters;
  if (!nodes_.assumed) filters.emplace(snapshot_, loads_, pod);
  SearchBudget budget;
  NodeEvaluator evaluator(
      snapshot_, {inventory_, snapshot_.coverage(), demands, budget, filters ? &*filters : nullptr},
      subject, Depth::Answer);
  std::vector<NodeResult> results;
  results.reserve(nodes_.nodes.size());
  for (const api::Node& node : nodes_.nodes) {
    // The scheduler does not look for devices on a node that other filters reject.
    auto rejected = filters ? filters->against(node) : std::vector<Reason>();
    if (rejected.empty()) {
      results.push_back(evaluator.evaluate(node));
    } else {
      results.push_back(
          {.name = std::string(node.meta.name), .other_reasons = std::move(rejected)});
    }
  }
  const Wanted wanted{.namespace_ = std::string(pod.meta.namespace_),
                      .pod = std::string(pod.meta.name),
                      .claims = {}};
  apply_post_filter(snapshot_, wanted, Depth::Answer, results);
  Alone alone;
  if (filters) alone.not_simulated = base::join(not_simulated(*filters, pod), " and ");
  alone.decision =
      judge(snapshot_.coverage(), subject, results, filters && alone.not_simulated.empty());
  for (NodePlace i = 0; i < results.size(); ++i) {
    const NodeResult& result = results[i];
    alone.gives_up = alone.gives_up || result.aborts_pod();
    if (result.is_infeasible()) continue;
    alone.nodes.push_back(i);
  }
  alone.shares_devices = may_share_devices(subject, demands);
  alone.depends_on_others = depends_on_other_pods(pod, loads_);
  const bool of_group = subject.group && !subject.allocated();
  alone.tied = subject.extended != nullptr || of_group || alone.depends_on_others ||
               uses_shared_claim(subject);
  return alone;
}

bool Planner::may_share_devices(const Subject& subject, const Demands& demands) const {
  const auto takes_some = [&](const api::NamedDemand& demand) {
    return std::ranges::any_of(shared_slices_, [&](const api::ResourceSlice* slice) {
      return std::ranges::any_of(slice->spec.devices, [&](const api::Device& device) {
        return demands.outcome(*demand.demand, {slice, &device}) != Outcome::PassedOver;
      });
    });
  };
  bool may = false;
  for_each_unmet(subject, [&](const SubjectClaim&, const api::DeviceRequest& request) {
    may = may || std::ranges::any_of(api::demands_of(request), takes_some);
  });
  return may;
}

bool Planner::uses_shared_claim(const Subject& subject) const {
  return std::ranges::any_of(subject.claims, [this](const SubjectClaim& claim) {
    const auto users = users_.find(claim.label());
    return users != users_.end() && users->second > 1;
  });
}

const Alone& Planner::alone(const KindOfPod& pod) {
  const auto known = alone_.find(pod.kind);
  if (known != alone_.end()) return known->second;
  return alone_.emplace(pod.kind, look(*pod.pod)).first->second;
}

NodeFuture& Planner::future(NodePlace node) {
  std::unique_ptr<NodeFuture>& future = futures_[node];
  if (future == nullptr) future = std::make_unique<NodeFuture>(snapshot_, nodes_.nodes[node]);
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

PlanVerdict Planner::judge_alone(const Alone& alone, PlanStep& step) const {
  step.reasons = alone.decision.blockers;
  switch (alone.decision.verdict) {
    case Verdict::Blocked:
      return PlanVerdict::Blocked;
    case Verdict::DoesNotFit:
      return PlanVerdict::DoesNotFit;
    case Verdict::Fits:
      if (loads_.saw_pods()) return PlanVerdict::Fits;
      // Others may come before it.
      step.reasons.push_back({.code = Code::NotVisible,
                              .certainty = diag::Certainty::AsFarAsVisible,
                              .message = "pods cannot be read"});
      return PlanVerdict::Undetermined;
    default:
      break;
  }
  if (step.reasons.empty() && !alone.not_simulated.empty())
    step.reasons.push_back(
        {.code = Code::NotSimulated, .message = alone.not_simulated + " is not simulated"});
  return PlanVerdict::Undetermined;
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
  std::size_t needed = 0;
  for (const NodePlace node : nodes) {
    std::vector<KindOfPod> here;
    bool local = true;
    for (const Undecided* other : others) {
      if (!std::ranges::binary_search(other->nodes, node)) continue;
      here.push_back(other->pod);
      local = local && other->local;
    }
    needed += local ? future(node).least_to_close(pod, here, others.size() + 1) : 1;
    if (needed > others.size()) return true;
  }
  return false;
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
  if (alike.empty()) return false;
  const std::size_t placed = alike.size();
  alike.push_back(pod);
  std::size_t room = 0;
  for (const NodePlace node : nodes) {
    room += future(node).room_for(alike);
    if (room > placed) return false;
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

// Names who takes what it could have: those for certain on its nodes, and those that may come.
void Planner::add_before(const Alone& alone, PlanStep& step) const {
  std::set<std::size_t> ranks;
  for (const NodePlace node : alone.nodes) {
    const auto future = futures_.find(node);
    if (future == futures_.end()) continue;
    for (const api::Pod* pod : future->second->pods())
      ranks.insert(ranks_.at(pod));
  }
  for (const Undecided* other : coming_to(alone.nodes))
    ranks.insert(ranks_.at(other->pod.pod));
  if (reaches_all_ != nullptr) ranks.insert(ranks_.at(reaches_all_));
  step.all_before = ranks.size();
  for (const std::size_t rank : ranks) {
    if (step.before.size() == kMostBefore) break;
    step.before.push_back(queue_[rank]);
  }
}

void Planner::place(const KindOfPod& pod, const Alone& alone, const std::vector<NodePlace>& nodes,
                    PlanStep& step) {
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
  const bool stays = alone.nodes.empty() && !alone.depends_on_others && !alone.gives_up;
  if (!stays && step.verdict != PlanVerdict::Undetermined) step.verdict = PlanVerdict::Depends;
  // Where a device is taken that a selector fails for, the scheduler does not give up there.
  if (!alone.depends_on_others && !alone.gives_up) return alone.nodes;
  std::vector<NodePlace> all(nodes_.nodes.size());
  std::iota(all.begin(), all.end(), NodePlace());
  return all;
}

PlanStep Planner::step(const api::Pod& one) {
  const KindOfPod pod{&one, kind_of(one)};
  const Alone& alone = this->alone(pod);
  PlanStep step{.pod = &one, .kind = pod.kind};
  step.verdict = judge_alone(alone, step);
  if (step.verdict == PlanVerdict::Blocked) return step;
  step.fits_alone = step.verdict == PlanVerdict::Fits;
  std::vector<NodePlace> nodes = alone.nodes;
  if (alone.tied || alone.gives_up) {
    nodes = nodes_if_tied(alone, step);
  } else if (step.fits_alone) {
    nodes = left_for(pod, alone);
    step.verdict = judge_behind(pod, nodes);
  }
  const bool out = step.verdict == PlanVerdict::DoesNotFit;
  if (step.verdict == PlanVerdict::Depends || (out && step.fits_alone)) add_before(alone, step);
  if (out) return step;
  for (const NodePlace node : nodes)
    step.nodes.push_back(nodes_.nodes[node].meta.name);
  place(pod, alone, nodes, step);
  return step;
}

}  // namespace

std::string_view name_of(PlanVerdict verdict) {
  switch (verdict) {
    case PlanVerdict::Fits:
      return "Fits";
    case PlanVerdict::DoesNotFit:
      return "DoesNotFit";
    case PlanVerdict::Depends:
      return "Depends";
    case PlanVerdict::Blocked:
      return "Blocked";
    case PlanVerdict::Undetermined:
      return "Undetermined";
  }
  return "";
}

base::Instant queued_at(const api::Pod& pod) {
  const base::Instant created = pod.meta.created.value_or(base::Instant());
  const api::Condition* condition = api::condition_of(pod.status.conditions, "PodScheduled");
  const bool failed = condition != nullptr && condition->status == "False" && condition->changed &&
                      condition->reason != "SchedulingGated";
  return failed ? std::max(created, *condition->changed) : created;
}

snapshot::Snapshot with_claims(const snapshot::Snapshot& snapshot) {
  std::map<std::string, std::vector<std::string>> without;
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    if (!waits_for_node(pod) || pod.spec.claims.empty()) continue;
    const Subject subject = subject_of_pod(snapshot, pod);
    const bool only = !subject.blockers.empty() &&
                      std::ranges::all_of(subject.blockers, [](const Reason& reason) {
                        return reason.code == Code::ClaimNotCreated;
                      });
    if (only) without[std::string(pod.meta.namespace_)].emplace_back(pod.meta.name);
  }
  snapshot::Draft draft(snapshot);
  for (const auto& [ns, names] : without)
    snapshot::create_claims(draft, ns, names);
  return std::move(draft).finish();
}

std::vector<const api::Pod*> queue_of(const snapshot::Snapshot& snapshot) {
  std::vector<const api::Pod*> pods;
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    if (waits_for_node(pod)) pods.push_back(&pod);
  }
  std::ranges::sort(pods, {}, [](const api::Pod* pod) {
    return std::tuple(-pod->spec.priority, queued_at(*pod), pod->meta.namespace_, pod->meta.name);
  });
  return pods;
}

Plan plan_for(const snapshot::Snapshot& snapshot) {
  Plan plan{.state = with_claims(snapshot)};
  plan.steps = Planner(plan.state, queue_of(plan.state), {}).run();
  return plan;
}

std::vector<PlanStep> steps_of_gang(const snapshot::Snapshot& state, std::string_view gang,
                                    std::vector<const api::Pod*> order) {
  return Planner(state, std::move(order), gang).run();
}

}  // namespace dra::engine
