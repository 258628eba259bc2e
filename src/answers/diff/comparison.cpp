// src/answers/diff/comparison.cpp: tries changes of objects first, and events about the subject
// only if objects do not suffice, because an event reports a cause and is none.

#include "dra/answers/diff/comparison.h"

#include <utility>

#include "dra/api/pod.h"
#include "dra/engine/whatif/hypothesis.h"
#include "dra/snapshot/draft.h"
#include "src/answers/diff/cluster_state.h"
#include "src/answers/diff/decisive_changes.h"
#include "src/answers/diff/object_changes.h"
#include "src/answers/diff/visible_changes.h"

namespace dra::answers {
namespace {

constexpr int kMaxStatesOfComparison = 200;  // limit of computed states

// The pod and its claims, as far as they were not there.
snapshot::Snapshot with_subject_of(const snapshot::Snapshot& before,
                                   const snapshot::Snapshot& after, const engine::Wanted& wanted) {
  snapshot::Draft draft(before);
  draft.share_texts(after);
  const engine::Subject subject = engine::resolve(after, wanted);
  if (subject.pod != nullptr) draft.add(std::vector<api::Pod>{*subject.pod});
  for (const engine::SubjectClaim& claim : subject.claims) {
    if (claim.claim == nullptr) continue;
    const api::ObjectMeta& meta = claim.claim->meta;
    if (before.find<api::ResourceClaim>(meta.namespace_, meta.name) == nullptr)
      draft.add(std::vector<api::ResourceClaim>{*claim.claim});
  }
  return std::move(draft).finish();
}

}  // namespace

bool Comparison::rests_on_expired_events() const { return only_events_gone(decisive); }

Comparison compare(const snapshot::Snapshot& earlier, const snapshot::Snapshot& after,
                   const engine::Wanted& wanted) {
  std::shared_ptr<const snapshot::Snapshot> with_subject;
  StateAnswer answer_before = ClusterState(earlier).answer(wanted);
  const bool is_new = !answer_before.exists;
  if (is_new) {
    with_subject =
        std::make_shared<const snapshot::Snapshot>(with_subject_of(earlier, after, wanted));
    answer_before = ClusterState(*with_subject).answer(wanted);
  }
  const snapshot::Snapshot& before = is_new ? *with_subject : earlier;
  Comparison result{.subject = subject_of(wanted),
                    .before = std::move(answer_before),
                    .after = ClusterState(after).answer(wanted),
                    .decisive = {},
                    .coverage = after.coverage(),
                    .with_subject = with_subject};
  result.is_new = is_new && result.after.exists;
  auto all = visible_changes(before, after);
  result.changes = all.size();
  if (result.before.same_as(result.after)) return result;
  StatesBetween states(before, after, kMaxStatesOfComparison);
  const auto is_like_after = [&](const StateAnswer& answer) {
    return answer.same_as(result.after);
  };
  // The outcome may be NoneNeeded or NotThese: another release of the server, or objects that could
  // not be read, can make the difference.
  DecisiveChanges found = find_decisive_changes(
      states, {.wanted = wanted, .is_wanted_answer = is_like_after, .changes = all});
  const auto events =
      events_about(before, after, wanted, snapshot::event_differences(before, after));
  if (found.outcome == DecisiveChanges::Outcome::NotThese && !events.empty()) {
    all.insert(all.end(), events.begin(), events.end());
    found = find_decisive_changes(
        states, {.wanted = wanted, .is_wanted_answer = is_like_after, .changes = std::move(all)});
  }
  result.bounded = found.outcome == DecisiveChanges::Outcome::Bounded;
  result.decisive = object_changes(before, after, found.changes);
  return result;
}

}  // namespace dra::answers
