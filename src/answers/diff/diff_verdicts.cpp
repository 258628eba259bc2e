// src/answers/diff/diff_verdicts.cpp: finds the subjects whose verdict changed, and the changes
// that decided. Each group of subjects is answered in both states; where the answers differ,
// DecisionFinder looks for the cause. That a pod was scheduled and its claims were allocated is a
// result and no cause, so the subject's own changes are tried only if others do not suffice:
//  - It got devices: changes near these devices are tried first, then all changes of other objects,
//    then a claim of its own that was missing.
//  - It waits in both states: all changes are tried.
//  - It lost its devices: its own changes are given, and the others are searched for the reason why
//    it waits.
//  - It has devices in both states: as before, and the summaries must be equal word for word.
// Events are added to the changes only if objects do not suffice.

#include <algorithm>
#include <set>

#include "dra/base/text.h"
#include "src/answers/diff/changes_near_devices.h"
#include "src/answers/diff/decisive_changes.h"
#include "src/answers/diff/diff_parts.h"
#include "src/answers/diff/diff_subjects.h"
#include "src/answers/diff/object_changes.h"
#include "src/answers/diff/visible_changes.h"

namespace dra::answers {
namespace {

using snapshot::Difference;

// Limits for one command: an explanation computes every node, and a state between the two is a
// whole cluster to compute.
constexpr std::size_t kMaxGroups = 200;
constexpr int kMaxStatesOfDiff = 300;
constexpr std::size_t kMaxLikely = 3;

bool waits(const StateAnswer& answer) {
  return answer.exists && answer.verdict != Verdict::Scheduled;
}

bool is_scheduled(const StateAnswer& answer) {
  return answer.exists && answer.verdict == Verdict::Scheduled;
}

// Finds the decisive changes of one subject after the other.
class DecisionFinder {
 public:
  DecisionFinder(const snapshot::Snapshot& before, const snapshot::Snapshot& after,
                 const std::vector<Difference>& changes)
      : before_(before),
        after_(after),
        changes_(changes),
        events_(snapshot::event_differences(before, after)),
        states_(before, after, kMaxStatesOfDiff) {}

  // The decisive changes of the first pod decide for all pods of the group, which have a node: made
  // in the earlier state, and nothing else, they give each pod its trouble of the later state.
  bool decides_for_all(const VerdictChange& verdict, const ClusterState& after) {
    std::vector<Difference> decisive;
    for (const ObjectChange& one : verdict.decisive)
      decisive.push_back(one.object);
    const ClusterState* state = states_.with(decisive);
    return state != nullptr && std::ranges::all_of(verdict.subjects, [&](const SubjectName& one) {
             const engine::Wanted wanted{one.namespace_, one.name, {}};
             return trouble_in(*state, wanted) == trouble_in(after, wanted);
           });
  }

  void find(const engine::Wanted& wanted, VerdictChange& verdict) {
    const SubjectChanges of = changes_of(wanted);
    const DecisiveChanges found = decide(wanted, verdict, of);
    const auto is_own = [&of](const Difference& one) {
      return std::ranges::find(of.own_with_events, one) != of.own_with_events.end();
    };
    verdict.decided_by_itself =
        !found.changes.empty() && std::ranges::all_of(found.changes, is_own);
    verdict.bounded = found.outcome == Outcome::Bounded;
    verdict.decisive = object_changes(before_, after_, found.changes);
    if (found.changes.size() != 1 || verdict.decided_by_itself) return;
    std::erase(likely_, found.changes.front());
    likely_.insert(likely_.begin(), found.changes.front());
    if (likely_.size() > kMaxLikely) likely_.pop_back();
  }

 private:
  using Changes = std::vector<Difference>;

  // The changes, sorted by how they relate to one subject.
  struct SubjectChanges {
    Changes itself = {};           // the subject's pod or claim
    Changes own = {};              // the subject and its claims
    Changes own_with_events = {};  // the same and the events about the subject
    Changes others = {};           // all other objects
    Changes except_itself = {};
    Changes all_with_events = {};  // all changes and the events about the subject
  };

  using Outcome = DecisiveChanges::Outcome;
  using Test = std::function<bool(const StateAnswer&)>;

