// src/report/diff/diff_verdicts.cpp: of what waits for devices in one of two states, and of pods
// that have them and do not run, what is said now that was not said before, and which changes
// decided. See diff.h.

#include <algorithm>
#include <set>

#include "dra/base/text.h"
#include "dra/report/phrases/subject_words.h"
#include "src/report/diff/change_words.h"
#include "src/report/diff/decisive.h"
#include "src/report/diff/diff_parts.h"
#include "src/report/diff/diff_subjects.h"
#include "src/report/diff/near_changes.h"

namespace dra::report {
namespace {

using snapshot::Difference;

// To explain a pod is to look at every node; a state in between is a whole cluster to be computed.
// Both are for the whole command.
constexpr std::size_t kMaxKinds = 200;
constexpr int kMaxStatesOfDiff = 300;
constexpr std::size_t kMaxLikely = 3;

bool waits(const StateAnswer& answer) {
  return answer.exists && answer.verdict != Verdict::Scheduled;
}

bool is_scheduled(const StateAnswer& answer) {
  return answer.exists && answer.verdict == Verdict::Scheduled;
}

// Looks for what decided. That a pod is scheduled, and its claims are allocated, is what came of
// something else: then it is asked what let it fit.
class Judge {
 public:
  Judge(const snapshot::Snapshot& before, const snapshot::Snapshot& after,
        const std::vector<Difference>& changes)
      : before_(before),
        after_(after),
        changes_(changes),
        events_(snapshot::event_differences(before, after)),
        states_(before, after, kMaxStatesOfDiff) {}

  // Whether what decided for the first of pods with a node decided for all of them: made in the
  // earlier state, and nothing else, it gives each the trouble that it has now.
  bool decides_for_all(const VerdictChange& verdict, const AskedState& after) {
    const AskedState* state = states_.between(verdict.decisive);
    return state != nullptr && std::ranges::all_of(verdict.subjects, [&](const SubjectName& one) {
             const engine::Wanted wanted{one.namespace_, one.name, {}};
             return trouble_in(*state, wanted) == trouble_in(after, wanted);
           });
  }

  void judge(const engine::Wanted& wanted, VerdictChange& verdict) {
    const Own own = own_of(wanted);
    const Decisive found = decide(wanted, verdict, own);
    verdict.of_its_own =
        !found.changes.empty() && std::ranges::all_of(found.changes, [&own](const Difference& one) {
          return std::ranges::find(own.told, one) != own.told.end();
        });
    verdict.bounded = found.outcome == Decisive::Outcome::Bounded;
    verdict.decisive = found.changes;
    if (found.changes.size() != 1 || verdict.of_its_own) return;
    std::erase(likely_, found.changes.front());
    likely_.insert(likely_.begin(), found.changes.front());
    if (likely_.size() > kMaxLikely) likely_.pop_back();
  }

 private:
  using Changes = std::vector<Difference>;

  // The changes of the subject, of its claims, and of everything else.
  struct Own {
    Changes itself = {};
    Changes own = {};   // with itself
    Changes told = {};  // with its own, and the events about it
    Changes others = {};
    Changes but_itself = {};
    Changes all = {};  // changes, and the events about it
  };

  using Outcome = Decisive::Outcome;
  using Test = std::function<bool(const StateAnswer&)>;

  Decisive decide(const engine::Wanted& wanted, const VerdictChange& verdict, const Own& own) {
    if (!verdict.after.exists || !verdict.before.exists) return {Outcome::Found, own.itself};
    const Test same = [&](const StateAnswer& answer) { return answer.same_as(verdict.after); };
    if (is_scheduled(verdict.before) && is_scheduled(verdict.after))
      return keep_from_running(wanted, verdict, own);
    if (verdict.after.verdict == Verdict::Scheduled) return let_it_fit(wanted, verdict, own, same);
    if (waits(verdict.before))
      return first_of({&changes_, &own.all}, {.wanted = wanted, .is_it = same});
    // It has lost what it had: given that, is it for others that it waits?
    Decisive found =
        ask({.wanted = wanted, .is_it = same, .changes = own.others, .given = own.told});
    if (found.outcome != Outcome::NoneNeeded) return found;
    return first_of({&own.own, &own.told}, {.wanted = wanted, .is_it = same});
  }

  // What became of the pod and its claims comes of something else, too, where that tells more. To
  // be told apart it has to be said in the same words: a chip that is gone, and a claim that has
  // one less, go by one code. That it is said in an event counts where nothing else is known.
  Decisive keep_from_running(const engine::Wanted& wanted, const VerdictChange& verdict,
                             const Own& own) {
    const Test same = [&](const StateAnswer& answer) {
      return answer.same_as(verdict.after) && answer.summary == verdict.after.summary;
    };
    Decisive found =
        ask({.wanted = wanted, .is_it = same, .changes = own.others, .given = own.told});
    if (found.outcome == Outcome::NoneNeeded)
      return first_of({&own.own, &own.told}, {.wanted = wanted, .is_it = same});
    if (found.outcome != Outcome::NotThese) return found;
    return first_of({&changes_, &own.all}, {.wanted = wanted, .is_it = same});
  }

