// src/engine/running/standstill.cpp: a pod that the kubelet neither starts nor reports a reason
// for. A source of after_scheduling.h, and the words for a pod that is not ready, which need not be
// a fault. See standstill.h.
//
// Upstream: k8s.io/kubernetes/pkg/kubelet. The kubelet writes a status as soon as it sees a pod. It
// prepares devices, mounts volumes and makes the sandbox before it pulls images; each of the three
// has a time limit of minutes, after which it makes a Warning and tries again. It sets the
// condition PodReadyToStartContainers when it has the sandbox (OnPodSandboxReady), before v1.36
// only after the images of the first containers were pulled.

#include "dra/engine/running/standstill.h"

#include <algorithm>
#include <array>

#include "dra/api/cluster_objects.h"
#include "dra/api/release.h"
#include "dra/base/log_line.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/running/kubelet_words.h"
#include "src/engine/running/after_scheduling.h"

namespace dra::engine {
namespace {

using diag::Code;

// No step of the kubelet before images takes as long without a Warning.
constexpr base::Duration kPatience = base::Duration::seconds(300);
// A container that has ended is restarted after 5 minutes at most.
constexpr base::Duration kRestarts = base::Duration::seconds(600);
constexpr int kReportsSandbox = 36;  // before images are pulled
constexpr std::string_view kSandbox = "PodReadyToStartContainers";
// Of a kubelet that has the sandbox.
constexpr std::array<std::string_view, 4> kBeyondSandbox = {"Pulling", "Pulled", "Created",
                                                            "Started"};

api::Time newer(const api::Time& a, const api::Time& b) { return !a || (b && *b > *a) ? b : a; }

// When the scheduler gave the pod its node. No value: nothing says that it did. The pod of a backup
// is younger than the condition that was restored with it.
api::Time bound_at(const api::Pod& pod) {
  const api::Condition* scheduled = api::condition_of(pod.status.conditions, "PodScheduled");
  return scheduled == nullptr || scheduled->status != "True"
             ? api::Time()
             : newer(scheduled->changed, pod.meta.created);
}

bool has_lasted(const AfterScene& scene, const api::Time& since, base::Duration patience) {
  const auto& then = scene.snapshot.not_before();
  return since && then && *then - *since > patience;
}

std::string age_of(const AfterScene& scene, const api::Time& since) {
  const auto& now = scene.snapshot.now();
  return base::human_age((now ? *now : *scene.snapshot.not_before()) - *since);
}

bool says_when_sandbox_is_made(const AfterScene& scene) {
  const auto* node = scene.snapshot.find<api::Node>(scene.pod->spec.node_name);
  if (node == nullptr) return false;
  const auto release = api::release_of(node->status.info.kubelet_version);
  return release && release->minor >= kReportsSandbox;
}

bool is_beyond_sandbox(const AfterScene& scene) {
  return std::ranges::any_of(
      events_of(scene.snapshot, "Pod", scene.pod->meta), [](const api::Event* event) {
        return std::ranges::find(kBeyondSandbox, event->reason) != kBeyondSandbox.end();
      });
}

// No container of the pod has left the state that it begins with.
bool has_begun_nothing(const api::Pod& pod) {
  const auto waits = [](const api::ContainerStatus& one) {
    return !one.state.running && !one.state.terminated && one.restarts == 0 && !one.last.terminated;
  };
  return std::ranges::all_of(pod.status.init_containers, waits) &&
         std::ranges::all_of(pod.status.containers, waits);
}

// The kubelet has refused to prepare the pod's claims long after it was bound, which the scheduler
// does only after it has reserved them.
bool still_refuses(const AfterScene& scene, const api::Time& bound) {
  const api::Event* said = newest_warning(scene.snapshot, "Pod", scene.pod->meta, kFailedPrepare);
  const api::Time last = said == nullptr ? api::Time() : said->last_seen();
  return bound && last && *last - *bound > kPatience;
}

AfterFinding& add_standstill(const AfterScene& scene, std::string_view what, std::string message) {
  AfterFinding& found = scene.add(Code::ContainerNotStarted, nullptr, std::move(message));
  found.fails = Fails::Start;
  found.what = what;
  found.repair.action = Action::LookAtKubelet;
  found.repair.command = Command::DescribeNode;
  found.repair.object = {"Node", {}, std::string(scene.pod->spec.node_name)};
  return found;
}

void not_seen(const AfterScene& scene, const api::Time& bound) {
  AfterFinding& found = add_standstill(
      scene, "not seen",
      base::format("the kubelet of node {} has reported nothing about it in the {} since it was "
                   "bound",
                   scene.pod->spec.node_name, age_of(scene, bound)));
  found.finding.evidence.push_back({"status", "no start time and no container"});
  add_node_fact(scene, found);
}

std::string said_by_kubelet(const api::Event& event) {
  const std::int64_t times = times_seen(event);
  const std::string_view words =
      event.reason == kFailedPrepare ? without_frame(event.message) : event.message;
  return base::format("{}: {}{}", event.reason, base::plain_log(words),
                      times > 1 ? base::format(" ({} times)", times) : "");
}

void not_begun(const AfterScene& scene, const api::Time& since) {
  const api::Event* warning = newest_warning(scene.snapshot, "Pod", scene.pod->meta);
  const bool is_newer = warning != nullptr && warning->last_seen() >= since;
  const bool saw = scene.snapshot.coverage().saw(api::Kind::Event);
  AfterFinding& found = add_standstill(
      scene, "not begun",
      base::format("the kubelet of node {} has started nothing of it in {}{}",
                   scene.pod->spec.node_name, age_of(scene, since),
                   is_newer ? base::format(", and last said: {}", said_by_kubelet(*warning))
                   : saw    ? ", and reports no reason"
                            : ""));
  const api::Condition* sandbox = api::condition_of(scene.pod->status.conditions, kSandbox);
  if (sandbox != nullptr && sandbox->status == "False")
    found.finding.evidence.push_back({"sandbox", "is not ready", sandbox->changed});
  if (!is_newer) return;
  found.finding.evidence.push_back({"kubelet", std::string(warning->reason), warning->last_seen()});
  const auto trouble = kubelet_word(warning->message).trouble;
  const bool seen = std::ranges::all_of(
      scene.subject.claims, [](const SubjectClaim& claim) { return claim.claim != nullptr; });
  if (warning->reason == kFailedPrepare && seen &&
      (trouble == KubeletTrouble::NotReserved || trouble == KubeletTrouble::NotCreated))
    found.finding.evidence.push_back({"claims", "each is there, and reserved for the pod"});
}

// When the last of its containers ended, if none runs or waits.
api::Time ended_at(const api::Pod& pod) {
  if (!have_ended(pod)) return {};
  for (const api::ContainerStatus& one : pod.status.init_containers)
    if (one.state.running) return {};
  api::Time last;
  for (const api::ContainerStatus& one : pod.status.containers) {
    if (!one.state.terminated->finished) return {};
    last = newer(last, one.state.terminated->finished);
  }
  return last;
}

// The phase of a pod whose containers have all ended is Running only until one of them is
// restarted: pkg/kubelet, getPhase.
void not_restarted(const AfterScene& scene) {
  const api::Time ended = ended_at(*scene.pod);
  if (!has_lasted(scene, ended, kRestarts)) return;
  AfterFinding& found = add_standstill(
      scene, "not restarted",
      base::format("its containers ended {} ago, and the kubelet of node {} neither restarts them "
                   "nor ends the pod",
                   age_of(scene, ended), scene.pod->spec.node_name));
  found.fails = Fails::Run;
  const api::ContainerTerminated& last = *scene.pod->status.containers.front().state.terminated;
  found.finding.evidence.push_back(
      {"container",
       base::format("{} ended with exit code {}{}", scene.pod->status.containers.front().name,
                    last.exit_code, last.reason.empty() ? "" : base::format(" ({})", last.reason)),
       last.finished});
}

std::string for_long(const api::Time& since, base::Instant now) {
  return since && now > *since ? base::format(" for {}", base::human_age(now - *since))
                               : std::string();
}

bool is_sidecar(const api::Pod& pod, std::string_view name) {
  const auto found = std::ranges::find(pod.spec.init_containers, name, &api::Container::name);
  return found != pod.spec.init_containers.end() && found->sidecar();
}

std::string state_of_container(const api::Pod& pod, base::Instant now) {
  for (const api::ContainerStatus& one : pod.status.containers) {
    if (one.state.running && !one.ready)
      return base::format("Its container {} has been running{} and is not ready", one.name,
                          for_long(one.state.running->started, now));
    if (one.state.terminated && pod.status.phase == "Running")
      return base::format("Its container {} has ended with exit code {}", one.name,
                          one.state.terminated->exit_code);
  }
  return {};
}

// Something else than the kubelet has to set the condition of a readiness gate.
std::string open_gate(const api::Pod& pod) {
  const bool ready = !pod.status.containers.empty() &&
                     std::ranges::all_of(pod.status.containers, &api::ContainerStatus::ready);
  const api::Condition* condition = api::condition_of(pod.status.conditions, "Ready");
  if (!ready || condition == nullptr || condition->status == "True") return {};
  const std::string why = words_of(*condition);
  return base::format("Its containers are ready, and the pod is not{}",
                      why.empty() ? std::string() : base::format(" ({})", base::plain_log(why)));
}

}  // namespace

void look_at_standstill(const AfterScene& scene) {
  const api::Pod& pod = *scene.pod;
  if (scene.started()) return not_restarted(scene);
  if (pod.status.phase != "Pending") return;
  const api::Time bound = bound_at(pod);
  const bool seen =
      pod.status.started || !pod.status.containers.empty() || !pod.status.init_containers.empty();
  if (!seen) return has_lasted(scene, bound, kPatience) ? not_seen(scene, bound) : void();
  if (!has_begun_nothing(pod)) return;
  const api::Condition* sandbox = api::condition_of(pod.status.conditions, kSandbox);
  const api::Time began = newer(bound, pod.status.started);
  if (still_refuses(scene, bound)) return not_begun(scene, began);
  if (sandbox == nullptr || sandbox->status != "False") return;
  const api::Time since = newer(began, sandbox->changed);
  if (!has_lasted(scene, since, kPatience) || is_beyond_sandbox(scene)) return;
  if (!says_when_sandbox_is_made(scene) && !scene.snapshot.coverage().saw(api::Kind::Event)) return;
  not_begun(scene, since);
}

std::string what_it_waits_for(const api::Pod& pod, base::Instant now) {
  for (const api::ContainerStatus& one : pod.status.init_containers) {
    if (one.state.running && !is_sidecar(pod, one.name))
      return base::format("Its init container {} has been running{}", one.name,
                          for_long(one.state.running->started, now));
  }
  std::string words = state_of_container(pod, now);
  return words.empty() ? open_gate(pod) : words;
}

}  // namespace dra::engine
