// src/report/problems_pods.cpp: pods that wait for devices, by what they wait for, and pods whose
// devices could not be prepared.

#include <algorithm>
#include <functional>
#include <map>

#include "dra/base/text.h"
#include "dra/report/list_pods.h"
#include "src/report/problem_words.h"
#include "src/report/words.h"

namespace dra::report {
namespace {

using diag::Code;

// To explain a pod is to look at every node. Pods that cannot differ are explained once; of those
// that can, only so many.
constexpr std::size_t kMaxExplained = 32;
constexpr std::size_t kMaxWords = 140;  // of what a driver says

// Two pods with the same key have the same explanation, names of pods aside: they were made by the
// same controller, refer to the same templates and claims, and are blocked by the same things.
std::string likeness(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  const api::OwnerReference* owner = api::controller_of(pod.meta);
  std::string key =
      base::format("{}|{}|{}", pod.meta.namespace_, owner == nullptr ? pod.meta.uid : owner->uid,
                   pod.spec.scheduler_name);
  for (const api::PodClaim& reference : pod.spec.claims)
    key += base::format("|{} {} {}", reference.name, reference.claim_name, reference.template_name);
  const engine::Subject subject = engine::subject_of_pod(snapshot, pod);
  for (const diag::Reason& blocker : subject.blockers)
    key += base::format("|{} {}", diag::name_of(blocker.code), blocker.message);
  // An allocated claim ties its pod to certain nodes.
  for (const engine::SubjectClaim& claim : subject.claims) {
    if (claim.allocated()) key += "|" + claim.label();
  }
  return key;
}

// Why pods wait; those with the same cause are one problem.
struct Cause {
  Verdict verdict;
  Code code;
  std::string text;
  std::size_t nodes;

