// src/report/diff/decisive.h
//
// Which of the changes between two states of a cluster made the difference for a subject: enough of
// them, made in the earlier state, and none that could be left out.

#pragma once

#include <functional>
#include <list>
#include <optional>
#include <span>
#include <vector>

#include "dra/engine/cluster/node_loads.h"
#include "dra/engine/whatif/hypothesis.h"
#include "dra/report/diff/comparison.h"

namespace dra::report {

// A state in which several subjects are asked about. The snapshot must outlive it.
class AskedState {
 public:
  explicit AskedState(const snapshot::Snapshot& snapshot)
      : snapshot_(snapshot), inventory_(snapshot), loads_(snapshot) {}

  StateAnswer answer(const engine::Wanted& wanted) const;
  const snapshot::Snapshot& snapshot() const { return snapshot_; }
  const engine::Inventory& inventory() const { return inventory_; }

 private:
  const snapshot::Snapshot& snapshot_;
  engine::Inventory inventory_;
  engine::NodeLoads loads_;
};

// The objects that differ, but for those of kinds that could not be read in both states: what is
// not visible is not gone.
std::vector<snapshot::Difference> seen_differences(const snapshot::Snapshot& before,
                                                   const snapshot::Snapshot& after);

SubjectName name_of(const engine::Wanted& wanted);  // of several claims the first

// Of the events that differ those that an answer about the subject is made of: about its pod, about
// pods that have reserved its claims, and about groups of pods.
std::vector<snapshot::Difference> events_about(const snapshot::Snapshot& before,
                                               const snapshot::Snapshot& after,
                                               const engine::Wanted& wanted,
                                               const std::vector<snapshot::Difference>& events);

// States between the two, of which only so many are looked at: each is a cluster to be computed.
// The last few are kept, as what decided for one subject is asked of the next.
class StatesBetween {
 public:
  StatesBetween(const snapshot::Snapshot& before, const snapshot::Snapshot& after, int most)
      : before_(before), after_(after), left_(most) {}

  // What is said of the subject in the earlier state with these changes made. No value: none may be
  // looked at any more.
  std::optional<StateAnswer> answer(const engine::Wanted& wanted,
                                    std::span<const snapshot::Difference> taken);
  // The earlier state with these changes made; nullptr likewise.
  const AskedState* between(std::span<const snapshot::Difference> taken);
  bool exhausted() const { return left_ <= 0; }

 private:
  struct State {
    State(snapshot::Snapshot between, std::span<const snapshot::Difference> made)
        : taken(made.begin(), made.end()), snapshot(std::move(between)), asked(snapshot) {}

    std::vector<snapshot::Difference> taken;
    snapshot::Snapshot snapshot;
    AskedState asked;
  };
  const AskedState& state(std::span<const snapshot::Difference> taken);

  const snapshot::Snapshot& before_;
  const snapshot::Snapshot& after_;
  int left_;
  std::list<State> kept_;  // the last that was asked for first
};

struct DecisiveQuestion {
  engine::Wanted wanted;
  std::function<bool(const StateAnswer&)> is_it;  // what the changes have to lead to
  std::vector<snapshot::Difference> changes = {};
  std::vector<snapshot::Difference> given = {};   // are made in any case
  std::vector<snapshot::Difference> likely = {};  // of the changes; each alone is tried first
};

struct Decisive {
  enum class Outcome {
    Found,
    NoneNeeded,  // what is given is enough
    NotThese,    // all of the changes together are not enough
    Bounded,     // too many states would have to be looked at
  };
  Outcome outcome;
  std::vector<snapshot::Difference> changes = {};
};
Decisive decisive_of(StatesBetween& states, const DecisiveQuestion& question);

}  // namespace dra::report
