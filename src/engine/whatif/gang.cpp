// src/engine/whatif/gang.cpp: runs the plan of the gang's pods once for each order that the queue
// may have, and keeps what holds in all of them.

#include "dra/engine/whatif/gang.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "dra/engine/cluster/scheduling_group.h"

namespace dra::engine {
namespace {

// Pods that may fit are those that do not certainly fail.
bool may_fit(const PlanStep& step) {
  return step.verdict != PlanVerdict::DoesNotFit && step.verdict != PlanVerdict::Blocked;
}

// The orders in which the scheduler may take the pods: those that came in one second in any. Pods
// of one kind are the same to it.
class Orders {
 public:
  explicit Orders(const std::vector<PlanStep>& steps) {
    for (const PlanStep& step : steps) {
      pods_.push_back(step.pod);
      kinds_.emplace(step.pod, step.kind);
    }
    for (std::size_t i = 0; i < pods_.size(); ++i) {
      if (i == 0 || queued_at(*pods_[i]) != queued_at(*pods_[i - 1])) starts_.push_back(i);
    }
    starts_.push_back(pods_.size());
    for (std::size_t i = 0; i + 1 < starts_.size(); ++i)
      std::stable_sort(at(i), at(i + 1), by_kind());
  }

  const std::vector<const api::Pod*>& now() const { return pods_; }
  // False: there is no further one.
  bool next() {
    for (std::size_t i = starts_.size() - 1; i > 0; --i) {
      if (std::next_permutation(at(i - 1), at(i), by_kind())) return true;
    }
    return false;
  }

 private:
  // The first of the pods of a second.
  std::vector<const api::Pod*>::iterator at(std::size_t second) {
    return pods_.begin() + static_cast<std::ptrdiff_t>(starts_[second]);
  }
  std::function<bool(const api::Pod*, const api::Pod*)> by_kind() const {
    return [this](const api::Pod* a, const api::Pod* b) { return kinds_.at(a) < kinds_.at(b); };
  }

  std::vector<const api::Pod*> pods_;
  std::map<const api::Pod*, std::size_t> kinds_;
  std::vector<std::size_t> starts_;  // of pods that came in one second, and the end
};

// What holds in all orders that were tried.
class Held {
 public:
  // `alike` are the pod that is asked about and those that the scheduler may take in its place.
  explicit Held(std::set<const api::Pod*> alike) : alike_(std::move(alike)) {}

  void add(const std::vector<PlanStep>& steps) {
    const auto fit = std::ranges::count(steps, PlanVerdict::Fits, &PlanStep::verdict);
    placed_ = std::min(placed_, static_cast<std::int64_t>(fit));
    possible_ =
        std::max(possible_, static_cast<std::int64_t>(std::ranges::count_if(steps, may_fit)));
    for (const PlanStep& step : steps) {
      if (!alike_.contains(step.pod)) continue;
      own_fits_ = own_fits_ && step.verdict == PlanVerdict::Fits;
      own_may_fit_ = own_may_fit_ || may_fit(step);
    }
  }

  void tell(Gang& gang) const {
    gang.placed = placed_;
    gang.possible = possible_;
    if (gang.with_node + placed_ >= gang.min_count) {
      gang.verdict = GangVerdict::Fits;
    } else if (gang.with_node + possible_ < gang.min_count) {
      gang.verdict = GangVerdict::DoesNotFit;
    }
    if (own_fits_) {
      gang.own = GangVerdict::Fits;
    } else if (!own_may_fit_) {
      gang.own = GangVerdict::DoesNotFit;
    }
  }

