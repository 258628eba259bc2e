// src/answers/problems/problems_pods.cpp: reports pods that wait for devices, by cause, and pods
// whose devices could not be prepared.

#include <algorithm>

#include "dra/answers/explain/pods_by_cause.h"
#include "dra/answers/explain/refusal.h"
#include "dra/api/subject.h"
#include "dra/base/prose.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/diag/subject.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/running/after_scheduling.h"
#include "dra/engine/running/kubelet_words.h"
#include "src/answers/problems/all_mode_blockers.h"
#include "src/answers/problems/families.h"

namespace dra::answers {
namespace {

using diag::Code;

// An explanation computes every node. Pods that cannot differ are explained once, and the number of
// kinds is limited.
constexpr std::size_t kMaxExplained = 32;
constexpr std::size_t kMaxWords = 140;  // cells of a driver's message

Severity severity_of(const PodsOfCause& alike) {
  const Cause& cause = alike.cause;
  if (cause.verdict == Verdict::Undetermined) return Severity::Warning;
  if (const auto refusal = refusal_of(alike.explanation))
    return refusal->is_fault ? Severity::Error : Severity::Warning;
  const bool foreseen = cause.verdict == Verdict::Fits && cause.code != Code::BindingPending;
  if (foreseen && !alike.can_be_had()) return Severity::Warning;
  const bool passes =
      cause.verdict == Verdict::Fits || diag::info_of(cause.code).severity == Severity::Hint;
  return passes ? Severity::Hint : Severity::Error;
}

std::vector<SubjectName> names_of(const std::vector<const api::Pod*>& pods) {
  std::vector<SubjectName> names;
  names.reserve(pods.size());
  for (const api::Pod* pod : pods)
    names.push_back(subject_of("Pod", pod->meta));
  return names;
}

Problem left_out(std::vector<SubjectName> pods, diag::Detail detail) {
  Problem problem{.finding = {.code = Code::Budget}};
  problem.finding.message =
      base::format("{} {}, and {} not looked at: too many different ones wait.",
                   name_subjects(pods, {"Pod", "further pods"}, detail),
                   pods.size() == 1 ? "waits" : "wait", pods.size() == 1 ? "was" : "were");
  problem.remedy.command = command_for("explain", "pod", pods.front());
  problem.finding.subjects = std::move(pods);
  return problem;
}

void add_waiting(const ClusterInput& cluster, diag::Detail detail, std::vector<Problem>& problems) {
  const engine::NodeLoads loads(cluster.snapshot);
  const auto pods = engine::waiting_pods(cluster.snapshot);
  PodsByCause alike =
      pods_by_cause(cluster.snapshot, cluster.inventory, loads, pods, kMaxExplained);
  for (const PodsOfCause& one : alike.causes) {
    Problem problem{.finding = {.code = one.cause.code, .severity = severity_of(one)}};
    problem.finding.subjects = names_of(one.pods);
    problem.finding.message =
        base::format("{} {}", name_subjects(problem.finding.subjects, {"Pod", "pods"}, detail),
                     predicate_of(one, one.pods.size() == 1));
    problem.remedy.command = command_for("explain", "pod", problem.finding.subjects.front());
    if (one.cause.code == Code::AllUnusable)
      problem.remedy.text = how_to_free_all(cluster, one.explanation);
    problems.push_back(std::move(problem));
  }
  if (!alike.not_looked_at.empty())
    problems.push_back(left_out(names_of(alike.not_looked_at), detail));
}

// Each caller prefixes an error with its own context, so the cause is at the end and is kept.
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

Code code_of(engine::KubeletTrouble trouble) {
  switch (trouble) {
    case engine::KubeletTrouble::NotRegistered:
      return Code::DriverNotRegistered;
    case engine::KubeletTrouble::NotReserved:
      return Code::NotReserved;
    default:
      return Code::PrepareFailed;
  }
}

// The first finding of `explain` about the pod, which may be the cause of the kubelet's message.
std::optional<diag::Finding> found_of(const ClusterInput& cluster, const api::Pod& pod) {
  const engine::Subject subject = engine::subject_of_pod(cluster.snapshot, pod);
  const auto found = engine::after_scheduling(cluster.snapshot, cluster.inventory, subject, {});
  if (found.empty()) return std::nullopt;
  return found.front().finding;
}

// The kubelet tries again, so its last message may be out of date unless the pod is still Pending.
bool may_still_start(const api::Pod& pod) {
  return pod.status.phase == "Pending" && !pod.meta.deleted && !pod.spec.node_name.empty();
}

// The kubelet's message, or the finding that explains it.
diag::Finding not_prepared(std::optional<diag::Finding> found, const api::Event& said) {
  const auto trouble = engine::kubelet_word(said.message).trouble;
  if (found && found->code != code_of(trouble)) return *std::move(found);
  return {.code = code_of(trouble), .message = std::string(engine::without_frame(said.message))};
}

// Whether its containers have run, and none does now.
bool has_run(const api::Pod& pod) {
  const auto& statuses = pod.status.containers;
  return pod.status.phase == "Running" && !statuses.empty() &&
         std::ranges::none_of(statuses, [](const api::ContainerStatus& one) {
           return one.state.running.has_value();
         });
}

// It has a node, and is not ready, or is being deleted.
bool is_unwell(const api::Pod& pod) {
  if (pod.spec.node_name.empty() || pod.finished()) return false;
  return may_still_start(pod) || pod.meta.deleted || !api::is_true(pod.status.conditions, "Ready");
}

// Whether a problem is made of the finding without a message of the kubelet: its code is of
// containers or of the deletion, or the driver always refuses the claim, or refuses it once more.
bool stands_alone(const diag::Finding& found, const api::Pod& pod) {
  switch (found.code) {
    case Code::ContainerCrashes:
    case Code::ContainerNotStarted:
    case Code::PodNotGone:
      return true;
    case Code::PartialHost:
      return may_still_start(pod);
    case Code::PrepareFailed:
      return has_run(pod);
    default:
      return false;
  }
}

// Why a pod with devices does not start or run on its node, or does not go away.
std::optional<diag::Finding> trouble_of(const ClusterInput& cluster, const api::Pod& pod) {
  if (!is_unwell(pod)) return std::nullopt;
  const api::Event* said =
      may_still_start(pod)
          ? engine::newest_warning(cluster.snapshot, "Pod", pod.meta, engine::kFailedPrepare)
          : nullptr;
  const bool asks = !pod.spec.claims.empty() || pod.status.extended_resource_claim;
  if (said == nullptr && !asks) return std::nullopt;
  auto found = found_of(cluster, pod);
  if (said != nullptr) return not_prepared(std::move(found), *said);
  return found && stands_alone(*found, pod) ? found : std::nullopt;
}

// "does not start", of the pod on its node.
std::string_view verb_of(Code code) {
  if (code == Code::PodNotGone) return "does not go away from";
  return code == Code::ContainerCrashes ? "does not run on" : "does not start on";
}

void add_not_prepared(const ClusterInput& cluster, diag::Detail detail,
                      std::vector<Problem>& problems) {
  for (const api::Pod& pod : cluster.snapshot.all<api::Pod>()) {
    const auto cause = trouble_of(cluster, pod);
    if (!cause) continue;
    Problem problem = problem_of(subject_of("Pod", pod.meta), "pod", cause->code);
    problem.finding.severity = Severity::Error;
    problem.remedy.command = command_for("explain", "pod", problem.finding.subjects.front());
    const std::string why =
        detail == diag::Detail::Everything ? cause->message : end_of(cause->message);
    problem.finding.message = base::sentence(base::format(
        "{} {} node {}: {}", name_subjects(problem.finding.subjects, {"Pod", "pods"}, detail),
        verb_of(cause->code), pod.spec.node_name, why));
    problems.push_back(std::move(problem));
  }
}

}  // namespace

std::vector<Problem> pod_problems(const ClusterInput& cluster, diag::Detail detail) {
  std::vector<Problem> problems;
  add_not_prepared(cluster, detail, problems);
  add_waiting(cluster, detail, problems);
  return problems;
}

}  // namespace dra::answers
