// src/engine/whatif/turn.cpp: plans the pods in front and then the subject.

#include "src/engine/whatif/turn.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "dra/api/pod.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/cluster/workload_pods.h"
#include "dra/engine/facts/full_name.h"
#include "dra/engine/whatif/plan.h"
#include "dra/snapshot/draft.h"

namespace dra::engine {
namespace {

constexpr std::ptrdiff_t kMostInFront = 100;  // a plan of more takes long

class PodsInFront {
 public:
  PodsInFront(const api::Pod& subject, InFront which)
      : subject_(subject), maker_(maker_of(subject)), which_(which) {}

  bool is_in_front(const api::Pod& pod) const {
    if (!waits_for_node(pod) || is_subject(pod)) return false;
    if (which_ == InFront::HigherPriority || (!maker_.empty() && maker_of(pod) == maker_))
      return pod.spec.priority > subject_.spec.priority;
    return pod.spec.priority >= subject_.spec.priority;
  }
  bool is_behind(const api::Pod& pod) const {
    return waits_for_node(pod) && !is_subject(pod) && !is_in_front(pod);
  }
  bool is_subject(const api::Pod& pod) const {
    return pod.meta.name == subject_.meta.name && pod.meta.namespace_ == subject_.meta.namespace_;
  }

 private:
  const api::Pod& subject_;
  std::string maker_;
  InFront which_;
};

std::ptrdiff_t count_in_front(const snapshot::Snapshot& state, const PodsInFront& queue) {
  return std::ranges::count_if(state.all<api::Pod>(),
                               [&](const api::Pod& pod) { return queue.is_in_front(pod); });
}

}  // namespace

bool waits_behind(const snapshot::Snapshot& state, const Wanted& wanted, InFront which) {
  const api::Pod* subject = state.find<api::Pod>(wanted.namespace_, wanted.pod);
  return subject != nullptr && count_in_front(state, {*subject, which}) > 0;
}

std::optional<Turn> turn_of(const snapshot::Snapshot& state, const Wanted& wanted, InFront which) {
  const api::Pod* subject = state.find<api::Pod>(wanted.namespace_, wanted.pod);
  if (subject == nullptr) return std::nullopt;
  const PodsInFront queue(*subject, which);
  const std::ptrdiff_t in_front = count_in_front(state, queue);
  if (in_front == 0) return std::nullopt;
  Turn turn;
  if (in_front > kMostInFront) return turn;
  snapshot::Draft draft(state);
  draft.remove_if<api::Pod>([&](const api::Pod& pod) { return queue.is_behind(pod); });
  if (which == InFront::AlsoEqual)
    draft.change<api::Pod>(wanted.namespace_, wanted.pod,
                           [](api::Pod& last) { --last.spec.priority; });
  const Plan plan = plan_for(std::move(draft).finish());
  const auto step = std::ranges::find_if(
      plan.steps, [&](const PlanStep& one) { return queue.is_subject(*one.pod); });
  if (step == plan.steps.end()) return turn;
  if (step->verdict == PlanVerdict::Fits) {
    turn.nodes.assign(step->nodes.begin(), step->nodes.end());
    return turn;
  }
  for (const api::Pod* pod : step->before)
    turn.before.push_back(full_name(pod->meta));
  return turn;
}

}  // namespace dra::engine