 private:
  std::set<const api::Pod*> alike_;
  std::int64_t placed_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t possible_ = 0;
  bool own_fits_ = true;
  bool own_may_fit_ = false;
};

std::vector<const api::Pod*> waiting_pods_of(const snapshot::Snapshot& state, std::string_view ns,
                                             std::string_view gang) {
  std::vector<const api::Pod*> queue = queue_of(state);
  std::erase_if(queue, [&](const api::Pod* pod) {
    return pod->meta.namespace_ != ns || !pod->spec.group || pod->spec.group->pod_group != gang;
  });
  return queue;
}

std::set<const api::Pod*> alike(const std::vector<PlanStep>& steps, const PlanStep& own) {
  std::set<const api::Pod*> pods;
  for (const PlanStep& step : steps) {
    if (step.kind == own.kind && queued_at(*step.pod) == queued_at(*own.pod)) pods.insert(step.pod);
  }
  return pods;
}

}  // namespace

std::string_view name_of(GangVerdict verdict) {
  switch (verdict) {
    case GangVerdict::Fits:
      return "Fits";
    case GangVerdict::DoesNotFit:
      return "DoesNotFit";
    case GangVerdict::Undetermined:
      return "Undetermined";
  }
  return "";
}

const PlanStep* Gang::in_the_way() const {
  const auto first =
      std::ranges::find_if(plan->steps, [](const PlanStep& step) { return !may_fit(step); });
  return first == plan->steps.end() ? nullptr : &*first;
}

bool is_placed_together(const SchedulingGroup& group) {
  return group.is_looked_at() && group.pods.size() <= kMostOfGang;
}

namespace {

// It fits nowhere, whatever pods are before it.
bool never_fits(const PlanStep& step) {
  return step.verdict == PlanVerdict::Blocked ||
         (step.verdict == PlanVerdict::DoesNotFit && !step.fits_alone);
}

// Whether another order of pods that came in one second may come to something else. Where all fit,
// it does not; neither where those that compete are of one kind.
bool order_counts(const std::vector<PlanStep>& steps) {
  if (std::ranges::all_of(steps, [](const PlanStep& step) {
        return step.verdict == PlanVerdict::Fits || never_fits(step);
      }))
    return false;
  std::map<base::Instant, std::size_t> kinds;
  return std::ranges::any_of(steps, [&kinds](const PlanStep& step) {
    return !never_fits(step) &&
           kinds.try_emplace(queued_at(*step.pod), step.kind).first->second != step.kind;
  });
}

}  // namespace

void share_room(std::vector<PlanStep>& steps, const std::shared_ptr<const Gang>& gang) {
  const auto is_alike = [](const PlanStep& one, const PlanStep& other) {
    return one.kind == other.kind && queued_at(*one.pod) == queued_at(*other.pod);
  };
  std::vector<PlanStep> left;
  std::ranges::copy_if(steps, std::back_inserter(left), [](const PlanStep& step) {
    return step.verdict != PlanVerdict::Fits && step.fits_alone;
  });
  for (const PlanStep& out : left) {
    const auto placed = std::ranges::find_if(
        steps, [&](const PlanStep& one) { return is_alike(one, out) && !one.nodes.empty(); });
    if (placed == steps.end()) continue;
    const std::vector<std::string_view> nodes = placed->nodes;
    for (PlanStep& step : steps) {
      if (!is_alike(step, out)) continue;
      step.verdict = PlanVerdict::Depends;
      step.gang = gang;
      step.devices.clear();
      if (step.nodes.empty()) step.nodes = nodes;
    }
  }
}

std::shared_ptr<const Gang> gang_of_steps(const snapshot::Snapshot& state,
                                          const SchedulingGroup& group,
                                          const std::vector<PlanStep>& steps) {
  auto gang = std::make_shared<Gang>(Gang{
      .name = std::string(group.name), .min_count = group.min_count, .with_node = group.with_node});
  Held held({});
  held.add(steps);
  held.tell(*gang);
  if (order_counts(steps)) gang->verdict = GangVerdict::Undetermined;
  gang->plan = std::make_shared<Plan>(Plan{.state = state, .steps = steps});
  return gang;
}

std::optional<Gang> gang_of(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  const SchedulingGroup group = scheduling_group_of(snapshot, pod);
  if (!is_placed_together(group)) return std::nullopt;
  auto plan = std::make_shared<Plan>(Plan{.state = with_claims(snapshot)});
  const auto queue = waiting_pods_of(plan->state, pod.meta.namespace_, group.name);
  plan->steps = steps_one_by_one(plan->state, queue);
  const auto own = std::ranges::find_if(
      plan->steps, [&pod](const PlanStep& step) { return step.pod->meta.name == pod.meta.name; });
  if (own == plan->steps.end()) return std::nullopt;
  Gang gang{.name = std::string(group.name),
            .min_count = group.min_count,
            .with_node = group.with_node,
            .plan = plan};
  Held held(alike(plan->steps, *own));
  Orders orders(plan->steps);
  std::size_t tried = 0;
  do {
    if (tried++ == kMostOrders) return gang;
    held.add(orders.now() == queue ? plan->steps : steps_one_by_one(plan->state, orders.now()));
  } while (orders.next());
  held.tell(gang);
  return gang;
}

}  // namespace dra::engine
