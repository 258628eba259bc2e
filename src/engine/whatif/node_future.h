// src/engine/whatif/node_future.h: one node with the pods that a plan puts on it. It has a small
// snapshot of its own, so that a step costs the same in a large cluster. Right only for pods that
// nothing on other nodes decides about, with devices of this node alone.

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/engine/whatif/plan.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// A pod with the number of its kind: pods of one kind ask for the same.
struct KindOfPod {
  const api::Pod* pod = nullptr;
  std::size_t kind = 0;
};

class NodeFuture {
 public:
  // All must outlive it. `tries`: how many states may still be looked at for questions that have an
  // answer without, of any node. Pods that are nominated for the node count, but for
  // `not_nominated`.
  NodeFuture(const snapshot::Snapshot& whole, const api::Node& node,
             std::span<const api::Pod* const> not_nominated, std::size_t& tries);

  bool fits(const KindOfPod& pod) { return fits(now_, pod); }
  // Puts the pod there for good. It fits, and none of the questions below was asked before.
  std::vector<PlannedDevice> put(const KindOfPod& pod);
  // Pods that are there for good.
  const std::vector<KindOfPod>& pods() const { return pods_; }

  // How many of the candidates have to be there at least before the pod does not fit. At most
  // `most`, which also is the answer where even all of them leave room. `candidates` are in the
  // order in which they come; those of an earlier question are the first of them. Fewer than that
  // once there are no tries.
  std::size_t least_to_close(const KindOfPod& pod, const std::vector<KindOfPod>& candidates,
                             std::size_t most);
  // How many of these fit there, one after the other. All are of one kind, and begin with the
  // candidates of that kind. Not all that do once there are no tries.
  std::size_t room_for(const std::vector<KindOfPod>& alike);
  // Puts as many of these there for good as fit, and returns their number.
  std::size_t fill(std::span<const KindOfPod> alike);

 private:
  // The kinds of the pods that were put there, in their order.
  using Kinds = std::vector<std::size_t>;
  struct State {
    snapshot::Snapshot snapshot;
    std::vector<PlannedDevice> devices = {};  // of the last pod
  };

  bool fits(const Kinds& kinds, const KindOfPod& pod);
  // With one more pod; no value: it does not fit.
  std::optional<Kinds> with(const Kinds& kinds, const KindOfPod& pod);
  std::optional<State> make(const State& state, const KindOfPod& pod) const;

  const snapshot::Snapshot& whole_;
  const api::Node& node_;
  std::size_t& tries_;
  Kinds now_;
  std::vector<KindOfPod> pods_;
  std::map<Kinds, std::optional<State>> states_;
  std::map<std::pair<Kinds, std::size_t>, bool> known_;
};

}  // namespace dra::engine