  friend bool operator==(const Cause&, const Cause&) = default;
};

// What depends on the same that is not computed is one cause, however many nodes are ruled out
// besides.
Cause cause_of(const Explanation& explanation) {
  const Code code = explanation.code.value_or(Code::NotSimulated);
  const bool computed = code != Code::NotSimulated;
  return {explanation.verdict, code, computed ? explanation.cause : explanation.depends_on,
          computed ? explanation.nodes.size() : 0};
}

struct Waiting {
  Cause cause;
  std::string text;  // that of the cause, or what the pods' explanations have in common
  std::vector<SubjectName> pods;
};

Waiting& waiting_for(std::vector<Waiting>& waiting, const Explanation& explanation) {
  const Cause cause = cause_of(explanation);
  const auto known = std::ranges::find(waiting, cause, &Waiting::cause);
  if (known == waiting.end()) {
    waiting.push_back({cause, explanation.cause, {}});
    return waiting.back();
  }
  if (known->text != explanation.cause)
    known->text = base::format("it depends on {}", explanation.depends_on);
  return *known;
}

Severity severity_of(const Cause& cause) {
  if (cause.verdict == Verdict::Undetermined) return Severity::Warning;
  const bool passes = cause.verdict == Verdict::Fits || cause.code == Code::SchedulingGated ||
                      cause.code == Code::ClaimBeingAllocated;
  return passes ? Severity::Hint : Severity::Error;
}

std::string sentence_of(const Waiting& waiting, Detail detail) {
  const Cause& cause = waiting.cause;
  const bool one = waiting.pods.size() == 1;
  const std::string who = name_subjects(waiting.pods, {"Pod", "pods"}, detail);
  switch (cause.verdict) {
    case Verdict::Blocked:
      return sentence(base::format("{} {} blocked: {}", who, one ? "is" : "are", waiting.text));
    case Verdict::DoesNotFit:
      return sentence(base::format("{} {} not fit on {}: {}", who, one ? "does" : "do",
                                   cause.nodes == 1 ? std::string("the only node")
                                                    : base::format("any of {} nodes", cause.nodes),
                                   waiting.text));
    case Verdict::Fits:
      return base::format("{} {}, though the devices can be had: the scheduler has not acted yet.",
                          who, one ? "waits" : "wait");
    case Verdict::Undetermined:
    case Verdict::Scheduled:
      break;
  }
  return sentence(
      base::format("{} {}: undetermined, {}", who, one ? "waits" : "wait", waiting.text));
}

Problem left_out(std::vector<SubjectName> pods, Detail detail) {
  Problem problem{.code = Code::Budget, .severity = Severity::Warning};
  problem.message =
      base::format("{} {}, and {} not looked at: too many different ones wait.",
                   name_subjects(pods, {"Pod", "further pods"}, detail),
                   pods.size() == 1 ? "waits" : "wait", pods.size() == 1 ? "was" : "were");
  problem.command = command_for("explain", "pod", pods.front());
  problem.subjects = std::move(pods);
  return problem;
}

void add_waiting(const Scene& scene, Detail detail, std::vector<Problem>& problems) {
  std::map<std::string, std::vector<const api::Pod*>> alike;
  std::vector<std::string> order;  // of the oldest pod of each kind
  for (const api::Pod* pod : waiting_pods(scene.snapshot)) {
    const std::string key = likeness(scene.snapshot, *pod);
    std::vector<const api::Pod*>& pods = alike[key];
    if (pods.empty()) order.push_back(key);
    pods.push_back(pod);
  }
  const engine::NodeLoads loads(scene.snapshot);
  std::vector<Waiting> waiting;
  std::vector<SubjectName> rest;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::vector<const api::Pod*>& pods = alike[order[i]];
    const auto explained = [&] {
      return explain_pod(scene.snapshot, scene.inventory, loads, *pods.front());
    };
    std::vector<SubjectName>& names =
        i < kMaxExplained ? waiting_for(waiting, explained()).pods : rest;
    for (const api::Pod* pod : pods)
      names.push_back(subject_of("Pod", pod->meta));
  }
  std::ranges::stable_sort(waiting, std::ranges::greater(),
                           [](const Waiting& one) { return one.pods.size(); });
  for (Waiting& one : waiting) {
    Problem problem{.code = one.cause.code, .severity = severity_of(one.cause)};
    problem.message = sentence_of(one, detail);
    problem.command = command_for("explain", "pod", one.pods.front());
    problem.subjects = std::move(one.pods);
    problems.push_back(std::move(problem));
  }
  if (!rest.empty()) problems.push_back(left_out(std::move(rest), detail));
}

// "Failed to prepare dynamic resources: prepare dynamic resources: WHY"
std::string words_of_driver(std::string_view message) {
  constexpr std::string_view frame = "repare dynamic resources: ";
  const std::size_t end = message.rfind(frame);
  if (end != std::string_view::npos) message.remove_prefix(end + frame.size());
  return std::string(base::trim(message));
}

// Whoever passes an error on writes what was tried before it: the cause stands last, and is kept.
// "tried for claim x: tried y: too few" -> "too few"
std::string end_of(std::string_view words) {
  while (words.size() > kMaxWords) {
    const std::size_t colon = words.find(": ");
    if (colon == std::string_view::npos) break;
    words.remove_prefix(colon + 2);
  }
  if (words.size() <= kMaxWords) return std::string(words);
  const std::size_t space = words.find(' ', words.size() - kMaxWords);
  if (space == std::string_view::npos) return base::shorten_middle(words, kMaxWords);
  return base::format("…{}", words.substr(space));
}

// The kubelet goes on trying: what it said last may have passed, which a pod that is still Pending
// makes unlikely.
void add_not_prepared(const Scene& scene, Detail detail, std::vector<Problem>& problems) {
  std::map<const api::Pod*, const api::Event*> newest;
  for (const api::Event& event : scene.snapshot.all<api::Event>()) {
    if (event.reason != "FailedPrepareDynamicResources" || event.about.kind != "Pod") continue;
    const auto* pod = scene.snapshot.find<api::Pod>(event.about.namespace_, event.about.name);
    if (pod == nullptr || pod->status.phase != "Pending" || pod->meta.deleted) continue;
    if (!event.about.uid.empty() && event.about.uid != pod->meta.uid) continue;
    const api::Event*& last = newest[pod];
    if (last == nullptr || event.last_seen() > last->last_seen()) last = &event;
  }
  std::map<std::pair<std::string_view, std::string_view>, const api::Pod*> by_name;
  for (const auto& [pod, event] : newest)
    by_name[{pod->meta.namespace_, pod->meta.name}] = pod;
  for (const auto& [name, pod] : by_name) {
    Problem problem =
        problem_of(subject_of("Pod", pod->meta), "pod", Code::PrepareFailed, Severity::Error);
    const std::string said = words_of_driver(newest[pod]->message);
    const std::string why = detail == Detail::Everything ? said : end_of(said);
    problem.message = sentence(base::format(
        "{} does not start on node {}: {}",
        name_subjects(problem.subjects, {"Pod", "pods"}, detail), pod->spec.node_name, why));
    problems.push_back(std::move(problem));
  }
}

}  // namespace

std::vector<Problem> pod_problems(const Scene& scene, Detail detail) {
  std::vector<Problem> problems;
  add_not_prepared(scene, detail, problems);
  add_waiting(scene, detail, problems);
  return problems;
}

}  // namespace dra::report
