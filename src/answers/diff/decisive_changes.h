// src/answers/diff/decisive_changes.h
//
// Which of the changes between two states of a cluster made the difference for a subject: enough of
// them, made in the earlier state, and none that could be left out.

#pragma once

#include <functional>
#include <list>
#include <optional>
#include <span>
#include <vector>

#include "src/answers/diff/cluster_state.h"

namespace dra::answers {

// States between the two. Only so many are looked at, because each is a whole cluster to compute.
// The last few are kept: what decided for one subject is tried for the next, too.
class StatesBetween {
 public:
  StatesBetween(const snapshot::Snapshot& before, const snapshot::Snapshot& after, int max_states)
      : before_(before), after_(after), left_(max_states) {}

  // The earlier state with these changes made. nullptr: the limit is reached.
  const ClusterState* with(std::span<const snapshot::Difference> made);
  // The answer about the subject there. No value: the limit is reached.
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
  std::list<Kept> kept_;  // the last one used first
};

struct DecisiveQuestion {
  engine::Wanted wanted;
  std::function<bool(const StateAnswer&)> is_wanted_answer;  // the changes have to lead to one
  std::vector<snapshot::Difference> changes = {};
  std::vector<snapshot::Difference> given = {};   // are made in any case
  std::vector<snapshot::Difference> likely = {};  // of the changes; each alone is tried first
};

struct DecisiveChanges {
  enum class Outcome {
    Found,
    NoneNeeded,  // the given changes are enough
    NotThese,    // all of the changes together are not enough
    Bounded,     // too many states would have to be looked at
  };
  Outcome outcome;
  std::vector<snapshot::Difference> changes = {};
};
DecisiveChanges find_decisive_changes(StatesBetween& states, const DecisiveQuestion& question);

}  // namespace dra::answers
