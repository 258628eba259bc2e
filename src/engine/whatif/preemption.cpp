// src/engine/whatif/preemption.cpp: takes pods away from a node and puts them back one by one, with
// the scheduler's filters run each time.

#include "dra/engine/whatif/preemption.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>

#include "dra/base/go_sort.h"
#include "dra/engine/cluster/scheduling_group.h"
#include "dra/engine/facts/label_match.h"
#include "dra/engine/scheduler/node_filters.h"

namespace dra::engine {
namespace {

using diag::Code;
using Pods = std::vector<const api::Pod*>;

constexpr std::string_view kDefaultScheduler = "default-scheduler";
// How many pods filters may look at, all runs together.
constexpr std::int64_t kMaxLooks = 2'000'000;

// The plugin's default arguments: the scheduler looks for so many nodes, or for a tenth of them.
constexpr std::size_t kLeastCandidates = 100;

bool has_less(const api::Pod& pod, const api::Pod& than) {
  return pod.spec.priority < than.spec.priority;
}

// By priority, then by age. A pod that has not started is the youngest.
bool is_more_important(const api::Pod& a, const api::Pod& b) {
  if (a.spec.priority != b.spec.priority) return a.spec.priority > b.spec.priority;
  if (!a.status.started) return false;
  return !b.status.started || a.status.started->seconds < b.status.started->seconds;
}

void sort_by_importance(Pods& pods) {
  const auto less = [&pods](std::size_t a, std::size_t b) {
    return is_more_important(*pods[a], *pods[b]);
  };
  Pods sorted;
  for (const std::size_t place : base::go_sorted(pods.size(), less))
    sorted.push_back(pods[place]);
  pods = std::move(sorted);
}

bool is_ending_by_preemption(const api::Pod& pod) {
  const api::Condition* condition = api::condition_of(pod.status.conditions, "DisruptionTarget");
  return pod.meta.deleted && condition != nullptr && condition->status == "True" &&
         condition->reason == "PreemptionByScheduler";
}

// What budgets leave while pods are counted against them, in order.
class BudgetsLeft {
 public:
  explicit BudgetsLeft(const snapshot::Snapshot& snapshot) {
    for (const auto& budget : snapshot.all<api::PodDisruptionBudget>())
      left_.push_back({&budget, budget.status.allowed.value_or(0)});
  }

  // Counts the pod. Upstream does not go on to other budgets after the first that is exceeded.
  bool exceeds(const api::Pod& pod) {
    return std::ranges::any_of(
        left_, [&pod](Left& one) { return protects(*one.budget, pod) && --one.allowed < 0; });
  }

 private:
  struct Left {
    const api::PodDisruptionBudget* budget;
    std::int64_t allowed;
  };

  // An empty selector means all pods to evictions, and none here.
  static bool protects(const api::PodDisruptionBudget& budget, const api::Pod& pod) {
    const auto& selector = budget.spec.selector;
    return budget.meta.namespace_ == pod.meta.namespace_ && !pod.meta.labels.empty() && selector &&
           !selects_all(*selector) && selects(*selector, pod.meta.labels).value_or(false) &&
           api::find(budget.status.disrupted, pod.meta.name) == nullptr;
  }

  std::vector<Left> left_;
};

// Of the victims with the highest priority, the first start, in seconds.
std::int64_t first_start(const NodePreemption& node) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const api::Pod* pod : node.victims) {
    if (pod->spec.priority == node.victims.front()->spec.priority && pod->status.started)
      first = std::min(first, pod->status.started->seconds);
  }
  return first;
}

// Priorities are taken as positive, so that more victims are never better than fewer.
std::int64_t sum_of_priorities(const NodePreemption& node) {
  constexpr std::int64_t shift = std::int64_t{std::numeric_limits<std::int32_t>::max()} + 1;
  std::int64_t sum = 0;
  for (const api::Pod* pod : node.victims)
    sum += pod->spec.priority + shift;
  return sum;
}

using Candidates = std::vector<NodePreemption*>;

void keep_least(Candidates& of, std::int64_t (*cost)(const NodePreemption&)) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const NodePreemption* one : of)
    least = std::min(least, cost(*one));
  std::erase_if(of, [&](const NodePreemption* one) { return cost(*one) != least; });
}

void choose(Candidates of) {
  keep_least(of, [](const NodePreemption& one) { return one.violations; });
  keep_least(of, [](const NodePreemption& one) { return one.victims.front()->spec.priority; });
  keep_least(of, sum_of_priorities);
  keep_least(
      of, [](const NodePreemption& one) { return static_cast<std::int64_t>(one.victims.size()); });
  keep_least(of, [](const NodePreemption& one) { return -first_start(one); });
  for (NodePreemption* one : of)
    one->chosen = true;
}

// Filters that reject a node for what pods on it have.
bool is_of_pods(Code code) {
  return code == Code::NodePorts || code == Code::NodeResources || code == Code::ExtendedResource ||
         code == Code::DiskInUse || code == Code::VolumeInUse || code == Code::VolumeLimit ||
         code == Code::TopologySpread || code == Code::PodAntiAffinity || code == Code::PodRepelled;
}

