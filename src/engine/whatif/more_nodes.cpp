// src/engine/whatif/more_nodes.cpp: plans again with more nodes of each kind.
//
// New nodes take minutes to come. By then the pods that get a node now have theirs, and those that
// get none still find none among the nodes of today. So the pods without a node are planned on the
// new nodes alone. Where it matters which nodes and devices the others get, as pods decide about
// each other, share a claim, or devices are not of one node, all are planned on all nodes, and less
// is certain.
//
// A pod that may get a node now may be gone by then, and a larger one behind it have the place that
// was for a third. So each way in which some of these are gone is planned. Of many there are too
// many ways; then only as many pods behind one of them are sure as there are new nodes, since those
// ahead leave one of the nodes empty.
//
// A node more never takes one away from a pod, so the smallest number that helps most is searched
// for by halves. A pod uses one node: more nodes than there are pods without one bring nothing. Of
// many kinds those come first that many pods could use.

#include "dra/engine/whatif/more_nodes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "dra/api/cluster_objects.h"
#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/cluster/node_loads.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/tpu_hosts.h"
#include "dra/engine/facts/full_name.h"
#include "dra/engine/facts/host_name.h"
#include "dra/engine/scheduler/node_filters.h"
#include "dra/engine/whatif/drain.h"
#include "dra/snapshot/draft.h"
#include "src/engine/whatif/added_nodes.h"

namespace dra::engine {
namespace {

constexpr std::size_t kMostKinds = 6;
constexpr std::size_t kMostMayBeGone = 3;  // in eight ways
constexpr std::int64_t kMostAdded = 64;
// Of pods times nodes in all plans together: some tenths of a second.
constexpr std::size_t kMostWork = 200'000;

// What makes two nodes without a node pool the same for any pod.
std::string likeness_of(const api::Node& node, const std::map<std::string_view, int>& devices) {
  std::string text;
  for (const auto& [driver, count] : devices)
    text += base::format("{}={};", driver, count);
  for (const auto& label : node.meta.labels) {
    if (label.key != kHostNameLabel) text += base::format("{}={};", label.key, label.value);
  }
  for (const auto& [resource, amount] : node.status.allocatable)
    text += base::format("{}={};", resource, amount.text);
  return text;
}

struct NodeKind {
  const api::Node* like = nullptr;
  std::int64_t place = 0;  // by its ComputeClass; 0: it has none
  std::size_t pods = 0;    // without a node that may go to one more such node
};

// One node of each kind, those first that a ComputeClass prefers.
std::vector<NodeKind> kinds_of_nodes(const snapshot::Snapshot& state, const Inventory& inventory) {
  const auto slices = all_tpu_slices(state, inventory);
  std::map<std::string_view, std::map<std::string_view, int>> devices;
  for (const InventoryDevice& device : inventory.devices()) {
    const std::string_view node = only_node_of(device.published);
    if (!node.empty()) ++devices[node][device.published.slice->spec.driver];
  }
  std::vector<NodeKind> kinds;
  std::set<std::string> known;
  for (const api::Node& node : state.all<api::Node>()) {
    if (const auto slice = slice_of(slices, node.meta.name); slice && slice->absent == 0) continue;
    const auto& published = devices[node.meta.name];
    const std::string_view pool = node_pool_of(node);
    if (!known.insert(pool.empty() ? likeness_of(node, published) : std::string(pool)).second)
      continue;
    const auto priority = priority_of(state, node);
    kinds.push_back({.like = &node, .place = priority ? priority->place : 0});
  }
  std::ranges::stable_sort(kinds, {}, &NodeKind::place);
  return kinds;
}

// Whether what a pod gets depends on which nodes and devices the others get, and not only on what
// is left of a node.
bool are_tied(const Plan& plan, const Inventory& inventory) {
  const NodeLoads loads(plan.state);
  std::set<std::string> claims;
  for (const PlanStep& step : plan.steps) {
    if (depends_on_other_pods(*step.pod, loads)) return true;
    for (const api::PodClaim& claim : step.pod->spec.claims) {
      if (claim.claim_name.empty()) continue;
      if (!claims.insert(full_name(step.pod->meta.namespace_, claim.claim_name)).second)
        return true;
    }
  }
  return std::ranges::any_of(inventory.devices(), [](const InventoryDevice& device) {
    return only_node_of(device.published).empty();
  });
}

class MoreNodesSearch {
 public:
  MoreNodesSearch(const Plan& plan, base::FunctionRef<bool(const api::Pod&)> counts)
      : nodes_(plan.state.all<api::Node>().size()), steps_(plan.steps.size()), state_(plan.state) {
    for (const PlanStep& step : plan.steps) {
      if (step.verdict == PlanVerdict::Fits || step.verdict == PlanVerdict::Blocked) continue;
      ++most_;
      if (counts(*step.pod)) without_.insert(full_name(step.pod->meta));
    }
    most_ = std::min(most_, kMostAdded);
  }