  DecisiveChanges decide(const engine::Wanted& wanted, const VerdictChange& verdict,
                         const SubjectChanges& of) {
    if (!verdict.after.exists || !verdict.before.exists) return {Outcome::Found, of.itself};
    const Test same = [&](const StateAnswer& answer) { return answer.same_as(verdict.after); };
    if (is_scheduled(verdict.before) && is_scheduled(verdict.after))
      return on_its_node(wanted, verdict, of);
    if (verdict.after.verdict == Verdict::Scheduled)
      return that_let_it_fit(wanted, verdict, of, same);
    if (waits(verdict.before))
      return first_of({&changes_, &of.all_with_events},
                      {.wanted = wanted, .is_wanted_answer = same});
    // Its own changes are given, because they are the loss itself; the search is for why it waits.
    DecisiveChanges found = ask({.wanted = wanted,
                                 .is_wanted_answer = same,
                                 .changes = of.others,
                                 .given = of.own_with_events});
    if (found.outcome != Outcome::NoneNeeded) return found;
    return first_of({&of.own, &of.own_with_events}, {.wanted = wanted, .is_wanted_answer = same});
  }

  // The subject has its devices in both states. The summaries have to be equal, too, because one
  // code stands for several causes: a chip that is gone, and a claim that has one less.
  DecisiveChanges on_its_node(const engine::Wanted& wanted, const VerdictChange& verdict,
                              const SubjectChanges& of) {
    const Test same = [&](const StateAnswer& answer) {
      return answer.same_as(verdict.after) && answer.summary == verdict.after.summary;
    };
    DecisiveChanges found = ask({.wanted = wanted,
                                 .is_wanted_answer = same,
                                 .changes = of.others,
                                 .given = of.own_with_events});
    if (found.outcome == Outcome::NoneNeeded)
      return first_of({&of.own, &of.own_with_events}, {.wanted = wanted, .is_wanted_answer = same});
    if (found.outcome != Outcome::NotThese) return found;
    return first_of({&changes_, &of.all_with_events}, {.wanted = wanted, .is_wanted_answer = same});
  }

  DecisiveChanges that_let_it_fit(const engine::Wanted& wanted, const VerdictChange& verdict,
                                  const SubjectChanges& of, const Test& same) {
    if (verdict.before.verdict == Verdict::Fits) return {Outcome::Found, of.itself};
    const Test fits = [](const StateAnswer& answer) {
      return answer.exists && answer.verdict == Verdict::Fits;
    };
    // Changes near its devices come first, because others may have let it fit on another node,
    // where it did not go. Its claims come last: a claim that was missing may be the cause.
    const Changes near =
        changes_near_devices(before_, after_, engine::resolve(after_, wanted), of.others);
    DecisiveChanges found = first_of({&near, &of.others, &of.except_itself},
                                     {.wanted = wanted, .is_wanted_answer = fits});
    if (found.outcome != Outcome::NotThese) return found;
    return first_of({&changes_, &of.all_with_events}, {.wanted = wanted, .is_wanted_answer = same});
  }

  // Tries one set of changes after the other until one suffices.
  DecisiveChanges first_of(std::initializer_list<const Changes*> sets, DecisiveQuestion question) {
    DecisiveChanges found{Outcome::NotThese};
    const Changes* asked = nullptr;
    for (const Changes* changes : sets) {
      if (asked != nullptr && *changes == *asked) continue;
      asked = changes;
      question.changes = *changes;
      found = ask(question);
      if (found.outcome != Outcome::NotThese) return found;
    }
    return found;
  }

  DecisiveChanges ask(DecisiveQuestion question) {
    if (states_.exhausted()) return {Outcome::Bounded};
    for (const Difference& one : likely_) {
      if (std::ranges::find(question.changes, one) != question.changes.end())
        question.likely.push_back(one);
    }
    return find_decisive_changes(states_, question);
  }

  SubjectChanges changes_of(const engine::Wanted& wanted) const {
    const SubjectName name = subject_of(wanted);
    std::set<std::string, std::less<>> claims;
    for (const snapshot::Snapshot* state : {&before_, &after_}) {
      const engine::Subject subject = engine::resolve(*state, wanted);
      for (const engine::SubjectClaim& claim : subject.claims)
        claims.insert(claim.name);
    }
    SubjectChanges of;
    for (const Difference& one : changes_) {
      const bool here = one.namespace_ == name.namespace_;
      const bool itself = here && one.name == name.name && api::info_of(one.kind).name == name.kind;
      const bool claim = here && one.kind == api::Kind::Claim && claims.contains(one.name);
      if (itself) of.itself.push_back(one);
      if (!itself) of.except_itself.push_back(one);
      (itself || claim ? of.own : of.others).push_back(one);
    }
    const Changes events = events_about(before_, after_, wanted, events_);
    of.own_with_events = of.own;
    of.own_with_events.insert(of.own_with_events.end(), events.begin(), events.end());
    of.all_with_events = changes_;
    of.all_with_events.insert(of.all_with_events.end(), events.begin(), events.end());
    return of;
  }