// Of resources, whichever are short.
bool are_alike(Code a, Code b) {
  const auto is_of_resources = [](Code code) {
    return code == Code::NodeResources || code == Code::ExtendedResource;
  };
  return a == b || (is_of_resources(a) && is_of_resources(b));
}

// The pods of a group make room together, and may be deleted together.
bool is_of_group(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  return scheduling_group_of(snapshot, pod).state != SchedulingGroup::State::None;
}

class PreemptionSearch {
 public:
  PreemptionSearch(const snapshot::Snapshot& snapshot, const NodeLoads& loads, const api::Pod& pod);

  std::optional<Preemption> run(std::span<const NodeResult> nodes);

 private:
  enum class Rejection : std::uint8_t { None, OfPods, Final };

  const Pods& on(const api::Node& node) { return by_node_[node.meta.name]; }
  std::vector<diag::Reason> against(const api::Node& node, const Pods& there);
  Rejection rejection(const api::Node& node);
  bool has_room(const api::Node& node, const Pods& there);
  Pods with_nominated(const api::Node& node, Pods there) const;
  void put_back(const api::Node& node, const Pods& pods, Pods& there, Pods& victims);
  std::optional<NodePreemption> on_node(const api::Node& node);
  bool may_be_of_pods(const NodeResult& result) const;
  bool waits_on(const api::Node& node, const NodeResult& result);
  bool knows() const;

  const snapshot::Snapshot& snapshot_;
  const NodeLoads& loads_;
  const api::Pod& pod_;
  const NodeFilters filters_;  // with all pods where they are
  std::map<std::string_view, Pods> by_node_;
  // Pods that count for nodes other than their own.
  const Pods* far_;
  std::deque<api::Pod> nominated_;  // as if they were on their nodes
  std::int64_t looks_ = kMaxLooks;
};

PreemptionSearch::PreemptionSearch(const snapshot::Snapshot& snapshot, const NodeLoads& loads,
                                   const api::Pod& pod)
    : snapshot_(snapshot), loads_(loads), pod_(pod), filters_(snapshot, loads, pod) {
  const NodeLoads nothing(snapshot, OnlyPods{});
  far_ = depends_on_other_pods(pod, nothing) ? &loads.placed() : &loads.repelling();
  for (const api::Pod* placed : loads.placed())
    by_node_[placed->spec.node_name].push_back(placed);
  const bool repels = filters_.run_pod_affinity();
  for (const api::Pod& other : snapshot.all<api::Pod>()) {
    const bool waits = other.spec.node_name.empty() && !other.status.nominated_node.empty() &&
                       !other.finished() && other.meta.uid != pod.meta.uid;
    if (!waits || has_less(other, pod)) continue;
    api::Pod& there = nominated_.emplace_back(other);
    there.spec.node_name = other.status.nominated_node;
    if (!repels) there.spec.affinity.against_pods.required.clear();
  }
}

std::vector<diag::Reason> PreemptionSearch::against(const api::Node& node, const Pods& there) {
  Pods all = there;
  for (const api::Pod* pod : *far_) {
    if (pod->spec.node_name != node.meta.name) all.push_back(pod);
  }
  looks_ -= static_cast<std::int64_t>(all.size());
  const NodeLoads loads(snapshot_, OnlyPods{all});
  return NodeFilters(snapshot_, loads, pod_).against(node);
}

Pods PreemptionSearch::with_nominated(const api::Node& node, Pods there) const {
  for (const api::Pod& pod : nominated_) {
    if (pod.spec.node_name == node.meta.name) there.push_back(&pod);
  }
  return there;
}

// Also without the pods that are nominated, which may go elsewhere. Upstream:
// RunFilterPluginsWithNominatedPods.
bool PreemptionSearch::has_room(const api::Node& node, const Pods& there) {
  const Pods more = with_nominated(node, there);
  return against(node, more).empty() &&
         (more.size() == there.size() || against(node, there).empty());
}

// The first filter that rejects the node decides. What rejects it without any pods, a resource that
// it does not have or a label that topology spread needs, stays.
PreemptionSearch::Rejection PreemptionSearch::rejection(const api::Node& node) {
  const Pods more = with_nominated(node, on(node));
  std::vector<diag::Reason> reasons = against(node, more);
  if (reasons.empty() && more.size() > on(node).size()) reasons = against(node, on(node));
  if (reasons.empty()) return Rejection::None;
  if (!is_of_pods(reasons.front().code)) return Rejection::Final;
  const NodeLoads nothing(snapshot_, OnlyPods{});
  const std::vector<diag::Reason> when_empty = NodeFilters(snapshot_, nothing, pod_).against(node);
  const bool stays = std::ranges::any_of(when_empty, [&reasons](const diag::Reason& reason) {
    return are_alike(reason.code, reasons.front().code);
  });
  return stays ? Rejection::Final : Rejection::OfPods;
}

