// src/engine/scheduler/nominated_pods.cpp: see nominated_pods.h.

#include "src/engine/scheduler/nominated_pods.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "dra/base/text.h"
#include "dra/engine/facts/full_name.h"

namespace dra::engine {
namespace {

using diag::Reason;

std::string_view scheduler_of(const api::Pod& pod) {
  return pod.spec.scheduler_name.empty() ? api::kDefaultScheduler
                                         : std::string_view(pod.spec.scheduler_name);
}

// A scheduler knows of its own pods alone.
bool comes_before(const api::Pod& nominated, const api::Pod& pod) {
  const bool same =
      nominated.meta.namespace_ == pod.meta.namespace_ && nominated.meta.name == pod.meta.name;
  return !same && nominated.spec.priority >= pod.spec.priority &&
         scheduler_of(nominated) == scheduler_of(pod);
}

}  // namespace

// A node with the pods that are nominated for it.
struct NominatedPods::OnNode {
  std::deque<api::Pod> pods = {};
  std::string names = {};
  std::vector<const api::Pod*> all = {};  // on any node
  std::optional<const NodeLoads> loads = {};
  std::optional<const NodeFilters> filters = {};
};

NominatedPods::~NominatedPods() = default;

bool NominatedPods::concern(const NodeLoads& loads, const api::Pod& pod) {
  return pod.spec.node_name.empty() &&
         std::ranges::any_of(loads.nominated(),
                             [&pod](const api::Pod* one) { return comes_before(*one, pod); });
}

NominatedPods::NominatedPods(const snapshot::Snapshot& snapshot, const NodeLoads& loads,
                             const api::Pod& pod, const OtherPodsReasons* elsewhere,
                             bool affinity_runs) {
  for (const api::Pod* one : loads.nominated()) {
    if (!comes_before(*one, pod)) continue;
    std::unique_ptr<OnNode>& node = by_node_[one->status.nominated_node];
    if (node == nullptr) node = std::make_unique<OnNode>();
    api::Pod& there = node->pods.emplace_back(*one);
    there.spec.node_name = one->status.nominated_node;
    if (!affinity_runs) there.spec.affinity.against_pods.required.clear();
    node->names += (node->names.empty() ? "" : ", ") + full_name(one->meta);
  }
  const bool counts_far = depends_on_other_pods(pod, loads);
  for (const api::Pod* placed : loads.placed()) {
    for (const auto& [name, node] : by_node_) {
      if (counts_far || placed->spec.node_name == name) node->all.push_back(placed);
    }
  }
  for (const auto& [name, node] : by_node_) {
    for (const api::Pod& one : node->pods)
      node->all.push_back(&one);
    node->loads.emplace(snapshot, OnlyPods{node->all});
    node->filters.emplace(snapshot, *node->loads, pod, elsewhere);
  }
}

std::vector<Reason> NominatedPods::add_to(std::vector<Reason> now, const api::Node& node) const {
  const auto found = by_node_.find(node.meta.name);
  if (found == by_node_.end()) return now;
  const OnNode& here = *found->second;
  std::vector<Reason> all;
  for (Reason& reason : here.filters->against(node)) {
    if (std::ranges::find(now, reason.code, &Reason::code) != now.end()) continue;
    reason.message += base::format("; this counts {} {}, for which the scheduler keeps the node",
                                   here.pods.size() == 1 ? "pod" : "pods", here.names);
    all.push_back(std::move(reason));
  }
  all.insert(all.end(), std::make_move_iterator(now.begin()), std::make_move_iterator(now.end()));
  return all;
}

}  // namespace dra::engine