  MoreNodesFound find(const Plan& plan) {
    MoreNodesFound out;
    if (without_.empty()) return out;
    const Inventory inventory(plan.state);
    if (!are_tied(plan, inventory)) leave_to_new_nodes(plan);
    std::vector<NodeKind> kinds = kinds_of_nodes(plan.state, inventory);
    if (kinds.size() > 1) sort_by_use(kinds);
    for (; out.kinds < std::min(kinds.size(), kMostKinds) && !out_of_work_; ++out.kinds)
      try_kind(*kinds[out.kinds].like, out);
    out.bounded = kinds.size() > kMostKinds || out_of_work_;
    return out;
  }

 private:
  void leave_to_new_nodes(const Plan& plan) {
    std::set<std::string> placed;
    for (const PlanStep& step : plan.steps) {
      if (step.verdict == PlanVerdict::Fits) placed.insert(full_name(step.pod->meta));
      if (step.verdict == PlanVerdict::Depends) may_be_gone_.insert(full_name(step.pod->meta));
    }
    std::vector<std::string> nodes;
    for (const api::Node& node : plan.state.all<api::Node>())
      nodes.emplace_back(node.meta.name);
    snapshot::Draft draft(plan.state);
    draft.remove_if<api::Pod>(
        [&placed](const api::Pod& pod) { return placed.contains(full_name(pod.meta)); });
    cordon(draft, nodes);
    state_ = std::move(draft).finish();
    steps_ -= placed.size();
  }

  // By how many pods could use one more, which one plan with one more of each tells.
  void sort_by_use(std::vector<NodeKind>& kinds) {
    if (!can_afford(kinds.size())) return;
    snapshot::Draft draft(state_);
    std::map<std::string, NodeKind*, std::less<>> added;
    for (NodeKind& kind : kinds) {
      add_nodes_like(draft, *kind.like, 1);
      added.emplace(added_node_name(kind.like->meta.name, 1), &kind);
    }
    const Plan then = plan_for(std::move(draft).finish());
    for (const PlanStep& step : then.steps) {
      if (!without_.contains(full_name(step.pod->meta))) continue;
      for (const std::string_view node : step.nodes) {
        if (const auto found = added.find(node); found != added.end()) ++found->second->pods;
      }
    }
    std::ranges::stable_sort(kinds, std::ranges::greater(), &NodeKind::pods);
  }

  // Whether there is time for a plan with so many more nodes.
  bool can_afford(std::size_t more) {
    work_ += steps_ * (nodes_ + more);
    out_of_work_ |= work_ > kMostWork;
    return !out_of_work_;
  }

