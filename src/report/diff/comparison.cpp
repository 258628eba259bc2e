// src/report/diff/comparison.cpp: objects are tried first, and events that are about the subject
// only where objects do not suffice: an event reports a cause, and is none.

#include "dra/report/diff/comparison.h"

#include "src/report/diff/decisive.h"
#include "src/report/diff/object_changes.h"

namespace dra::report {
namespace {

constexpr int kMaxStatesOfComparison = 200;  // between the two that are looked at

}  // namespace

bool Comparison::rests_on_expired_events() const { return only_events_gone(decisive); }

Comparison compare(const snapshot::Snapshot& before, const snapshot::Snapshot& after,
                   const engine::Wanted& wanted) {
  Comparison result{.subject = name_of(wanted),
                    .before = AskedState(before).answer(wanted),
                    .after = AskedState(after).answer(wanted),
                    .decisive = {},
                    .coverage = after.coverage()};
  auto all = seen_differences(before, after);
  result.changes = all.size();
  if (result.before.same_as(result.after)) return result;
  StatesBetween states(before, after, kMaxStatesOfComparison);
  const auto is_like_after = [&](const StateAnswer& answer) {
    return answer.same_as(result.after);
  };
  // None may be found: another release, or what could not be read, can be the difference.
  Decisive found = decisive_of(states, {.wanted = wanted, .is_it = is_like_after, .changes = all});
  const auto events =
      events_about(before, after, wanted, snapshot::event_differences(before, after));
  if (found.outcome == Decisive::Outcome::NotThese && !events.empty()) {
    all.insert(all.end(), events.begin(), events.end());
    found =
        decisive_of(states, {.wanted = wanted, .is_it = is_like_after, .changes = std::move(all)});
  }
  result.bounded = found.outcome == Decisive::Outcome::Bounded;
  result.decisive = object_changes(before, after, found.changes);
  return result;
}

}  // namespace dra::report