// `there` gets the pods for which there is room, and `victims` the others.
void PreemptionSearch::put_back(const api::Node& node, const Pods& pods, Pods& there,
                                Pods& victims) {
  for (const api::Pod* pod : pods) {
    there.push_back(pod);
    if (has_room(node, there)) continue;
    there.pop_back();
    victims.push_back(pod);
  }
}

std::optional<NodePreemption> PreemptionSearch::on_node(const api::Node& node) {
  Pods may_go;
  Pods there;
  for (const api::Pod* pod : on(node))
    (has_less(*pod, pod_) ? may_go : there).push_back(pod);
  if (may_go.empty() || rejection(node) != Rejection::OfPods || !has_room(node, there))
    return std::nullopt;
  sort_by_importance(may_go);
  BudgetsLeft budgets(snapshot_);
  Pods protected_pods;
  Pods others;
  for (const api::Pod* pod : may_go)
    (budgets.exceeds(*pod) ? protected_pods : others).push_back(pod);
  NodePreemption found{.node = &node};
  put_back(node, protected_pods, there, found.victims);
  found.violations = static_cast<std::int64_t>(found.victims.size());
  put_back(node, others, there, found.victims);
  if (found.victims.empty()) return std::nullopt;
  if (!protected_pods.empty() && !others.empty()) sort_by_importance(found.victims);
  return found;
}

// Whether rejection() can be OfPods; cheaper to ask.
bool PreemptionSearch::may_be_of_pods(const NodeResult& result) const {
  const auto& reasons = result.other_reasons;
  return (!reasons.empty() && is_of_pods(reasons.front().code)) ||
         std::ranges::any_of(nominated_, [&result](const api::Pod& pod) {
           return pod.spec.node_name == result.name;
         });
}

bool PreemptionSearch::waits_on(const api::Node& node, const NodeResult& result) {
  const bool any = std::ranges::any_of(on(node), [this](const api::Pod* pod) {
    return has_less(*pod, pod_) && is_ending_by_preemption(*pod);
  });
  if (!any) return false;
  const Rejection rejected = rejection(node);
  return rejected == Rejection::OfPods || (rejected == Rejection::None && result.fits());
}

// Whether nothing counts that is not simulated.
bool PreemptionSearch::knows() const {
  const std::string_view scheduler = pod_.spec.scheduler_name;
  if (!scheduler.empty() && scheduler != kDefaultScheduler) return false;
  const auto is_grouped = [this](const api::Pod* pod) {
    return has_less(*pod, pod_) && is_of_group(snapshot_, *pod);
  };
  const bool grouped =
      is_of_group(snapshot_, pod_) || std::ranges::any_of(loads_.placed(), is_grouped);
  return !grouped && filters_.not_simulated().empty();
}

std::optional<Preemption> PreemptionSearch::run(std::span<const NodeResult> results) {
  if (!knows()) return std::nullopt;
  const bool never = pod_.spec.preemption_policy == api::kPreemptNever;
  Preemption found;
  std::size_t looked_at = 0;
  for (const NodeResult& result : results) {
    const auto* node = snapshot_.find<api::Node>(result.name);
    if (node == nullptr) return std::nullopt;
    if (!never && result.name == pod_.status.nominated_node && waits_on(*node, result))
      return Preemption{.preempts = Preempts::Waits, .nominated = node->meta.name};
    if (!may_be_of_pods(result)) continue;
    ++looked_at;
    std::optional<NodePreemption> one = on_node(*node);
    if (looks_ < 0) return std::nullopt;
    if (!one) continue;
    one->has_devices = result.fits();
    found.nodes.push_back(std::move(*one));
  }
  if (found.nodes.empty()) return std::nullopt;
  const bool helps = std::ranges::any_of(found.nodes, &NodePreemption::has_devices);
  if (helps) std::erase_if(found.nodes, [](const auto& one) { return !one.has_devices; });
  found.preempts = !helps ? Preempts::NoDevices : never ? Preempts::Forbidden : Preempts::Helps;
  found.any_node = found.nodes.size() > std::max(kLeastCandidates, looked_at / 10);
  Candidates candidates;
  for (NodePreemption& one : found.nodes)
    candidates.push_back(&one);
  choose(std::move(candidates));
  return found;
}

}  // namespace

std::string_view name_of(Preempts preempts) {
  switch (preempts) {
    case Preempts::Helps:
      return "helps";
    case Preempts::NoDevices:
      return "noDevices";
    case Preempts::Forbidden:
      return "forbidden";
    case Preempts::Waits:
      return "waits";
  }
  return "";
}

std::optional<Preemption> preemption_for(const snapshot::Snapshot& snapshot, const NodeLoads& loads,
                                         const api::Pod& pod, std::span<const NodeResult> nodes) {
  const bool any_lower = std::ranges::any_of(
      loads.placed(), [&pod](const api::Pod* other) { return has_less(*other, pod); });
  if (!any_lower) return std::nullopt;
  return PreemptionSearch(snapshot, loads, pod).run(nodes);
}

}  // namespace dra::engine