  void try_kind(const api::Node& like, MoreNodesFound& out) {
    auto best = with(like, most_);
    if (!best || best->pods.empty()) return;
    const std::size_t gain = best->pods.size();
    std::int64_t low = 1;  // no smaller number is enough
    while (low < best->count) {
      const std::int64_t middle = (low + best->count) / 2;
      auto tried = with(like, middle);
      if (!tried) return;
      if (tried->pods.size() < gain)
        low = middle + 1;
      else
        best = std::move(tried);
    }
    if (best->count > 1) {
      auto one = with(like, 1);
      if (!one) return;
      if (!one->pods.empty()) out.found.push_back(*std::move(one));
    }
    out.found.push_back(*std::move(best));
  }

  // No value: that would take too long.
  std::optional<MoreNodes> with(const api::Node& like, std::int64_t count) {
    MoreNodes more{.like = std::string(like.meta.name),
                   .pool = std::string(node_pool_of(like)),
                   .count = count};
    const bool every_way = may_be_gone_.size() <= kMostMayBeGone;
    const std::size_t ways = every_way ? std::size_t{1} << may_be_gone_.size() : 1;
    for (std::size_t way = 0; way < ways; ++way) {
      if (!can_afford(static_cast<std::size_t>(count))) return std::nullopt;
      const Plan then = plan_with(like, count, way);
      if (way == 0) more.pods = pods_without(then);
      const std::size_t before = more.pods.size();
      keep_placed(then, every_way, more);
      more.at_least |= way > 0 && more.pods.size() < before;
    }
    return more;
  }

  // In the order of the plan.
  std::vector<std::string> pods_without(const Plan& then) const {
    std::vector<std::string> pods;
    for (const PlanStep& step : then.steps) {
      std::string name = full_name(step.pod->meta);
      if (without_.contains(name)) pods.push_back(std::move(name));
    }
    return pods;
  }

  // Of the pods that may be gone those are whose bit is set.
  Plan plan_with(const api::Node& like, std::int64_t count, std::size_t way) const {
    std::set<std::string> gone;
    for (const std::string& name : may_be_gone_) {
      if ((way & 1) != 0) gone.insert(name);
      way >>= 1;
    }
    snapshot::Draft draft(state_);
    draft.remove_if<api::Pod>(
        [&gone](const api::Pod& pod) { return gone.contains(full_name(pod.meta)); });
    add_nodes_like(draft, like, count);
    return plan_for(std::move(draft).finish());
  }

  // Takes those out of the pods that the plan leaves without a node, or of which it is not sure.
  void keep_placed(const Plan& then, bool every_way, MoreNodes& more) const {
    std::set<std::string> left;
    std::int64_t ahead = 0;
    bool all_there = true;  // those ahead, by the time at which there are new nodes
    for (const PlanStep& step : then.steps) {
      std::string name = full_name(step.pod->meta);
      const bool fits = step.verdict == PlanVerdict::Fits;
      const bool sure = every_way || all_there || ahead < more.count;
      if (step.verdict != PlanVerdict::Blocked) ++ahead;
      all_there &= !may_be_gone_.contains(name);
      if (!without_.contains(name)) continue;
      more.at_least |= step.verdict == PlanVerdict::Depends || (fits && !sure);
      if (!fits || !sure) left.insert(std::move(name));
    }
    std::erase_if(more.pods, [&left](const std::string& name) { return left.contains(name); });
  }

  std::size_t nodes_ = 0;
  std::size_t steps_ = 0;              // of each plan
  snapshot::Snapshot state_;           // without more nodes
  std::set<std::string> without_;      // a node for certain now, and the scheduler looks at them
  std::set<std::string> may_be_gone_;  // of these, where new nodes are planned alone
  std::int64_t most_ = 0;              // nodes that could be of use, as all pods take part
  std::size_t work_ = 0;
  bool out_of_work_ = false;
};

}  // namespace

MoreNodesFound more_nodes_for(const Plan& plan, base::FunctionRef<bool(const api::Pod&)> counts) {
  return MoreNodesSearch(plan, counts).find(plan);
}

}  // namespace dra::engine
