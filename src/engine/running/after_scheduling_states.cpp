// src/engine/running/after_scheduling_states.cpp: findings from the states of a pod's containers,
// and from the kubelet's newest warning where they say nothing. Sources of after_scheduling.h.
//
// Upstream: k8s.io/kubernetes/pkg/kubelet/kuberuntime, SyncPod: devices are prepared first, then
// the sandbox is made, then images are pulled and containers created. The reasons of images:
// pkg/kubelet/images, types.go.

#include <algorithm>
#include <array>

#include "dra/base/log_line.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/cluster/offered_twice.h"
#include "dra/engine/cluster/pods.h"
#include "src/engine/running/after_scheduling.h"

namespace dra::engine {
namespace {

using diag::Code;

constexpr std::array<std::string_view, 7> kImageReasons = {
    "ErrImageNeverPull", "ErrImagePull",        "ImageInspectError",        "ImagePullBackOff",
    "InvalidImageName",  "RegistryUnavailable", "SignatureValidationFailed"};
// Of a container that waits for its turn.
constexpr std::array<std::string_view, 3> kNoReasons = {"", "ContainerCreating", "PodInitializing"};
constexpr std::int64_t kOften = 3;  // failures of a probe, which may fail now and then
// Warnings about what stands between the devices and the containers.
constexpr std::array<std::string_view, 3> kBetween = {"FailedCreatePodSandBox", "FailedMount",
                                                      "FailedAttachVolume"};

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

template <class F>
const api::ContainerStatus* find_container(const api::Pod& pod, F wanted) {
  for (const auto* statuses : {&pod.status.init_containers, &pod.status.containers}) {
    const auto found = std::ranges::find_if(*statuses, wanted);
    if (found != statuses->end()) return &*found;
  }
  return nullptr;
}

// "exit code 1 (Error)"
std::string ending_of(const api::ContainerTerminated& ended) {
  std::string text = base::format("exit code {}", ended.exit_code);
  if (!ended.reason.empty()) text += base::format(" ({})", ended.reason);
  return text;
}

// The first claim of the pod that no container lists; empty if each is listed.
std::string_view unlisted_claim(const api::Pod& pod) {
  const auto lists = [](const std::vector<api::Container>& containers, std::string_view claim) {
    return std::ranges::any_of(containers, [claim](const api::Container& container) {
      return std::ranges::find(container.resources.claims, claim, &api::ContainerClaim::name) !=
             container.resources.claims.end();
    });
  };
  for (const api::PodClaim& claim : pod.spec.claims) {
    if (!lists(pod.spec.containers, claim.name) && !lists(pod.spec.init_containers, claim.name))
      return claim.name;
  }
  return {};
}

// The driver reports that the devices of the pod's claim are in place, as network drivers do: no
// container has to list it.
bool is_attached(const AfterScene& scene, std::string_view pod_claim) {
  for (const SubjectClaim& claim : scene.subject.claims) {
    if (claim.pod_claim != pod_claim || claim.claim == nullptr) continue;
    return std::ranges::any_of(claim.claim->status.devices, [](const api::DeviceStatus& device) {
      return api::is_true(device.conditions, "Ready");
    });
  }
  return false;
}

AfterFinding& add(const AfterScene& scene, Code code, Fails fails, std::string message) {
  AfterFinding& found = scene.add(code, nullptr, std::move(message));
  found.fails = fails;
  found.what = without_names(scene, found.finding.message);
  found.repair.command = Command::DescribePod;
  found.repair.object = {"Pod", std::string(scene.pod->meta.namespace_),
                         std::string(scene.pod->meta.name)};
  return found;
}

// The memory limit of the container, as it is written; empty: it has none.
std::string memory_limit(const api::Pod& pod, std::string_view name) {
  for (const auto* containers : {&pod.spec.init_containers, &pod.spec.containers}) {
    for (const api::Container& container : *containers) {
      const auto* limit = container.name == name
                              ? api::find(container.resources.limits, std::string_view("memory"))
                              : nullptr;
      if (limit != nullptr) return base::format(" of {}", limit->text);
    }
  }
  return {};
}

// Whether the runtime failed before the program ran. Upstream: the reasons of containerd, CRI-O and
// pkg/kubelet/kuberuntime.
bool never_ran(const api::ContainerTerminated& ended) {
  return ended.reason == "StartError" || ended.reason == "ContainerCannotRun";
}

void not_run(const AfterScene& scene, const api::ContainerStatus& container) {
  const api::ContainerTerminated& last = *container.last.terminated;
  AfterFinding& found =
      add(scene, Code::ContainerNotStarted, Fails::Start,
          base::format("container {} does not start ({}, {}): {}", container.name, last.reason,
                       base::plural(container.restarts, "attempt"), last.message));
  found.repair.action = Action::MendRuntime;
}

void killed_for_memory(const AfterScene& scene, const api::ContainerStatus& container) {
  AfterFinding& found =
      add(scene, Code::ContainerCrashes, Fails::Run,
          base::format("container {} is killed again and again for using more memory than its "
                       "limit{} ({}, {})",
                       container.name, memory_limit(*scene.pod, container.name),
                       base::plural(container.restarts, "restart"),
                       ending_of(*container.last.terminated)));
  found.what = base::format("out of memory {}", container.name);
  found.repair.action = Action::RaiseMemory;
}

// Fits a headline: one short line.
bool is_brief(std::string_view text) {
  return !text.empty() && text.size() <= 60 && text.find('\n') == std::string_view::npos;
}

void not_attached(const AfterScene& scene, const api::ContainerStatus& container,
                  const std::string& why) {
  AfterFinding& found = add(scene, Code::ContainerCrashes, Fails::Run,
                            base::format("{}; container {} crashes ({})", why, container.name,
                                         base::plural(container.restarts, "restart")));
  found.finding.evidence.push_back(
      {"claim", "the driver reports none of its devices, as it does those of other claims"});
  found.what = base::format("not attached {}", container.name);
  found.repair = delete_pod(*scene.pod);
  found.repair.action = Action::RecreateUnattached;
}

void crashes(const AfterScene& scene, const api::ContainerStatus& container) {
  const auto& last = container.last.terminated;
  std::string_view claim = unlisted_claim(*scene.pod);
  if (is_attached(scene, claim)) claim = {};
  if (last && never_ran(*last)) return not_run(scene, container);
  if (last && last->reason == "OOMKilled" && claim.empty())
    return killed_for_memory(scene, container);
  const std::string unattached = unattached_devices(scene);
  if (!unattached.empty()) return not_attached(scene, container, unattached);
  std::string how = base::format("container {} crashes again and again ({}", container.name,
                                 base::plural(container.restarts, "restart"));
  how += last ? base::format(", last with {})", ending_of(*last)) : ")";
  if (last && is_brief(last->message)) how += base::format(": {}", last->message);
  if (!claim.empty())
    how = base::format(
        "no container lists claim {} in resources.claims, so none sees its devices; {}", claim,
        how);
  const std::string unprepared = claim.empty() ? unprepared_resources(scene) : std::string();
  if (!unprepared.empty()) how = base::format("{}; {}", unprepared, how);
  AfterFinding& found = add(scene, Code::ContainerCrashes, Fails::Run, std::move(how));
  found.what = base::format("{} {}", claim.empty() ? "crashes" : "not listed", container.name);
  if (last && !last->message.empty())
    found.finding.evidence.push_back({"said", std::string(last->message), last->finished});
  for (const OfferedTwice& twice :
       offered_twice(scene.snapshot, scene.inventory, scene.pod->spec.node_name))
    found.finding.evidence.push_back({"hardware", words_of(twice)});
  const bool twice = std::ranges::any_of(
      found.finding.evidence, [](const diag::Fact& fact) { return fact.about == "hardware"; });
  found.repair.action = !claim.empty() ? Action::ListClaim
                        : twice        ? Action::SeparatePlugin
                                       : Action::MendProgram;
  found.repair.claim = claim;
  found.repair.command = Command::ReadLogsOfCrash;
  found.repair.container = container.name;
  if (!unprepared.empty()) {
    found.repair.action = Action::TeachKubelet;
    found.repair.command = Command::DescribeNode;
    found.repair.object = {"Node", {}, std::string(scene.pod->spec.node_name)};
  } else if (found.repair.action == Action::MendProgram) {
    compare_with_neighbours(scene, found);
  }
}

void not_started(const AfterScene& scene, const api::ContainerStatus& container) {
  const api::ContainerWaiting& waiting = *container.state.waiting;
  if (is_refused_by_driver(scene, container.name, waiting.message)) return;
  const std::string said = waiting.message.empty()
                               ? std::string(waiting.reason)
                               : base::format("{}: {}", waiting.reason, waiting.message);
  AfterFinding& found =
      add(scene, Code::ContainerNotStarted, Fails::Start,
          is_one_of(waiting.reason, kImageReasons)
              ? base::format("its devices are prepared, but the image of container {} cannot be "
                             "pulled: {}",
                             container.name, said)
              : base::format("its devices are prepared, but container {} cannot be started: {}",
                             container.name, said));
  found.repair.action = Action::MendContainer;
}

// The container runtime, a hook of it or a volume fails: no container has a state of its own yet.
void fails_between(const AfterScene& scene) {
  const api::Event* event = newest_warning(scene.snapshot, "Pod", scene.pod->meta);
  if (event == nullptr || !is_one_of(event->reason, kBetween)) return;
  const bool sandbox = event->reason == "FailedCreatePodSandBox";
  if (sandbox && is_refused_by_driver(scene, {}, event->message)) return;
  AfterFinding& found =
      add(scene, Code::ContainerNotStarted, Fails::Start,
          base::format("{}: {}",
                       sandbox ? "its devices are prepared, but its sandbox cannot be made"
                               : "a volume cannot be mounted",
                       event->message));
  const std::int64_t times = times_seen(*event);
  found.finding.evidence.push_back(
      {"kubelet",
       times > 1 ? base::format("{} ({} times)", event->reason, times) : std::string(event->reason),
       event->last_seen()});
  found.repair.action = Action::MendContainer;
}

// A pod that should be gone, and that a finalizer keeps.
void kept_by_finalizer(const AfterScene& scene) {
  const api::ObjectMeta& meta = scene.pod->meta;
  const std::vector<std::string> names(meta.finalizers.begin(), meta.finalizers.end());
  AfterFinding& found =
      add(scene, Code::PodNotGone, Fails::End,
          base::format("it is being deleted, and {} {} {} it",
                       names.size() == 1 ? "finalizer" : "finalizers", base::join(names, ", "),
                       names.size() == 1 ? "keeps" : "keep"));
  found.repair.action = Action::RemoveFinalizer;
  found.repair.command = Command::EditPod;
}

// The end of the grace period is the time of deletion.
bool should_be_gone(const AfterScene& scene) {
  constexpr std::int64_t patience = 60;
  const auto& now = scene.snapshot.now();
  return now && now->seconds - scene.pod->meta.deleted->seconds > patience;
}

// Its containers have not ended, and the time for that is over.
void not_ended(const AfterScene& scene) {
  AfterFinding& found = add(scene, Code::PodNotGone, Fails::End,
                            "it is being deleted, and its containers do not end");
  found.repair.action = Action::KillContainer;
  if (const api::Event* event = newest_warning(scene.snapshot, "Pod", scene.pod->meta))
    found.finding.message += base::format(": {}: {}", event->reason, event->message);
}

// The kubelet has reported its containers, and none of them runs.
bool runs_nothing(const api::Pod& pod) {
  const auto runs = [](const api::ContainerStatus& one) { return one.state.running.has_value(); };
  return !pod.status.containers.empty() && std::ranges::none_of(pod.status.containers, runs) &&
         std::ranges::none_of(pod.status.init_containers, runs);
}

// The condition Ready of the pod's node, if it is not true.
const api::Condition* node_not_ready(const AfterScene& scene) {
  const auto* node = scene.snapshot.find<api::Node>(scene.pod->spec.node_name);
  if (node == nullptr) return nullptr;
  const api::Condition* ready = api::condition_of(node->status.conditions, "Ready");
  return ready == nullptr || ready->status == "True" ? nullptr : ready;
}

// The kubelet of the node does not report about the pod any more, and does not end it.
bool is_on_lost_node(const AfterScene& scene) {
  const api::Condition* ready = node_not_ready(scene);
  if (ready == nullptr) return false;
  const std::string_view node = scene.pod->spec.node_name;
  const bool deleted = scene.pod->meta.deleted.has_value();
  if (deleted && !should_be_gone(scene)) return false;
  AfterFinding& found = add(
      scene, deleted ? Code::PodNotGone : Code::NodeNotReady, deleted ? Fails::End : Fails::Run,
      base::format(deleted ? "it is being deleted, and node {} is not ready, so it is not ended: {}"
                           : "node {} is not ready, so it is not known whether it still runs: {}",
                   node, words_of(*ready)));
  found.what = base::format("node {}", node);
  found.repair.action = Action::ReleaseLostNode;
  found.repair.command = Command::DescribeNode;
  found.repair.object = {"Node", {}, std::string(node)};
  return true;
}

// Of a pod that has ended its claims may be free.
void ended_and_stays(const AfterScene& scene) {
  if (!should_be_gone(scene)) return;
  if (!scene.pod->meta.finalizers.empty()) return kept_by_finalizer(scene);
  if (!scene.pod->spec.node_name.empty()) look_at_removal(scene);
}

void does_not_go(const AfterScene& scene) {
  if (is_on_lost_node(scene)) return;
  if (scene.pod->finished()) return ended_and_stays(scene);
  const bool ended = have_ended(*scene.pod);
  if ((ended || should_be_gone(scene)) && look_for_claim_names(scene)) return;
  if (ended && scene.pod->meta.finalizers.empty()) return look_at_release(scene);
  if (!should_be_gone(scene)) return;
  if (!scene.pod->meta.finalizers.empty()) return kept_by_finalizer(scene);
  if (runs_nothing(*scene.pod)) return look_at_release(scene);
  not_ended(scene);
}

// The newest warning of a probe of that kind ("Liveness"), if it came more than once.
const api::Event* failing_probe(const AfterScene& scene, std::string_view kind) {
  const api::Event* event = newest_warning(scene.snapshot, "Pod", scene.pod->meta, "Unhealthy");
  const bool is_it = event != nullptr && event->message.starts_with(kind);
  return is_it && times_seen(*event) >= kOften ? event : nullptr;
}

// The kubelet restarts a container that does not answer its liveness probe.
bool is_restarted_by_probe(const AfterScene& scene) {
  const api::Event* event = failing_probe(scene, "Liveness probe");
  const auto* container =
      find_container(*scene.pod, [](const auto& one) { return one.restarts >= kOften; });
  if (event == nullptr || container == nullptr) return false;
  AfterFinding& found = add(
      scene, Code::ContainerCrashes, Fails::Run,
      base::format("container {} is restarted again and again ({}): {}", container->name,
                   base::plural(container->restarts, "restart"), base::plain_log(event->message)));
  found.what = base::format("liveness {}", container->name);
  found.repair.action = Action::MendProbe;
  found.repair.command = Command::ReadLogsOfCrash;
  found.repair.container = container->name;
  return true;
}

void not_ready(const AfterScene& scene) {
  const api::Event* event = failing_probe(scene, "Readiness probe");
  if (event == nullptr) event = failing_probe(scene, "Startup probe");
  const auto* container =
      find_container(*scene.pod, [](const auto& one) { return one.state.running && !one.ready; });
  if (event == nullptr || container == nullptr) return;
  AfterFinding& found = add(scene, Code::ContainerNotReady, Fails::Run,
                            base::format("container {} is not ready: {}", container->name,
                                         base::plain_log(event->message)));
  found.finding.evidence.push_back(
      {"probe", base::format("has failed {}", base::plural(times_seen(*event), "time")),
       event->last_seen()});
  found.what = base::format("not ready {}", container->name);
  found.repair.action = Action::MendProbe;
  found.repair.command = Command::ReadLogs;
}

}  // namespace

void look_at_states(const AfterScene& scene) {
  const api::Pod& pod = *scene.pod;
  if (scene.subject.claims.empty()) return;
  if (pod.meta.deleted) {
    return does_not_go(scene);
  }
  if (is_on_lost_node(scene) || is_restarted_by_probe(scene)) return;
  if (api::is_true(pod.status.conditions, "Ready")) return;
  const auto* crashing = find_container(pod, is_crash_looping);
  if (crashing != nullptr) return crashes(scene, *crashing);
  const auto* waiting = find_container(pod, [](const api::ContainerStatus& one) {
    return one.state.waiting && !is_one_of(one.state.waiting->reason, kNoReasons);
  });
  if (waiting != nullptr) return not_started(scene, *waiting);
  const std::size_t before = scene.findings.size();
  scene.started() ? not_ready(scene) : fails_between(scene);
  if (scene.findings.size() == before) look_at_standstill(scene);
}

// How the kubelet begins the message of a pod that it refuses at admission: rejectPod in
// pkg/kubelet/kubelet.go, v1.34 to v1.37.
constexpr std::string_view kRejected = "Pod was rejected: ";

// Older kubelets begin differently: there the reason tells. Those of pkg/kubelet/lifecycle and
// pkg/kubelet/cm/topologymanager.
bool is_refused_at_admission(const api::PodStatus& status) {
  const std::string_view reason = status.reason;
  return status.message.starts_with(kRejected) || reason == "UnexpectedAdmissionError" ||
         reason == "TopologyAffinityError" || reason == "NodeAffinity" ||
         reason == "AdmissionFailed" || reason.starts_with("OutOf") ||
         reason.starts_with("PodOS") || reason == "InvalidNodeInfo";
}

// "the kubelet refused the pod (TopologyAffinityError): ...".
std::string how_it_ended(const api::Pod& pod) {
  const api::PodStatus& status = pod.status;
  if (eviction_of(pod) != nullptr) return "it was evicted for a NoExecute taint of its device";
  if (is_refused_at_admission(status)) {
    std::string_view message = status.message;
    if (message.starts_with(kRejected)) message.remove_prefix(kRejected.size());
    return base::format("the kubelet refused the pod ({}): {}", status.reason, message);
  }
  if (!status.reason.empty())
    return status.message.empty() ? std::string(status.reason)
                                  : base::format("{}: {}", status.reason, status.message);
  const auto* failed = find_container(pod, [](const api::ContainerStatus& one) {
    return one.state.terminated && one.state.terminated->exit_code != 0;
  });
  if (failed == nullptr) return "the pod has failed";
  const api::ContainerTerminated& ended = *failed->state.terminated;
  return base::format("container {} ended with {}{}", failed->name, ending_of(ended),
                      ended.message.empty() ? "" : base::format(": {}", ended.message));
}

void look_at_end(const AfterScene& scene) {
  const api::PodStatus& status = scene.pod->status;
  if (status.phase != "Failed") return;
  const bool refused = is_refused_at_admission(status);
  AfterFinding& found =
      add(scene, Code::PodFailed, refused ? Fails::Start : Fails::Run, how_it_ended(*scene.pod));
  found.finding.evidence.push_back(
      {refused ? "kubelet" : "status",
       status.reason.empty() ? std::string(status.phase) : std::string(status.reason)});
  found.repair.action = Action::ReadEnding;
  if (refused) {
    found.repair = delete_pod(*scene.pod);
    found.repair.action = Action::RecreatePodNotAdmitted;
    is_refused_for_resource(scene, found);
  } else if (status.reason.empty()) {
    found.repair.command = Command::ReadLogs;
  }
}

}  // namespace dra::engine
