// src/report/diff/decisive.cpp: the search for the changes that decided.
//
// Between two states of a cluster hundreds of objects differ, and a pod that did not fit fits.
// Which of the changes let it? A comparison of the two explanations cannot say: a claim that is
// gone may have held the last free device, or one of a hundred. So the scheduler is asked. A state
// between the two is the earlier one with some of the changes made; explain computes the pod's
// answer there as it does anywhere. A set of changes suffices if it leads to the wanted answer.
// Wanted is a set that suffices and has no member that could be left out.
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
// The halving takes for granted that more changes do no harm: if a set suffices, so does a larger
// one. Clusters break this. A claim that went away frees a device, and another claim that came
// takes it again. The set that was found is therefore tried as a whole, and then without each
// member in turn; a member that is not missed goes. So what is reported suffices in any case. A set
// that does not hold in this last trial is reported as Bounded, not as an answer.
//
// The limit is a number of states, not a time, so the same input gives the same answer on every
// machine. It is shared by all subjects of a command. Once it is reached, every trial fails, the
// search ends quickly, and its outcome is Bounded: a half-made search must not look like an answer.
// The four states used last are kept, because the next subject begins with the same ones: none, the
// likely change, all. Each can be as large as the cluster, therefore not more.

#include "src/report/diff/decisive.h"

#include <algorithm>
#include <set>

#include "dra/base/minimal_set.h"
#include "src/report/diff/diff_parts.h"

namespace dra::report {
namespace {

using snapshot::Difference;

constexpr std::size_t kMaxKept = 4;  // states; each may be as large as the cluster

std::optional<engine::Trouble> trouble_of(const Explanation& explanation) {
  if (explanation.verdict != Verdict::Scheduled || explanation.after.empty()) return std::nullopt;
  return engine::trouble_of(explanation.after.front());
}

StateAnswer answer_of(const Explanation& explanation) {
  return {.exists = true,
          .verdict = explanation.verdict,
          .code = explanation.code,
          .summary = explanation.summary,
          .trouble = trouble_of(explanation)};
}

bool is_there(const snapshot::Snapshot& snapshot, const engine::Wanted& wanted) {
  return std::ranges::any_of(wanted.claims, [&](const std::string& name) {
    return snapshot.find<api::ResourceClaim>(wanted.namespace_, name) != nullptr;
  });
}

// The pods that have the subject's devices: itself, or those that have reserved its claims.
std::set<std::string_view> pods_of(const snapshot::Snapshot& before,
                                   const snapshot::Snapshot& after, const engine::Wanted& wanted) {
  std::set<std::string_view> pods;
  if (!wanted.pod.empty()) pods.insert(wanted.pod);
  for (const snapshot::Snapshot* state : {&before, &after}) {
    for (const std::string& name : wanted.claims) {
      const auto* claim = state->find<api::ResourceClaim>(wanted.namespace_, name);
      if (claim == nullptr) continue;
      for (const api::Consumer& consumer : claim->status.reserved_for)
        pods.insert(consumer.name);
    }
  }
  return pods;
}

}  // namespace

std::vector<Difference> events_about(const snapshot::Snapshot& before,
                                     const snapshot::Snapshot& after, const engine::Wanted& wanted,
                                     const std::vector<Difference>& events) {
  std::vector<Difference> about;
  if (events.empty()) return about;
  const std::set<std::string_view> pods = pods_of(before, after, wanted);
  for (const Difference& one : events) {
    const api::Event* event = after.find<api::Event>(one.namespace_, one.name);
    if (event == nullptr) event = before.find<api::Event>(one.namespace_, one.name);
    if (event == nullptr || event->about.namespace_ != wanted.namespace_) continue;
    const bool of_pod = event->about.kind == "Pod" && pods.contains(event->about.name);
    if (of_pod || event->about.kind == "PodGroup") about.push_back(one);
  }
  return about;
}

std::vector<Difference> seen_differences(const snapshot::Snapshot& before,
                                         const snapshot::Snapshot& after) {
  auto changes = snapshot::differences(before, after);
  std::erase_if(changes, [&](const Difference& one) { return !saw_both(before, after, one.kind); });
  return changes;
}

StateAnswer AskedState::answer(const engine::Wanted& wanted) const {
  if (wanted.pod.empty()) {
    if (!is_there(snapshot_, wanted) &&
        snapshot_.coverage().saw(api::Kind::Claim, wanted.namespace_))
      return {};
    return answer_of(
        answers::explain_claims(snapshot_, inventory_, loads_, wanted.namespace_, wanted.claims));
  }
  const api::Pod* pod = snapshot_.find<api::Pod>(wanted.namespace_, wanted.pod);
  return pod == nullptr ? StateAnswer()
                        : answer_of(answers::explain_pod(snapshot_, inventory_, loads_, *pod));
}

SubjectName name_of(const engine::Wanted& wanted) {
  if (!wanted.pod.empty()) return {"Pod", wanted.namespace_, wanted.pod};
  return {"ResourceClaim", wanted.namespace_,
          wanted.claims.empty() ? std::string() : wanted.claims.front()};
}

std::optional<StateAnswer> StatesBetween::answer(const engine::Wanted& wanted,
                                                 std::span<const Difference> taken) {
  const AskedState* state = between(taken);
  return state == nullptr ? std::nullopt : std::optional(state->answer(wanted));
}

const AskedState* StatesBetween::between(std::span<const Difference> taken) {
  return left_-- <= 0 ? nullptr : &state(taken);
}

const AskedState& StatesBetween::state(std::span<const Difference> taken) {
  const auto known = std::ranges::find_if(
      kept_, [taken](const State& one) { return std::ranges::equal(one.taken, taken); });
  if (known != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, known);
  } else {
    kept_.emplace_front(snapshot::state_between(before_, after_, taken), taken);
    if (kept_.size() > kMaxKept) kept_.pop_back();
  }
  return kept_.front().asked;
}

Decisive decisive_of(StatesBetween& states, const DecisiveQuestion& question) {
  bool bounded = false;
  const auto leads_there = [&](const std::vector<Difference>& taken) {
    std::vector<Difference> all = question.given;
    all.insert(all.end(), taken.begin(), taken.end());
    const auto answer = states.answer(question.wanted, all);
    bounded |= !answer;
    return answer && question.is_it(*answer);
  };
  const auto ended = [&](Decisive::Outcome outcome) {
    return Decisive{bounded ? Decisive::Outcome::Bounded : outcome};
  };
  if (leads_there({})) return ended(Decisive::Outcome::NoneNeeded);
  for (const Difference& one : question.likely) {
    if (leads_there({one})) return {Decisive::Outcome::Found, {one}};
  }
  if (question.changes.empty() || !leads_there(question.changes))
    return ended(Decisive::Outcome::NotThese);
  auto found = base::minimal_set(question.changes, leads_there);
  // More changes may undo what fewer lead to: then the search may have gone astray, or have found
  // more than are needed.
  if (bounded || !leads_there(found)) return {Decisive::Outcome::Bounded};
  for (std::size_t i = 0; i < found.size() && found.size() > 1;) {
    std::vector<Difference> fewer = found;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (leads_there(fewer)) {
      found = std::move(fewer);
    } else {
      ++i;
    }
  }
  if (bounded) return {Decisive::Outcome::Bounded};
  return {Decisive::Outcome::Found, std::move(found)};
}

}  // namespace dra::report
