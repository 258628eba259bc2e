// src/answers/explain/refusal.cpp: compares the verdict with the scheduler's message and the number
// of its attempts.

#include "dra/answers/explain/refusal.h"

#include <algorithm>
#include <array>

#include "dra/answers/explain/blocker_remedy.h"
#include "dra/base/text.h"
#include "dra/base/time.h"
#include "dra/diag/command_line.h"
#include "dra/engine/facts/features.h"
#include "dra/snapshot/template_pods.h"

namespace dra::answers {
namespace {

// A pod that has just become able to fit has few failed attempts, or is tried again within seconds.
constexpr std::int64_t kManyAttempts = 5;
// A scheduler tries a pod again within five minutes, whatever has changed. Upstream:
// k8s.io/kubernetes/pkg/scheduler/backend/queue, DefaultPodMaxInUnschedulablePodsDuration.
constexpr base::Duration kTriedAgain = base::Duration::seconds(300);
// A scheduler looks at a new pod within seconds; only a very long queue takes minutes.
constexpr base::Duration kLongSilence = base::Duration::seconds(600);
constexpr std::string_view kAsFarAsDra = " as far as DRA goes";
constexpr std::string_view kDefaultScheduler = "default-scheduler";
constexpr std::string_view kSchedulerLease =
    "kubectl get lease kube-scheduler -n kube-system -o yaml";
constexpr std::string_view kSchedulerPods =
    "kubectl get pods -n kube-system -l component=kube-scheduler";

std::string_view scheduler_of(const api::Pod& pod) {
  return pod.spec.scheduler_name.empty() ? kDefaultScheduler : pod.spec.scheduler_name;
}

std::string_view without_stop(std::string_view message) {
  message = base::trim(message);
  while (message.ends_with('.'))
    message.remove_suffix(1);
  return message;
}

bool word_is(const Explanation& explanation, std::string_view part) {
  return explanation.scheduler->message.find(part) != std::string::npos;
}

constexpr std::string_view kCounted = " nodes are available: ";

// What the message counts of nodes, apart from claims and devices: "1 node(s) had volume node
// affinity conflict". Empty: nothing else.
std::string other_filters(std::string_view message) {
  const std::size_t at = message.find(kCounted);
  if (at == std::string_view::npos) return {};
  message.remove_prefix(at + kCounted.size());
  message = message.substr(0, message.find(". "));
  std::vector<std::string> parts;
  for (std::string_view part : base::split(message, ',')) {
    part = base::trim(part);
    while (part.ends_with('.'))
      part.remove_suffix(1);
    const bool of_claims = part.find("claim") != std::string_view::npos;
    if (!part.empty() && !of_claims) parts.emplace_back(part);
  }
  return base::join(parts, ", ");
}

// The same as a sentence. Empty: nothing else.
std::string other_reasons(std::string_view message) {
  if (!message.empty() && message.find(kCounted) == std::string_view::npos)
    return "a rule beyond this pod's own devices: its words above say which";
  const std::string filters = other_filters(message);
  return filters.empty()
             ? std::string()
             : base::format(
                   "other filters of the scheduler reject the nodes that have the devices: {}",
                   filters);
}

std::vector<RefusalCause> bugs_of(const Explanation& explanation) {
  std::vector<RefusalCause> causes;
  for (const std::string& bug : explanation.scheduler_bugs)
    causes.push_back({bug});
  return causes;
}

std::vector<RefusalCause> likely_causes(const Explanation& explanation, bool is_fault) {
  const std::string_view scheduler = scheduler_of(*explanation.subject.pod);
  const std::string release = base::format("v1.{}", engine::minor_release(explanation.server));
  const bool forbidden = explanation.scheduler->message.find("forbidden") != std::string::npos;
  std::vector<RefusalCause> causes = bugs_of(explanation);
  if (forbidden)
    causes.push_back({base::format(
        "{} is missing a permission that its message names: extend its ClusterRole.", scheduler)});
  if (is_fault && !forbidden && causes.empty() && !word_is(explanation, "timed out trying"))
    causes.push_back({base::format(
        "a bug of {}: its log has the fault in full, and a release after {} may have the fix.",
        scheduler, release)});
  if (scheduler != kDefaultScheduler && !forbidden)
    causes.push_back({base::format(
        "{} has rules of its own, or does not know DRA: the answer here is the one of {}.",
        scheduler, kDefaultScheduler)});
  if (word_is(explanation, "timed out trying to allocate"))
    causes.push_back(
        {"its search for devices takes longer than the filter timeout of a node (10s unless it is "
         "configured): it then gives up on the pod. Raise filterTimeout of the plugin "
         "DynamicResources, keep the pod away from that node, or ask for fewer devices that have "
         "to "
         "match."});
  const std::string others = other_reasons(explanation.scheduler->message);
  if (!is_fault && !others.empty()) {
    causes.push_back({base::format("{}.", others)});
  } else if (!is_fault) {
    causes.push_back(
        {"devices became free only after the last attempt: then the pod is placed soon."});
    causes.push_back({base::format(
        "a plugin or an extender of {} that is not simulated here: see its configuration and log.",
        scheduler)});
  }
  return causes;
}

// For how long, at least, the scheduler has said no. No value: it is not known.
std::optional<base::Duration> refused_for(const Explanation& explanation) {
  const SchedulerWord& word = *explanation.scheduler;
  const auto& state = explanation.not_before;
  if (!word.since || !state || *state < *word.since) return std::nullopt;
  return *state - *word.since;
}

// It has said no many times, or for so long that it has tried again since.
bool refuses_for_long(const Explanation& explanation) {
  const auto time = refused_for(explanation);
  return explanation.scheduler->attempts >= kManyAttempts || (time && *time > kTriedAgain);
}

// It says no for something that is not simulated and that devices which become free do not change:
// how long ago does not matter. Of what other filters are simulated it may be out of date.
bool names_other_filter(const Explanation& explanation) {
  constexpr std::array simulated = {"Insufficient ",
                                    "Too many pods",
                                    "untolerated taint",
                                    "were unschedulable",
                                    "didn't match Pod's node affinity",
                                    "requested node name",
                                    "free ports"};
  const std::string others = other_filters(explanation.scheduler->message);
  if (others.empty()) return false;
  return std::ranges::none_of(simulated, [&others](std::string_view part) {
    return others.find(part) != std::string::npos;
  });
}

// " in 12 attempts within 30m", " for 30m"
std::string how_long(const Explanation& explanation) {
  const std::int64_t attempts = explanation.scheduler->attempts;
  const auto time = refused_for(explanation);
  const bool long_ago = time && *time >= base::Duration::seconds(60);
  std::string words = attempts > 1 ? base::format(" in {} attempts", attempts) : std::string();
  if (long_ago)
    words += base::format(" {} {}", attempts > 1 ? "within" : "for", base::human_age(*time));
  return words;
}

// It fits, or only what is not simulated can keep it from a node.
bool can_be_served(const Explanation& explanation) {
  if (explanation.cause_is_after) return false;
  if (explanation.verdict == Verdict::Fits) return true;
  return explanation.verdict == Verdict::Undetermined &&
         std::ranges::any_of(explanation.nodes, &engine::NodeResult::is_feasible);
}

// The headline with what the scheduler does in spite of it. `far`: what the verdict covers.
std::string summary_of(const Explanation& explanation, std::string_view far,
                       const std::string& but) {
  Headline headline = explanation.headline;
  const std::string fits = explanation.verdict == Verdict::Fits
                               ? headline.predicate.substr(0, headline.predicate.rfind('.'))
                               : std::string("fits");
  headline.predicate = base::format("{}{}, but {}.", fits, far, but);
  headline.answer = "it " + headline.predicate;
  return headline.text();
}

std::string_view far_of(const Explanation& explanation) {
  return explanation.verdict == Verdict::Fits ? "" : kAsFarAsDra;
}

// What may keep a scheduler from looking at a pod.
std::vector<RefusalCause> causes_of_silence(const Explanation& explanation, const api::Pod& pod) {
  const api::Pod* running = explanation.its_scheduler.ready;
  const bool of_other = scheduler_of(pod) != kDefaultScheduler;
  if (of_other && running != nullptr)
    return {{base::format("scheduler {} runs, and does not say why: see its log. For DRA its "
                          "ClusterRole has to allow resource.k8s.io.",
                          scheduler_of(pod)),
             {diag::kubectl("logs").name(running->meta.name).in(running->meta.namespace_).text()}}};
  if (of_other)
    return {
        {base::format("there is no scheduler {} in this cluster, or it does not run: see "
                      "spec.schedulerName of the pod.",
                      scheduler_of(pod))}};
  std::vector<RefusalCause> causes = bugs_of(explanation);
  causes.insert(causes.begin(),
                {"kube-scheduler does not run, or cannot reach the API server: see when it last "
                 "renewed its lease, and its pods where they are visible.",
                 {std::string(kSchedulerLease), std::string(kSchedulerPods)}});
  return causes;
}

// For how long no component has said anything about the pod. No value: not long, or not known.
std::optional<base::Duration> silence_about(const Explanation& explanation, const api::Pod& pod) {
  const bool waits = pod.status.phase.empty() || pod.status.phase == "Pending";
  if (!waits || !pod.status.conditions.empty() || !pod.meta.created || !explanation.time)
    return std::nullopt;
  const base::Duration silence = *explanation.time - *pod.meta.created;
  return silence >= kLongSilence ? std::optional(silence) : std::nullopt;
}

// Its scheduler does not run, as its own pods show.
std::optional<Refusal> scheduler_down(const Explanation& explanation, const api::Pod& pod) {
  const engine::Component& component = explanation.its_scheduler;
  if (component.down == nullptr) return std::nullopt;
  const std::string_view name = engine::component_of(pod.spec.scheduler_name);
  const std::string what = base::format("{} does not run: {}", name, component.trouble);
  return Refusal{
      .code = diag::Code::SchedulerDown,
      .summary = summary_of(explanation, far_of(explanation), what),
      .cause = what,
      .is_fault = true,
      .causes = {
          {base::format("{} places no pod until it runs: its log shows why it does not{}.", name,
                        name == engine::component_of({})
                            ? ""
                            : "; for DRA its ClusterRole has to allow resource.k8s.io"),
           {command_for_log(*component.down)}}}};
}

std::optional<Refusal> silent(const Explanation& explanation, const api::Pod& pod) {
  const auto silence = silence_about(explanation, pod);
  if (!silence) return std::nullopt;
  const std::string_view scheduler = scheduler_of(pod);
  return Refusal{
      .code = diag::Code::SchedulerSilent,
      .summary =
          summary_of(explanation, far_of(explanation),
                     base::format("{} has reported nothing about it since it was created {} ago",
                                  scheduler, base::human_age(*silence))),
      .cause = base::format("{} has reported nothing about it for a long time", scheduler),
      .is_fault = false,
      .causes = causes_of_silence(explanation, pod)};
}

}  // namespace

std::optional<Refusal> refusal_of(const Explanation& explanation) {
  const api::Pod* pod = explanation.subject.pod;
  if (pod == nullptr || snapshot::is_planned(*pod) || !explanation.what_if.empty() ||
      !can_be_served(explanation))
    return std::nullopt;
  if (auto down = scheduler_down(explanation, *pod)) return down;
  if (!explanation.scheduler) return silent(explanation, *pod);
  const SchedulerWord& word = *explanation.scheduler;
  const bool is_fault = word.reason == "SchedulerError";
  if (!is_fault && !refuses_for_long(explanation) && !names_other_filter(explanation))
    return std::nullopt;
  const std::string times = how_long(explanation);
  const std::string what =
      base::format("{} {}{}", scheduler_of(*pod),
                   is_fault ? "has failed to place it" : "has not placed it", times);
  // The scheduler decides against the pod: no more is known than that its devices fit.
  const bool counts = !is_fault && scheduler_of(*pod) == kDefaultScheduler;
  const std::string filters = counts ? other_filters(word.message) : std::string();
  return Refusal{
      .code = diag::Code::SchedulerRefuses,
      .summary = summary_of(explanation, is_fault ? far_of(explanation) : kAsFarAsDra,
                            filters.empty() ? what : base::format("{}: {}", what, filters)),
      .cause = base::format("{}: {}", what, word.message),
      .is_fault = is_fault,
      .causes = likely_causes(explanation, is_fault)};
}

std::string waits_for_scheduler(const Explanation& explanation) {
  const bool said = explanation.scheduler && explanation.what_if.empty() &&
                    !explanation.scheduler->message.empty();
  return said ? base::format("the scheduler has not placed it: {}",
                             without_stop(explanation.scheduler->message))
              : std::string("the scheduler has not acted yet");
}

}  // namespace dra::answers
