// src/answers/problems/problems_pods.cpp: reports pods that wait for devices, by cause, and pods
// whose devices could not be prepared.

#include <algorithm>
#include <set>

#include "dra/answers/explain/after_remedy.h"
#include "dra/answers/explain/blocker_remedy.h"
#include "dra/answers/explain/capacity_words.h"
#include "dra/answers/explain/pods_by_cause.h"
#include "dra/answers/explain/refusal.h"
#include "dra/answers/explain/unreleased_holders.h"
#include "dra/api/subject.h"
#include "dra/base/prose.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/diag/subject.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/running/after_scheduling.h"
#include "dra/engine/running/eviction.h"
#include "dra/engine/running/kubelet_words.h"
#include "dra/engine/scheduler/pod_claims.h"
#include "src/answers/problems/all_mode_blockers.h"
#include "src/answers/problems/families.h"
#include "src/answers/problems/one_problem.h"

namespace dra::answers {
namespace {

using diag::Code;

// An explanation computes every node. Pods that cannot differ are explained once, and the number of
// kinds is limited.
constexpr std::size_t kMaxExplained = 32;
constexpr std::size_t kMaxTried = 8;            // kinds of pods for which advice is tried
constexpr std::size_t kMaxWords = 200;          // cells of a driver's message
constexpr std::string_view kQuoted = "quoted";  // what a finding is that only quotes the kubelet

// Claims of new pods are made within seconds.
bool is_new(const ClusterInput& cluster, const PodsOfCause& alike) {
  constexpr base::Duration soon = base::Duration::seconds(30);
  return std::ranges::all_of(alike.pods, [&](const api::Pod* pod) {
    return pod->meta.created && cluster.now - *pod->meta.created < soon;
  });
}

// Nothing is to be done as long as a node is being added, and it may not come.
bool node_is_coming(const Explanation& explanation) {
  return std::ranges::any_of(explanation.capacity_words,
                             [](const CapacityWord& word) { return word.node == NewNode::Coming; });
}

Severity severity_of(const ClusterInput& cluster, const PodsOfCause& alike) {
  const Cause& cause = alike.cause;
  if (cause.code == Code::ClaimNotCreated && is_new(cluster, alike)) return Severity::Hint;
  const auto refusal = refusal_of(alike.explanation);
  if (refusal && refusal->code == Code::SchedulerDown) return Severity::Error;
  if (cause.verdict == Verdict::Undetermined) return Severity::Warning;
  if (refusal) return refusal->is_fault ? Severity::Error : Severity::Warning;
  if (cause.code == Code::BindingLate) return Severity::Error;
  if (node_is_coming(alike.explanation)) return Severity::Warning;
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

// What those say who add nodes, after the first step: a node that is added is another way out.
std::string with_capacity(std::string step, std::string_view remedy_of_code,
                          const Explanation& explanation) {
  for (const CapacityWord& word : explanation.capacity_words) {
    if (word.node == NewNode::Unknown) continue;
    if (step.empty()) step = remedy_of_code;
    step += base::format("{}{}: {}", step.empty() ? "" : " ", word.who, word.remedy.text);
  }
  return step;
}

// What explain says to do first.
diag::Remedy step_of(const Explanation& explanation) {
  if (!explanation.remedy.text.empty()) return explanation.remedy;
  if (const auto refusal = refusal_of(explanation); refusal && !refusal->causes.empty()) {
    const RefusalCause& first = refusal->causes.front();
    return {refusal->code == Code::SchedulerDown ? base::sentence(first.text)
                                                 : base::format("Likely: {}", first.text),
            first.commands.empty() ? std::string() : first.commands.front()};
  }
  return remedy_of_blocked(explanation);
}

// Tries for pods that fit nowhere what explain tries. True: there is advice. Where explain has a
// step for the very cause, that step is what to do.
bool find_advice(const ClusterInput& cluster, const engine::NodeLoads& loads, PodsOfCause& alike) {
  const bool fits_nowhere = alike.cause.verdict == Verdict::DoesNotFit;
  if (!fits_nowhere || !step_of(alike.explanation).text.empty()) return false;
  add_advice(cluster.snapshot, cluster.inventory, loads, alike.explanation);
  return alike.explanation.help && !alike.explanation.help->advice.advice.empty();
}

// Nodes that are not ready and are all that would serve the pods.
void note_nodes_down(const ClusterInput& cluster, const PodsOfCause& alike, diag::Detail detail,
                     Problem& problem) {
  const auto& after = alike.explanation.after;
  if (alike.cause.code == Code::HostLost && !after.empty())
    problem.clauses.push_back(node_is_down(after.front().node));
  if (alike.cause.code != Code::NodeNotReady) return;
  for (const engine::NodeResult& node : alike.explanation.nodes) {
    if (node.fits() && !node.passes_filters()) problem.nodes_down.push_back(node.name);
  }
  const bool one = alike.pods.size() == 1;
  problem.because_of_nodes =
      base::format("{} ({}) {} for {}: no other node serves {}.",
                   name_subjects(problem.finding.subjects, {"Pod", "Pods"}, detail),
                   phase_of(cluster.snapshot, *alike.pods.front()), one ? "waits" : "wait",
                   problem.nodes_down.size() == 1 ? "it" : "one of them", one ? "it" : "them");
}

// The kinds that the cause of a waiting pod is about, of those that are looked at.
std::vector<std::string_view> kinds_blamed(Code code) {
  switch (code) {
    case Code::BindingFailed:
    case Code::ClaimBeingAllocated:
    case Code::ClaimCreationFailed:
    case Code::ClaimDeleting:
    case Code::ClaimElsewhere:
    case Code::ClaimFull:
    case Code::ClaimNotOwned:
    case Code::ExtendedClaimEmpty:
    case Code::ExtendedClaimLeftOver:
    case Code::GangWaitsForClaim:
    case Code::NotReserved:
      return {"ResourceClaim"};
    case Code::BindingLate:
    case Code::DeviceGone:
    case Code::DeviceTainted:
    case Code::DeviceUnhealthy:
    case Code::DoubleAllocation:
    case Code::HardwareHeldTwice:
      return {"Device"};
    case Code::HostLost:
    case Code::PartialHost:
      return {"Node", "Pool", "Device"};
    case Code::AllPoolUnusable:
    case Code::PoolIncomplete:
    case Code::PoolInvalid:
    case Code::PoolNameShared:
      return {"Pool", "Device"};
    case Code::AdminAccessNotAllowed:
    case Code::ClassMissing:
      return {"DeviceClass"};
    case Code::NodeMissing:
    case Code::NodeNotReady:
    case Code::NodeTainted:
    case Code::NodeUnschedulable:
    case Code::NoSlices:
      return {"Node"};
    default:
      return {};
  }
}

// Of devices that are in use only because nothing has released them, the claims.
void note_unreleased(const ClusterInput& cluster, const PodsOfCause& alike, Problem& problem) {
  const UnreleasedHolders holders = unreleased_in(cluster.snapshot, alike.explanation.nodes);
  if (holders.claims.empty() ||
      alike.explanation.cause.find(words_of(cluster.snapshot, holders)) == std::string::npos)
    return;
  for (const api::ResourceClaim* claim : holders.claims)
    problem.clauses.push_back(claim->meta.deleted ? is_deleting(*claim)
                                                  : is_reserved_in_vain(*claim));
}

void add_waiting(const ClusterInput& cluster, diag::Detail detail, std::vector<Problem>& problems) {
  const engine::NodeLoads loads(cluster.snapshot);
  const auto pods = engine::waiting_pods(cluster.snapshot);
  PodsByCause alike =
      pods_by_cause(cluster.snapshot, cluster.inventory, loads, pods, {kMaxExplained});
  std::size_t tried = 0;
  for (PodsOfCause& one : alike.causes) {
    Problem problem{.finding = {.code = one.cause.code, .severity = severity_of(cluster, one)}};
    problem.finding.subjects = names_of(one.pods);
    problem.finding.message =
        headline_of(one, name_subjects(problem.finding.subjects, {"Pod", "pods"}, detail));
    note_nodes_down(cluster, one, detail, problem);
    note_unreleased(cluster, one, problem);
    problem.blames = kinds_blamed(one.cause.code);
    problem.remedy.command = command_for("explain", "pod", problem.finding.subjects.front());
    diag::Remedy step = step_of(one.explanation);
    problem.remedy.text = std::move(step.text);
    problem.step_command = std::move(step.command);
    const bool advised = problem.remedy.text.empty() && detail == diag::Detail::Everything &&
                         tried < kMaxTried && find_advice(cluster, loads, one);
    if (advised) ++tried;
    if (one.cause.code == Code::AllUnusable)
      problem.remedy.text = advised ? count_instead_of_all(cluster, one.explanation)
                                    : how_to_free_all(cluster, one.explanation);
    problem.remedy.text = with_capacity(
        std::move(problem.remedy.text),
        advised ? std::string_view() : diag::info_of(one.cause.code).remedy, one.explanation);
    if (advised)
      problem.explained = std::make_shared<const Explanation>(std::move(one.explanation));
    problems.push_back(std::move(problem));
  }
  if (!alike.not_looked_at.empty())
    problems.push_back(left_out(names_of(alike.not_looked_at), detail));
}

Code code_of(engine::KubeletTrouble trouble) {
  return trouble == engine::KubeletTrouble::NotRegistered ? Code::DriverNotRegistered
                                                          : Code::PrepareFailed;
}

// The first finding of `explain` about the pod, which may be the cause of the kubelet's message.
std::optional<engine::AfterFinding> found_of(const ClusterInput& cluster, const api::Pod& pod) {
  const engine::Subject subject = engine::subject_of_pod(cluster.snapshot, pod);
  auto found = engine::after_scheduling(cluster.snapshot, cluster.inventory, subject, {});
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

// The kubelet tries again, so its last message may be out of date unless the pod is still Pending.
bool may_still_start(const api::Pod& pod) {
  return pod.status.phase == "Pending" && !pod.meta.deleted && !pod.spec.node_name.empty();
}

// The finding that explains the kubelet's message, or one that quotes it. No value: the message is
// that claims are not ready for the pod, and they are by now.
std::optional<engine::AfterFinding> not_prepared(std::optional<engine::AfterFinding> found,
                                                 const api::Event& said) {
  if (found) return found;
  const auto trouble = engine::kubelet_word(said.message).trouble;
  if (trouble == engine::KubeletTrouble::NotReserved ||
      trouble == engine::KubeletTrouble::NotCreated)
    return std::nullopt;
  return engine::AfterFinding{
      .finding = {.code = code_of(trouble),
                  .message = std::string(engine::without_frame(said.message))},
      .what = std::string(kQuoted)};
}

// Whether its containers have run, and none does now.
bool has_run(const api::Pod& pod) {
  const auto& statuses = pod.status.containers;
  return pod.status.phase == "Running" && !statuses.empty() &&
         std::ranges::none_of(statuses, [](const api::ContainerStatus& one) {
           return one.state.running.has_value();
         });
}

// Its liveness probe may be what restarts it, time and again, though it is ready in between.
bool was_restarted(const api::Pod& pod) {
  return std::ranges::any_of(pod.status.containers,
                             [](const api::ContainerStatus& one) { return one.restarts > 2; });
}

// It has a node, and is not ready, or is being deleted.
bool is_unwell(const api::Pod& pod) {
  if (pod.spec.node_name.empty()) return false;
  if (pod.meta.deleted) return true;
  if (pod.status.phase == "Succeeded") return false;
  return may_still_start(pod) || was_restarted(pod) ||
         !api::is_true(pod.status.conditions, "Ready");
}

// Whether a problem is made of the finding without a message of the kubelet: its code is of
// containers or of the deletion, or the driver always refuses the claim, or refuses it once more.
bool stands_alone(const diag::Finding& found, engine::Fails fails, const api::Pod& pod) {
  if (fails == engine::Fails::End) return true;
  switch (found.code) {
    case Code::ContainerCrashes:
    case Code::ContainerNotReady:
    case Code::ContainerNotStarted:
    case Code::NodeNotReady:
      return true;
    case Code::DeviceUnhealthy:  // a driver's conditions in claims and taints are problems of their
                                 // own
      return !found.evidence.empty() && found.evidence.front().about == "health";
    case Code::DriverNotRegistered:
      return has_run(pod);
    case Code::PartialHost:
      return may_still_start(pod);
    case Code::PodFailed:  // by the kubelet: what its program does is its own business
      return fails == engine::Fails::Start;
    case Code::PrepareFailed:
      return has_run(pod) ||
             (!found.evidence.empty() && found.evidence.front().about == "container");
    default:
      return false;
  }
}

// All may be well with the pod, but it should not be there any more.
std::optional<engine::AfterFinding> why_it_should_go(const ClusterInput& cluster,
                                                     const api::Pod& pod) {
  if (!engine::stays_on_tainted_device(cluster.snapshot, cluster.inventory, pod))
    return std::nullopt;
  const engine::Subject subject = engine::subject_of_pod(cluster.snapshot, pod);
  for (auto& found : engine::after_scheduling(cluster.snapshot, cluster.inventory, subject, {})) {
    if (found.repair.action == engine::Action::DeleteUnevictedPod) return std::move(found);
  }
  return std::nullopt;
}

// Why a pod with devices does not start or run on its node, or does not go away.
std::optional<engine::AfterFinding> why_unwell(const ClusterInput& cluster, const api::Pod& pod) {
  if (!is_unwell(pod)) return std::nullopt;
  const api::Event* said =
      may_still_start(pod)
          ? engine::newest_warning(cluster.snapshot, "Pod", pod.meta, engine::kFailedPrepare)
          : nullptr;
  const bool asks = !pod.spec.claims.empty() || pod.status.extended_resource_claim;
  if (said == nullptr && !asks) return std::nullopt;
  auto found = found_of(cluster, pod);
  if (said != nullptr) return not_prepared(std::move(found), *said);
  return found && stands_alone(found->finding, found->fails, pod) ? found : std::nullopt;
}

std::optional<engine::AfterFinding> trouble_of(const ClusterInput& cluster, const api::Pod& pod) {
  auto found = why_unwell(cluster, pod);
  return found ? found : why_it_should_go(cluster, pod);
}

struct Unwell {
  engine::AfterFinding found;
  std::vector<SubjectName> pods;
  const api::Pod* first;
  std::set<std::string_view> nodes;
};

// The clauses of the claims of the pods, whose devices are gone as long as their driver is.
void note_gone_devices(const snapshot::Snapshot& snapshot, const Unwell& unwell, Problem& problem) {
  for (const SubjectName& name : unwell.pods) {
    const auto* pod = snapshot.find<api::Pod>(name.namespace_, name.name);
    for (const engine::SubjectClaim& claim : engine::subject_of_pod(snapshot, *pod).claims) {
      if (claim.claim != nullptr) problem.clauses.push_back(holds_gone_devices(*claim.claim));
    }
  }
}

// What a driver that is gone leaves behind: the pod in deletion that waits for it says all that.
void note_driver_gone(const ClusterInput& cluster, const Unwell& unwell, Problem& problem) {
  const engine::Action action = unwell.found.repair.action;
  if (action != engine::Action::BringBackToRelease && action != engine::Action::MendPluginToRelease)
    return;
  note_gone_devices(cluster.snapshot, unwell, problem);
  for (std::string& clause : publishes_nothing(cluster, unwell.found.driver))
    problem.clauses.push_back(std::move(clause));
}

// The claims, devices and nodes that the finding is about.
void blame(const engine::AfterFinding& found, Problem& problem) {
  for (const SubjectName& subject : found.finding.subjects) {
    if (subject.kind == "ResourceClaim") problem.blames.emplace_back("ResourceClaim");
  }
  if (!found.examples.empty() || !found.repair.devices.empty())
    problem.blames.emplace_back("Device");
  if (found.repair.object.kind == "Node") problem.blames.emplace_back("Node");
}

Problem of_unwell(const snapshot::Snapshot& snapshot, const Unwell& unwell, diag::Detail detail) {
  const diag::Finding& finding = unwell.found.finding;
  Problem problem{.finding = {.code = finding.code, .severity = Severity::Error}};
  problem.finding.subjects = unwell.pods;
  const std::string why = detail == diag::Detail::Everything
                              ? finding.message
                              : base::shorten_message(finding.message, kMaxWords);
  problem.finding.message =
      base::format("{}: {} on {}. {}", name_subjects(unwell.pods, {"Pod", "pods"}, detail),
                   phase_of(snapshot, *unwell.first),
                   unwell.nodes.size() == 1 ? std::string(*unwell.nodes.begin())
                                            : base::format("{} nodes", unwell.nodes.size()),
                   capitalized(base::sentence(why)));
  problem.remedy.command = command_for("explain", "pod", unwell.pods.front());
  if (finding.code == Code::DriverNotRegistered) {
    problem.clauses.push_back(not_registered(unwell.found.driver, unwell.found.node));
    note_gone_devices(snapshot, unwell, problem);
  }
  if (unwell.found.what != kQuoted) {
    diag::Remedy step = remedy_of(unwell.found);
    problem.remedy.text = std::move(step.text);
    problem.step_command = std::move(step.command);
  }
  if (unwell.found.repair.action == engine::Action::ReleaseLostNode) {
    problem.nodes_down = {unwell.found.repair.object.name};
    problem.because_of_nodes =
        base::format("{} ({}) {}.", name_subjects(unwell.pods, {"Pod", "Pods"}, detail),
                     phase_of(snapshot, *unwell.first),
                     finding.code == Code::PodNotGone
                         ? "cannot be ended there"
                         : "may still run there, or not: its kubelet does not report");
  }
  blame(unwell.found, problem);
  return problem;
}

void add_not_prepared(const ClusterInput& cluster, diag::Detail detail,
                      std::vector<Problem>& problems) {
  std::vector<Unwell> all;
  for (const api::Pod& pod : cluster.snapshot.all<api::Pod>()) {
    auto found = trouble_of(cluster, pod);
    if (!found) continue;
    const auto same = std::ranges::find_if(
        all, [&found](const Unwell& other) { return is_one_problem(other.found, *found); });
    if (same != all.end()) {
      same->pods.push_back(subject_of("Pod", pod.meta));
      same->nodes.insert(pod.spec.node_name);
      add_pods_to_delete(*found, same->found);
    } else {
      all.push_back({*std::move(found), {subject_of("Pod", pod.meta)}, &pod, {pod.spec.node_name}});
    }
  }
  for (const Unwell& unwell : all) {
    problems.push_back(of_unwell(cluster.snapshot, unwell, detail));
    note_driver_gone(cluster, unwell, problems.back());
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