  Decisive let_it_fit(const engine::Wanted& wanted, const VerdictChange& verdict, const Own& own,
                      const Test& same) {
    if (verdict.before.verdict == Verdict::Fits) return {Outcome::Found, own.itself};
    const Test fits = [](const StateAnswer& answer) {
      return answer.exists && answer.verdict == Verdict::Fits;
    };
    // It may have fitted elsewhere, too, but there it is not. A claim of its own that was not there
    // may have been what it waited for.
    const Changes near = near_changes(before_, after_, engine::resolve(after_, wanted), own.others);
    Decisive found =
        first_of({&near, &own.others, &own.but_itself}, {.wanted = wanted, .is_it = fits});
    if (found.outcome != Outcome::NotThese) return found;
    return first_of({&changes_, &own.all}, {.wanted = wanted, .is_it = same});
  }

  // By the first changes that are enough.
  Decisive first_of(std::initializer_list<const Changes*> sets, DecisiveQuestion question) {
    Decisive found{Outcome::NotThese};
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

  Decisive ask(DecisiveQuestion question) {
    if (states_.exhausted()) return {Outcome::Bounded};
    for (const Difference& one : likely_) {
      if (std::ranges::find(question.changes, one) != question.changes.end())
        question.likely.push_back(one);
    }
    return decisive_of(states_, question);
  }

  Own own_of(const engine::Wanted& wanted) const {
    const SubjectName name = name_of(wanted);
    std::set<std::string, std::less<>> claims;
    for (const snapshot::Snapshot* state : {&before_, &after_}) {
      const engine::Subject subject = engine::resolve(*state, wanted);
      for (const engine::SubjectClaim& claim : subject.claims)
        claims.insert(claim.name);
    }
    Own own;
    for (const Difference& one : changes_) {
      const bool here = one.namespace_ == name.namespace_;
      const bool itself = here && one.name == name.name && api::info_of(one.kind).name == name.kind;
      const bool claim = here && one.kind == api::Kind::Claim && claims.contains(one.name);
      if (itself) own.itself.push_back(one);
      if (!itself) own.but_itself.push_back(one);
      (itself || claim ? own.own : own.others).push_back(one);
    }
    const Changes events = events_about(before_, after_, wanted, events_);
    own.told = own.own;
    own.told.insert(own.told.end(), events.begin(), events.end());
    own.all = changes_;
    own.all.insert(own.all.end(), events.begin(), events.end());
    return own;
  }

  const snapshot::Snapshot& before_;
  const snapshot::Snapshot& after_;
  const std::vector<Difference>& changes_;
  const std::vector<Difference> events_;
  StatesBetween states_;
  std::vector<Difference> likely_;  // that decided about others, the last first
};

// Of those that run it does not matter where, of those that do not the trouble has to be one.
bool is_one(const VerdictChange& verdict, const StateAnswer& answer, const VerdictChange& other,
            const StateAnswer& others) {
  if (answer.trouble && others.trouble) return *answer.trouble == *others.trouble;
  const auto runs = [](const StateAnswer& one) { return is_scheduled(one) && !one.code; };
  if (runs(answer) && runs(others)) return true;
  return runs(answer) == runs(others) && answer.exists == others.exists &&
         predicate_of(verdict, answer) == predicate_of(other, others);
}

// Of different subjects what has one cause and was decided by the same is told together.
void add_verdict(std::vector<VerdictChange>& verdicts, VerdictChange verdict) {
  const auto same = std::ranges::find_if(verdicts, [&](const VerdictChange& other) {
    return other.subjects.front().kind == verdict.subjects.front().kind &&
           other.of_its_own == verdict.of_its_own && other.bounded == verdict.bounded &&
           other.of_the_first == verdict.of_the_first && other.untold() == verdict.untold() &&
           (other.of_its_own || other.decisive == verdict.decisive) &&
           is_one(other, other.before, verdict, verdict.before) &&
           is_one(other, other.after, verdict, verdict.after);
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

// What is said of the first ones' kinds; the rest is not looked at.
void add_all(const AskedState& before, const AskedState& after, std::vector<Alike> all,
             Judge& judge, Diff& diff) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    Alike& one = all[i];
    if (i >= kMaxKinds) {
      std::ranges::move(one.subjects, std::back_inserter(diff.not_looked_at));
      continue;
    }
    VerdictChange verdict{.subjects = std::move(one.subjects),
                          .before = before.answer(one.wanted),
                          .after = after.answer(one.wanted),
                          .decisive = {}};
    verdict.words_differ = one.words_differ;
    if (verdict.before.same_as(verdict.after)) continue;
    judge.judge(one.wanted, verdict);
    verdict.of_the_first = verdict.subjects.size() > 1 && !verdict.of_its_own &&
                           !verdict.decisive.empty() && is_scheduled(verdict.before) &&
                           is_scheduled(verdict.after) && !judge.decides_for_all(verdict, after);
    add_verdict(diff.verdicts, std::move(verdict));
  }
}

}  // namespace

bool VerdictChange::untold() const { return are_events_gone(decisive); }

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

void add_verdicts(const AskedState& before, const AskedState& after,
                  const std::vector<Difference>& changes, std::string_view ns, Diff& diff) {
  Judge judge(before.snapshot(), after.snapshot(), changes);
  add_all(before, after, waiting_subjects(before, after, ns), judge, diff);
  add_all(before, after, settled_subjects(before, after, ns, diff.devices), judge, diff);
  std::ranges::stable_sort(diff.verdicts, std::ranges::greater(),
                           [](const VerdictChange& one) { return one.subjects.size(); });
}

}  // namespace dra::report
