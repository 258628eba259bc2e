// src/answers/diff/decisive_changes.cpp: the search for the changes that decided.
//
// Between two states of a cluster hundreds of objects differ, and a pod that did not fit fits.
// Which of the changes let it? A comparison of the two explanations cannot say: a claim that is
// gone may have held the last free device, or one of a hundred. So the scheduler's rules are run. A
// state between the two is the earlier one with some of the changes made; explain computes the
// pod's answer there as it does anywhere. A set of changes suffices if it leads to the wanted
// answer. The search looks for a set that suffices and has no member that it can do without.
//
// The order of the search, cheapest first:
//  1. No change at all. Every state between has the later server's release and what the later state
//     could not read; so what these alone decide is NoneNeeded, and no object is blamed for it.
//  2. Each likely change alone. These decided for the subjects before: a node that went down stops
//     many pods, and then each costs two states instead of dozens.
//  3. All changes together. If they do not suffice, no part of them is searched: NotThese, and the
//     caller asks again with other changes.
//  4. base::minimal_set, which halves the set (QuickXplain): about k * log(n / k) states for k
//     decisive ones among n. Of several sets that suffice it finds one with members that come first
//     in the list, so callers put the likeliest causes first. It is not always the smallest one.
//
// Halving assumes that more changes do no harm: if a set suffices, so does a larger one. Clusters
// break this. A claim that went away frees a device, and another claim that came takes it again.
// The result is therefore tried as a whole, and then without each member in turn; a member that is
// not missed is dropped. So a reported set always suffices. A set that fails this last trial is
// reported as Bounded, not as an answer.
//
// The limit is a number of states, not a time, so the same input gives the same answer on every
// machine. All subjects of a command share it. At the limit every trial fails, the search ends
// quickly, and its outcome is Bounded: an unfinished search must not look like an answer. The four
// states used last are kept, because the next subject begins with the same ones: none, the likely
// change, all. Each can be as large as the cluster, so no more are kept.

#include "src/answers/diff/decisive_changes.h"

#include <algorithm>

#include "dra/base/minimal_set.h"

namespace dra::answers {
namespace {

using snapshot::Difference;
using Changes = std::vector<Difference>;
using Outcome = DecisiveChanges::Outcome;

constexpr std::size_t kMaxKeptStates = 4;

// One search. At the limit of states every trial fails.
class Search {
 public:
  Search(StatesBetween& states, const DecisiveQuestion& question)
      : states_(states), question_(question) {}

  DecisiveChanges find() {
    if (suffices({})) return ended(Outcome::NoneNeeded);
    for (const Difference& one : question_.likely) {
      if (suffices({one})) return {Outcome::Found, {one}};
    }
    const Changes& all = question_.changes;
    if (all.empty() || !suffices(all)) return ended(Outcome::NotThese);
    Changes found =
        base::minimal_set(all, [this](const Changes& changes) { return suffices(changes); });
    if (bounded_ || !suffices(found)) return {Outcome::Bounded};
    drop_needless(found);
    if (bounded_) return {Outcome::Bounded};
    return {Outcome::Found, std::move(found)};
  }

 private:
  bool suffices(const Changes& changes) {
    Changes made = question_.given;
    made.insert(made.end(), changes.begin(), changes.end());
    const auto answer = states_.answer(question_.wanted, made);
    bounded_ |= !answer;
    return answer && question_.is_wanted_answer(*answer);
  }

  DecisiveChanges ended(Outcome outcome) const { return {bounded_ ? Outcome::Bounded : outcome}; }

  void drop_needless(Changes& found) {
    for (std::size_t i = 0; i < found.size() && found.size() > 1;) {
      Changes fewer = found;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (suffices(fewer)) {
        found = std::move(fewer);
      } else {
        ++i;
      }
    }
  }

  StatesBetween& states_;
  const DecisiveQuestion& question_;
  bool bounded_ = false;
};

}  // namespace

const ClusterState* StatesBetween::with(std::span<const Difference> made) {
  return left_-- <= 0 ? nullptr : &find_or_make(made);
}

std::optional<StateAnswer> StatesBetween::answer(const engine::Wanted& wanted,
                                                 std::span<const Difference> made) {
  const ClusterState* state = with(made);
  return state == nullptr ? std::nullopt : std::optional(state->answer(wanted));
}

const ClusterState& StatesBetween::find_or_make(std::span<const Difference> made) {
  const auto known = std::ranges::find_if(
      kept_, [made](const Kept& one) { return std::ranges::equal(one.made, made); });
  if (known != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, known);
  } else {
    kept_.emplace_front(snapshot::state_between(before_, after_, made), made);
    if (kept_.size() > kMaxKeptStates) kept_.pop_back();
  }
  return kept_.front().cluster;
}

DecisiveChanges find_decisive_changes(StatesBetween& states, const DecisiveQuestion& question) {
  return Search(states, question).find();
}

}  // namespace dra::answers
