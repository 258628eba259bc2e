// src/report/diff_verdicts.cpp: of what waits for devices in one of two states, and of pods that
// have them and do not run, what is said now that was not said before, and which changes decided.
// See diff.h.

#include <algorithm>
#include <map>
#include <set>

#include "dra/base/text.h"
#include "dra/engine/after_scheduling.h"
#include "dra/engine/events.h"
#include "dra/engine/kubelet_words.h"
#include "dra/report/list_pods.h"
#include "dra/report/pods_alike.h"
#include "src/report/change_words.h"
#include "src/report/decisive.h"
#include "src/report/diff_parts.h"
#include "src/report/near_changes.h"
#include "src/report/problem_words.h"

namespace dra::report {
namespace {

using snapshot::Difference;
using Names = std::set<std::pair<std::string_view, std::string_view>>;  // namespace and name

// To explain a pod is to look at every node; a state in between is a whole cluster to be computed.
// Both are for the whole command.
constexpr std::size_t kMaxKinds = 200;
constexpr int kMaxStates = 300;
constexpr std::size_t kMaxLikely = 3;

// Pods that cannot differ, or a claim.
struct Waiting {
  engine::Wanted wanted;              // the first
  std::vector<SubjectName> subjects;  // all
};

Names names_of(const std::vector<const api::Pod*>& pods) {
  Names names;
  for (const api::Pod* pod : pods)
    names.emplace(pod->meta.namespace_, pod->meta.name);
  return names;
}

// Claims that pods refer to, whether they exist or not.
Names claims_of_pods(const snapshot::Snapshot& state) {
  Names names;
  for (const api::Pod& pod : state.all<api::Pod>()) {
    if (pod.finished()) continue;
    const std::string_view ns = pod.meta.namespace_;
    for (const api::PodClaim& claim : pod.spec.claims)
      names.emplace(ns, claim.claim_name);
    for (const api::PodClaimStatus& claim : pod.status.claims)
      names.emplace(ns, claim.claim_name.value_or(std::string_view()));
    if (pod.status.extended_resource_claim)
      names.emplace(ns, pod.status.extended_resource_claim->claim_name);
  }
  return names;
}

bool made_for_pod(const api::ResourceClaim& claim) {
  const api::OwnerReference* owner = api::controller_of(claim.meta);
  return owner != nullptr && owner->kind == "Pod";
}

// What is wrong with a pod on its node, if anything is.
std::optional<engine::AfterFinding> trouble_of(const AskedState& state, const api::Pod& pod) {
  const engine::Subject subject = engine::subject_of_pod(state.snapshot(), pod);
  auto found = engine::after_scheduling(state.snapshot(), state.inventory(), subject, {});
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

// What waits in either state, alike pods together.
class Collector {
 public:
  Collector(const AskedState& before, const AskedState& after, std::string_view ns)
      : before_(before), after_(after), ns_(ns) {}

  std::vector<Waiting> all() {
    const auto earlier = waiting_pods(before_.snapshot());
    const auto later = waiting_pods(after_.snapshot());
    waits_before_ = names_of(earlier);
    waits_after_ = names_of(later);
    for (const auto* pods : {&earlier, &later}) {
      for (const api::Pod* pod : *pods)
        add(*pod);
    }
    if (saw_both(before_.snapshot(), after_.snapshot(), api::Kind::Claim)) {
      add_claims(before_.snapshot());
      add_claims(after_.snapshot());
    }
    std::ranges::stable_sort(found_, std::ranges::greater(),
                             [](const Waiting& one) { return one.subjects.size(); });
    return std::move(found_);
  }

 private:
  bool is_asked_for(const api::ObjectMeta& meta) {
    return (ns_.empty() || meta.namespace_ == ns_) &&
           seen_.emplace(meta.namespace_, meta.name).second;
  }

  void add(const api::Pod& pod) {
    if (!is_asked_for(pod.meta)) return;
    const std::string key =
        key_in(before_, waits_before_, pod) + "#" + key_in(after_, waits_after_, pod);
    const auto [kind, is_new] = kinds_.emplace(key, found_.size());
    if (is_new)
      found_.push_back({{std::string(pod.meta.namespace_), std::string(pod.meta.name), {}}, {}});
    found_[kind->second].subjects.push_back(subject_of("Pod", pod.meta));
  }

  static std::string key_in(const AskedState& asked, const Names& waiting, const api::Pod& one) {
    const snapshot::Snapshot& state = asked.snapshot();
    const api::Pod* pod = state.find<api::Pod>(one.meta.namespace_, one.meta.name);
    if (pod == nullptr) return "absent";
    if (waiting.contains({pod->meta.namespace_, pod->meta.name})) return likeness_of(state, *pod);
    if (pod->spec.node_name.empty()) return "ended " + std::string(pod->meta.name);
    // One that runs is like others that do, wherever that is; one that does not is like those that
    // have the same trouble.
    const auto trouble = trouble_of(asked, *pod);
    if (!trouble) return "scheduled";
    return base::format("{} on {}: {}", diag::name_of(trouble->reason.code), pod->spec.node_name,
                        trouble->reason.message);
  }

  // Claims and pods may have one name.
  void add_claims(const snapshot::Snapshot& state) {
    const Names of_pods = claims_of_pods(state);
    for (const api::ResourceClaim& claim : state.all<api::ResourceClaim>()) {
      const api::ObjectMeta& meta = claim.meta;
      const bool waits = !claim.allocated() && !meta.deleted && !made_for_pod(claim) &&
                         !of_pods.contains({meta.namespace_, meta.name});
      if (!waits || (!ns_.empty() && meta.namespace_ != ns_)) continue;
      if (!seen_claims_.emplace(meta.namespace_, meta.name).second) continue;
      found_.push_back({{std::string(meta.namespace_), {}, {std::string(meta.name)}},
                        {subject_of("ResourceClaim", meta)}});
    }
  }

  const AskedState& before_;
  const AskedState& after_;
  std::string_view ns_;
  Names waits_before_;
  Names waits_after_;
  Names seen_;
  Names seen_claims_;
  std::map<std::string, std::size_t> kinds_;  // index into found_
  std::vector<Waiting> found_;
};

bool waits(const StateAnswer& answer) {
  return answer.exists && answer.verdict != Verdict::Scheduled;
}

bool is_scheduled(const StateAnswer& answer) {
  return answer.exists && answer.verdict == Verdict::Scheduled;
}

// Pods that have a node in both states. What is wrong with one on its node is quickly found, but
// they may be many: only those are asked about of which something is to be expected.
class Settled {
 public:
  Settled(const AskedState& before, const AskedState& after, std::string_view ns)
      : before_(before), after_(after), ns_(ns) {}

  // Of those whose trouble is not what it was.
  std::vector<const api::Pod*> changed(const std::vector<DeviceChange>& devices) const {
    Names concerned;
    for (const DeviceChange& device : devices) {
      for (const auto* side : {&device.before, &device.after}) {
        if (side->has_value()) add_names((*side)->pods, concerned);
      }
    }
    std::vector<const api::Pod*> pods;
    for (const api::Pod& pod : after_.snapshot().all<api::Pod>()) {
      const auto* earlier = before_.snapshot().find<api::Pod>(pod.meta.namespace_, pod.meta.name);
      if (earlier == nullptr || !is_settled(*earlier) || !is_settled(pod)) continue;
      if (!ns_.empty() && pod.meta.namespace_ != ns_) continue;
      const bool runs = is_ready(*earlier) && is_ready(pod);
      if (runs && !concerned.contains({pod.meta.namespace_, pod.meta.name})) continue;
      const bool differs = code_of(before_, *earlier) != code_of(after_, pod);
      if (differs && !told_by_one(*earlier, pod)) pods.push_back(&pod);
    }
    return pods;
  }

 private:
  // Of "namespace/name".
  static void add_names(const std::vector<std::string>& pods, Names& names) {
    for (const std::string_view pod : pods) {
      const std::size_t slash = std::min(pod.find('/'), pod.size() - 1);
      names.emplace(pod.substr(0, slash), pod.substr(slash + 1));
    }
  }

  static bool is_settled(const api::Pod& pod) {
    return !pod.spec.node_name.empty() && !pod.finished() && !pod.meta.deleted;
  }

  static bool is_ready(const api::Pod& pod) {
    return pod.status.phase == "Running" && api::is_true(pod.status.conditions, "Ready");
  }

  static std::optional<diag::Code> code_of(const AskedState& state, const api::Pod& pod) {
    const auto trouble = trouble_of(state, pod);
    return trouble ? std::optional(trouble->reason.code) : std::nullopt;
  }

  // An event tells of it in one state, and in the other none can be seen.
  bool told_by_one(const api::Pod& earlier, const api::Pod& pod) const {
    if (saw_both(before_.snapshot(), after_.snapshot(), api::Kind::Event)) return false;
    const auto tells = [](const AskedState& state, const api::Pod& of) {
      return engine::newest_warning(state.snapshot(), "Pod", of.meta, engine::kFailedPrepare);
    };
    return tells(before_, earlier) != nullptr || tells(after_, pod) != nullptr;
  }

  const AskedState& before_;
  const AskedState& after_;
  std::string_view ns_;
};

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
        states_(before, after, kMaxStates) {}

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

std::string words_to_fold_by(const VerdictChange& verdict, const StateAnswer& answer) {
  const bool runs = is_scheduled(answer) && !answer.code;
  return runs ? std::string(name_of(answer.verdict)) : predicate_of(verdict, answer);
}

// Of different subjects what has one cause and was decided by the same is told together.
void add(std::vector<VerdictChange>& verdicts, VerdictChange verdict) {
  const auto same = std::ranges::find_if(verdicts, [&](const VerdictChange& other) {
    return words_to_fold_by(other, other.before) == words_to_fold_by(verdict, verdict.before) &&
           words_to_fold_by(other, other.after) == words_to_fold_by(verdict, verdict.after) &&
           other.of_its_own == verdict.of_its_own && other.bounded == verdict.bounded &&
           (other.of_its_own || other.decisive == verdict.decisive) &&
           other.subjects.front().kind == verdict.subjects.front().kind;
  });
  if (same == verdicts.end()) {
    verdicts.push_back(std::move(verdict));
    return;
  }
  std::ranges::move(verdict.subjects, std::back_inserter(same->subjects));
}

void add_settled(const AskedState& before, const AskedState& after,
                 const std::vector<const api::Pod*>& pods, Judge& judge, Diff& diff) {
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const api::ObjectMeta& meta = pods[i]->meta;
    if (i >= kMaxKinds) {
      diff.not_looked_at.push_back(subject_of("Pod", meta));
      continue;
    }
    const engine::Wanted wanted{std::string(meta.namespace_), std::string(meta.name), {}};
    VerdictChange verdict{.subjects = {subject_of("Pod", meta)},
                          .before = before.answer(wanted),
                          .after = after.answer(wanted),
                          .decisive = {}};
    if (verdict.before.same_as(verdict.after)) continue;
    judge.judge(wanted, verdict);
    add(diff.verdicts, std::move(verdict));
  }
}

}  // namespace

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
  std::vector<Waiting> waiting = Collector(before, after, ns).all();
  Judge judge(before.snapshot(), after.snapshot(), changes);
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    Waiting& one = waiting[i];
    if (i >= kMaxKinds) {
      std::ranges::move(one.subjects, std::back_inserter(diff.not_looked_at));
      continue;
    }
    VerdictChange verdict{.subjects = std::move(one.subjects),
                          .before = before.answer(one.wanted),
                          .after = after.answer(one.wanted),
                          .decisive = {}};
    if (verdict.before.same_as(verdict.after)) continue;
    judge.judge(one.wanted, verdict);
    add(diff.verdicts, std::move(verdict));
  }
  add_settled(before, after, Settled(before, after, ns).changed(diff.devices), judge, diff);
  std::ranges::stable_sort(diff.verdicts, std::ranges::greater(),
                           [](const VerdictChange& one) { return one.subjects.size(); });
}

}  // namespace dra::report
