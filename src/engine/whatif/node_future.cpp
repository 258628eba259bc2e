// src/engine/whatif/node_future.cpp: see node_future.h.

#include "src/engine/whatif/node_future.h"

#include <algorithm>
#include <set>
#include <utility>

#include "dra/api/pod.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/cluster/node_loads.h"
#include "dra/engine/scheduler/node_result.h"
#include "dra/snapshot/draft.h"
#include "dra/snapshot/subset.h"
#include "src/engine/whatif/commit_allocation.h"

namespace dra::engine {
namespace {

constexpr std::size_t kMostStates = 64;  // of a node that are looked at for one answer

// The snapshot with the pod and its claims, which a part of a cluster lacks.
snapshot::Draft with_pod(const snapshot::Snapshot& whole, const snapshot::Snapshot& part,
                         const api::Pod& pod) {
  snapshot::Draft draft(part);
  std::vector<api::ResourceClaim> claims;
  for (const SubjectClaim& claim : subject_of_pod(whole, pod).claims) {
    const bool has = part.find<api::ResourceClaim>(claim.namespace_, claim.name) != nullptr;
    if (claim.claim != nullptr && !has) claims.push_back(*claim.claim);
  }
  if (!claims.empty()) draft.add(std::move(claims));
  draft.add(std::vector<api::Pod>{pod});
  return draft;
}

// What the scheduler decides about the node, for a pod of the snapshot.
class Decided {
 public:
  Decided(const snapshot::Snapshot& snapshot, const api::Node& node, const api::Pod& pod)
      : inventory_(snapshot),
        loads_(snapshot),
        subject_(
            subject_of_pod(snapshot, *snapshot.find<api::Pod>(pod.meta.namespace_, pod.meta.name))),
        demands_(snapshot, inventory_, subject_) {
    // An assumed node has nothing that filters could judge.
    if (snapshot.find<api::Node>(node.meta.name) != nullptr)
      filters_.emplace(snapshot, loads_, *subject_.pod);
    const NodeContext context{inventory_, snapshot.coverage(), demands_, budget_,
                              filters_ ? &*filters_ : nullptr};
    evaluator_.emplace(snapshot, context, subject_, Depth::Answer);
    result_ = evaluator_->evaluate(node);
  }

  const Subject& subject() const { return subject_; }
  const NodeResult& result() const { return result_; }

 private:
  Inventory inventory_;
  NodeLoads loads_;
  Subject subject_;
  Demands demands_;
  SearchBudget budget_;
  std::optional<NodeFilters> filters_ = {};
  std::optional<NodeEvaluator> evaluator_ = {};
  NodeResult result_;
};

}  // namespace

NodeFuture::NodeFuture(const snapshot::Snapshot& whole, const api::Node& node,
                       std::span<const api::Pod* const> not_nominated, std::size_t& tries)
    : whole_(whole), node_(node), tries_(tries) {
  snapshot::Draft draft(snapshot::subset_of(whole, {.nodes = {node.meta.name}, .namespace_ = {}}));
  draft.remove_if<api::Pod>([not_nominated](const api::Pod& pod) {
    return std::ranges::any_of(not_nominated, [&pod](const api::Pod* one) {
      return one->meta.namespace_ == pod.meta.namespace_ && one->meta.name == pod.meta.name;
    });
  });
  states_.emplace(now_, State{std::move(draft).finish()});
}

bool NodeFuture::fits(const Kinds& kinds, const KindOfPod& pod) {
  const auto [known, added] = known_.try_emplace({kinds, pod.kind}, false);
  if (added) {
    const snapshot::Draft draft = with_pod(whole_, states_.at(kinds)->snapshot, *pod.pod);
    known->second = Decided(draft.now(), node_, *pod.pod).result().is_feasible();
  }
  return known->second;
}

std::optional<NodeFuture::State> NodeFuture::make(const State& state, const KindOfPod& pod) const {
  snapshot::Draft draft = with_pod(whole_, state.snapshot, *pod.pod);
  // What is decided points into the snapshot of before.
  const snapshot::Snapshot before = draft.now();
  const Decided decided(before, node_, *pod.pod);
  if (!decided.result().is_feasible()) return std::nullopt;
  std::vector<PlannedDevice> devices;
  for (const PickedDevice& picked : decided.result().allocation)
    devices.push_back({picked.claim->label(), picked.request, to_string(picked.id())});
  commit_allocation(draft, decided.subject(), decided.result());
  return State{std::move(draft).finish(), std::move(devices)};
}

std::optional<NodeFuture::Kinds> NodeFuture::with(const Kinds& kinds, const KindOfPod& pod) {
  Kinds next = kinds;
  next.push_back(pod.kind);
  const auto [state, added] = states_.try_emplace(next);
  if (added) state->second = make(*states_.at(kinds), pod);
  if (!state->second) return std::nullopt;
  return next;
}

std::vector<PlannedDevice> NodeFuture::put(const KindOfPod& pod) {
  auto next = with(now_, pod);
  DRA_CHECK(next.has_value());
  now_ = *std::move(next);
  pods_.push_back(pod);
  return states_.at(now_)->devices;
}

// Level by level: all that one candidate can leave, then two, and so on.
std::size_t NodeFuture::least_to_close(const KindOfPod& pod,
                                       const std::vector<KindOfPod>& candidates, std::size_t most) {
  struct Chosen {
    Kinds kinds;
    std::size_t next;  // the first candidate that may still come
  };
  std::vector<Chosen> chosen = {{now_, 0}};
  std::size_t states = 0;
  for (std::size_t count = 1; count < most && !chosen.empty(); ++count) {
    std::vector<Chosen> larger;
    for (const Chosen& one : chosen) {
      std::set<std::size_t> tried;  // of pods alike, the first leaves most choice behind it
      for (std::size_t i = one.next; i < candidates.size(); ++i) {
        if (!tried.insert(candidates[i].kind).second) continue;
        if (++states > kMostStates || tries_ == 0) return count;
        --tries_;
        const auto kinds = with(one.kinds, candidates[i]);
        if (!kinds) continue;
        if (!fits(*kinds, pod)) return count;
        larger.push_back({*kinds, i + 1});
      }
    }
    chosen = std::move(larger);
  }
  return most;
}

std::size_t NodeFuture::room_for(const std::vector<KindOfPod>& alike) {
  Kinds kinds = now_;
  for (std::size_t count = 0; count < alike.size(); ++count) {
    if (tries_ == 0) return count;
    --tries_;
    auto next = with(kinds, alike[count]);
    if (!next) return count;
    kinds = *std::move(next);
  }
  return alike.size();
}

std::size_t NodeFuture::fill(std::span<const KindOfPod> alike) {
  std::size_t count = 0;
  for (; count < alike.size(); ++count) {
    auto next = with(now_, alike[count]);
    if (!next) break;
    now_ = *std::move(next);
    pods_.push_back(alike[count]);
  }
  return count;
}

}  // namespace dra::engine
