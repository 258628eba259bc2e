// src/answers/diff/decisive_changes.h
//
// Finds the changes between two states of a cluster that decided about a subject: a set that
// suffices when made in the earlier state, and that has no member that it can do without.

#pragma once

#include <functional>
#include <list>
#include <optional>
#include <span>
#include <vector>

#include "src/answers/diff/cluster_state.h"

namespace dra::answers {

// Computes states between two others. Their number is limited, because each is a whole cluster to
// compute. The last few are kept, because the same changes are tried for one subject after the
// other.
class StatesBetween {
 public:
  StatesBetween(const snapshot::Snapshot& before, const snapshot::Snapshot& after, int max_states)
      : before_(before), after_(after), left_(max_states) {}

  // The earlier state with these changes made. nullptr: the limit is reached.
  const ClusterState* with(std::span<const snapshot::Difference> made);
  // The answer about the subject in that state. No value: the limit is reached.
  std::optional<StateAnswer> answer(const engine::Wanted& wanted,
                                    std::span<const snapshot::Difference> made);
  bool exhausted() const { return left_ <= 0; }

 private:
  struct Kept {
    Kept(snapshot::Snapshot state, std::span<const snapshot::Difference> changes)
        : made(changes.begin(), changes.end()), snapshot(std::move(state)), cluster(snapshot) {}

    std::vector<snapshot::Difference> made;
    snapshot::Snapshot snapshot;
    ClusterState cluster;
  };
  const ClusterState& find_or_make(std::span<const snapshot::Difference> made);

  const snapshot::Snapshot& before_;
  const snapshot::Snapshot& after_;
  int left_;
  std::list<Kept> kept_;  // the most recently used first
};

struct DecisiveQuestion {
  engine::Wanted wanted;
  // Accepts the answers that the changes must lead to.
  std::function<bool(const StateAnswer&)> is_wanted_answer;
  std::vector<snapshot::Difference> changes = {};
  std::vector<snapshot::Difference> given = {};   // made in every state that is tried
  std::vector<snapshot::Difference> likely = {};  // subset of `changes`; each is tried alone first
};

struct DecisiveChanges {
  enum class Outcome {
    Found,
    NoneNeeded,  // the given changes are enough
    NotThese,    // all of the changes together are not enough
    Bounded,     // the limit of states was reached
  };
  Outcome outcome;
  std::vector<snapshot::Difference> changes = {};
};
DecisiveChanges find_decisive_changes(StatesBetween& states, const DecisiveQuestion& question);

}  // namespace dra::answers