  const snapshot::Snapshot& before_;
  const snapshot::Snapshot& after_;
  const std::vector<Difference>& changes_;
  const std::vector<Difference> events_;
  StatesBetween states_;
  std::vector<Difference> likely_;  // decided for earlier subjects, the last one first
};

// Pods that run have the same answer on any node; pods that do not run need the same trouble.
bool same_answer(const VerdictChange& verdict, const StateAnswer& answer,
                 const VerdictChange& other, const StateAnswer& others) {
  if (answer.trouble && others.trouble) return *answer.trouble == *others.trouble;
  const auto runs = [](const StateAnswer& one) { return is_scheduled(one) && !one.code; };
  if (runs(answer) && runs(others)) return true;
  return runs(answer) == runs(others) && answer.exists == others.exists &&
         predicate_of(verdict, answer) == predicate_of(other, others);
}

bool same_objects(const std::vector<ObjectChange>& some, const std::vector<ObjectChange>& others) {
  return std::ranges::equal(some, others, {}, &ObjectChange::object, &ObjectChange::object);
}

// Merges subjects with equal answers and equal decisive changes into one verdict.
void add_verdict(std::vector<VerdictChange>& verdicts, VerdictChange verdict) {
  const auto same = std::ranges::find_if(verdicts, [&](const VerdictChange& other) {
    return other.subjects.front().kind == verdict.subjects.front().kind &&
           other.decided_by_itself == verdict.decided_by_itself &&
           other.bounded == verdict.bounded &&
           other.decisive_of_first == verdict.decisive_of_first &&
           other.rests_on_expired_events() == verdict.rests_on_expired_events() &&
           (other.decided_by_itself || same_objects(other.decisive, verdict.decisive)) &&
           same_answer(other, other.before, verdict, verdict.before) &&
           same_answer(other, other.after, verdict, verdict.after);
  });
  if (same == verdicts.end()) {
    verdicts.push_back(std::move(verdict));
    return;
  }
  const auto differ = [&](const StateAnswer& a, const StateAnswer& b) {
    return a.trouble && predicate_of(*same, a) != predicate_of(verdict, b);
  };
  same->words_differ = same->words_differ || verdict.words_differ ||
                       differ(same->before, verdict.before) || differ(same->after, verdict.after);
  std::ranges::move(verdict.subjects, std::back_inserter(same->subjects));
}

// Adds the verdicts of the first kMaxGroups groups; the subjects of the rest are listed as not
// looked at.
void add_groups(const ClusterState& before, const ClusterState& after,
                std::vector<SubjectGroup> groups, DecisionFinder& finder, Diff& diff) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    SubjectGroup& one = groups[i];
    if (i >= kMaxGroups) {
      std::ranges::move(one.subjects, std::back_inserter(diff.not_looked_at));
      continue;
    }
    VerdictChange verdict{.subjects = std::move(one.subjects),
                          .before = before.answer(one.wanted),
                          .after = after.answer(one.wanted),
                          .decisive = {}};
    verdict.words_differ = one.words_differ;
    if (verdict.before.same_as(verdict.after)) continue;
    finder.find(one.wanted, verdict);
    verdict.decisive_of_first = verdict.subjects.size() > 1 && !verdict.decided_by_itself &&
                                !verdict.decisive.empty() && is_scheduled(verdict.before) &&
                                is_scheduled(verdict.after) &&
                                !finder.decides_for_all(verdict, after);
    add_verdict(diff.verdicts, std::move(verdict));
  }
}

}  // namespace

bool VerdictChange::rests_on_expired_events() const { return only_events_gone(decisive); }

std::string predicate_of(const VerdictChange& verdict, const StateAnswer& answer) {
  if (!answer.exists) return {};
  const SubjectName& first = verdict.subjects.front();
  const std::string name = base::format("{}/{}", first.namespace_, first.name);
  std::string_view words = answer.summary;
  if (const std::size_t at = words.find(name); at != std::string_view::npos)
    words.remove_prefix(at + name.size());
  while (words.starts_with(':') || words.starts_with(' '))
    words.remove_prefix(1);
  return std::string(words);
}

void add_verdicts(const ClusterState& before, const ClusterState& after,
                  const std::vector<Difference>& changes, std::string_view ns, Diff& diff) {
  DecisionFinder finder(before.snapshot(), after.snapshot(), changes);
  add_groups(before, after, waiting_subjects(before, after, ns), finder, diff);
  add_groups(before, after, bound_subjects(before, after, ns, diff.devices), finder, diff);
  std::ranges::stable_sort(diff.verdicts, std::ranges::greater(),
                           [](const VerdictChange& one) { return one.subjects.size(); });
}

}  // namespace dra::answers
